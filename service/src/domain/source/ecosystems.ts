// Ecosystems of the OSV format: package registries and distributions.
import { PACKAGE_TYPES, type PurlType } from '../purl/package-types.ts'
import { formatPackagePurl, type PackageFamily } from '../purl/purl.ts'
import { DATA_SOURCES } from './sources.ts'

const FAMILIES: ReadonlyMap<string, PackageFamily> = new Map([...listDistributions(), ...listRegistries()])

/** Returns null for an unknown ecosystem or a name that it does not allow. The release in `AlmaLinux:9` is ignored. */
export function buildPurl(ecosystem: string, name: string): string | null {
  const family = FAMILIES.get(ecosystem.split(':', 1)[0] ?? '')
  return family === undefined ? null : formatPackagePurl(family, name)
}

function listRegistries(): readonly (readonly [ecosystem: string, family: PackageFamily])[] {
  return (Object.keys(PACKAGE_TYPES) as PurlType[]).flatMap((type) => {
    const { ecosystem } = PACKAGE_TYPES[type]
    return ecosystem === undefined ? [] : [[ecosystem, { type }] as const]
  })
}

function listDistributions(): readonly (readonly [ecosystem: string, family: PackageFamily])[] {
  return Object.values(DATA_SOURCES).flatMap(({ ecosystem, packages: [packages] = [] }) => {
    const [type, namespace] = packages?.split('/') ?? []
    return ecosystem === undefined || type === undefined
      ? []
      : [[ecosystem, { type: type as PurlType, namespace }] as const]
  })
}

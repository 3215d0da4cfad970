// Reads a package's identity from the address of its registry and its name there, as the CVE List gives them
// (`collectionURL` and `packageName`).
import { PACKAGE_TYPES, type PurlType } from './package-types.ts'
import { formatPackagePurl, type PackageFamily } from './purl.ts'

const FAMILIES: readonly (readonly [address: string, family: PackageFamily])[] = listFamilies()

/** Returns null if the address belongs to no registry of packages, or if the registry does not allow the name. */
export function buildRegistryPurl(address: string, name: string): string | null {
  const plain = address.toLowerCase().replace(/^https?:\/\/(?:www\.)?/, '')
  const family = FAMILIES.find(([each]) => plain === each || plain.startsWith(`${each}/`))?.[1]
  return family === undefined || /\s/.test(name) ? null : formatPackagePurl(family, name)
}

function listFamilies(): readonly (readonly [address: string, family: PackageFamily])[] {
  return (Object.keys(PACKAGE_TYPES) as PurlType[]).flatMap((type) =>
    Object.entries(PACKAGE_TYPES[type].addresses ?? {}).map(
      ([address, namespace]) => [address, { type, ...(namespace !== null && { namespace }) }] as const,
    ),
  )
}

// Reads a package's identity from the address of its registry and its name there, as the CVE List gives them
// (`collectionURL` and `packageName`).
import { PACKAGE_TYPES, type PurlType } from './package-types.ts'
import { formatPackagePurl, type PackageFamily } from './purl.ts'

const FAMILIES: readonly (readonly [address: string, family: PackageFamily])[] = listFamilies()

/**
 * Returns null if the address belongs to no registry of packages, or if the registry does not allow the name. The name
 * may be the address of the package, such as `https://wordpress.org/plugins/form-maker/`.
 */
export function buildRegistryPurl(address: string, name: string): string | null {
  const plain = dropScheme(address).toLowerCase()
  const [base, family] = FAMILIES.find(([each]) => plain === each || plain.startsWith(`${each}/`)) ?? []
  if (base === undefined || family === undefined) return null
  const path = dropScheme(name.trim())
  const own = path.toLowerCase().startsWith(`${base}/`) ? path.slice(base.length + 1) : name.trim()
  const short = own.replace(/\/$/, '')
  return /\s|:\/\//.test(short) ? null : formatPackagePurl(family, short)
}

function dropScheme(address: string): string {
  return address.replace(/^https?:\/\/(?:www\.)?/i, '')
}

function listFamilies(): readonly (readonly [address: string, family: PackageFamily])[] {
  return (Object.keys(PACKAGE_TYPES) as PurlType[]).flatMap((type) =>
    Object.entries(PACKAGE_TYPES[type].addresses ?? {}).map(
      ([address, namespace]) => [address, { type, ...(namespace !== null && { namespace }) }] as const,
    ),
  )
}

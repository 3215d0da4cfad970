// Finds the sources that can assess a component.
import type { PackageSet } from './descriptor.ts'
import { DATA_SOURCES, SOURCE_IDS, type SourceId } from './sources.ts'

const listJudges = (kind: 'products' | 'levels') => SOURCE_IDS.filter((id) => DATA_SOURCES[id].judges?.includes(kind))

/** A product is assessed only if the data of all these sources is present. */
export const PRODUCT_SOURCES: readonly SourceId[] = listJudges('products')

/** A level is computed only if the data of all these sources is present. */
export const LEVEL_SOURCES: readonly SourceId[] = listJudges('levels')

/**
 * Finds sources by the purl's type and namespace, such as `rpm/redhat`. A package is assessed only if the data of all
 * of them is present: each has advisories that the others lack, or have later. A source that only supplements another
 * is not one of them. The CVE List is one of them, because its
 * records name packages of every type, but not all packages of any.
 */
export function findPackageSources(name: string): readonly SourceId[] {
  const [type = '', namespace] = name.split('/')
  const sets: readonly string[] = [type, `${type}/${namespace}`]
  const isKnown = (packages: PackageSet) => sets.includes(packages)
  const databases = SOURCE_IDS.filter((id) => {
    const { packages, supplements } = DATA_SOURCES[id]
    return supplements === undefined && packages?.some(isKnown)
  })
  return databases.length === 0 ? [] : SOURCE_IDS.filter((id) => id === 'cve' || databases.includes(id))
}

/** Returns whether advisories name the source package from which a package is built. */
export function areSourcePackagesNamed(name: string): boolean {
  return findPackageSources(name).some((id) => DATA_SOURCES[id].namesSourcePackages)
}

/**
 * Returns whether the source assesses the release of a distribution. `release` is for example `bookworm`, `9` or `9.4`;
 * null if the component states none.
 */
export function coversRelease(id: SourceId, release: string | null): boolean {
  const { releases } = DATA_SOURCES[id]
  if (releases === undefined) return true
  return release !== null && releases.some((each) => each === release || release.startsWith(`${each}.`))
}

const PROVIDER_SOURCES: ReadonlyMap<string, SourceId> = new Map(
  SOURCE_IDS.flatMap((id) => [id, ...Object.keys(DATA_SOURCES[id].providers ?? {})].map((each) => [each, id] as const)),
)

/** A provider of the CVE List has a role in its name, such as `cna:apache`. */
const CVE_LIST_PROVIDER = /^(?:cna|adp):/

/** Returns the source whose data contains this provider's statements; undefined for this service's conclusions. */
export function findSourceOfProvider(provider: string): SourceId | undefined {
  return CVE_LIST_PROVIDER.test(provider) ? 'cve' : PROVIDER_SOURCES.get(provider)
}

/** Providers whose advisories state the fix of a package in a member of its own, such as the event `fixed` in OSV. */
const FIX_PROVIDERS: ReadonlySet<string> = new Set(
  [...PROVIDER_SOURCES].flatMap(([provider, id]) => (DATA_SOURCES[id].packages === undefined ? [] : [provider])),
)

/**
 * Returns whether the end of a provider's range is a release that it calls fixed. NVD and the CVE List only say before
 * which version a range ends.
 */
export function namesFixedReleases(provider: string): boolean {
  return FIX_PROVIDERS.has(provider)
}

// Which sources can judge a component.
import type { PackageSet } from './descriptor.ts'
import { DATA_SOURCES, SOURCE_IDS, type SourceId } from './sources.ts'

const listJudges = (kind: 'products' | 'levels') => SOURCE_IDS.filter((id) => DATA_SOURCES[id].judges === kind)

/** All of them are needed. */
export const PRODUCT_SOURCES: readonly SourceId[] = listJudges('products')

/** All of them are needed. */
export const LEVEL_SOURCES: readonly SourceId[] = listJudges('levels')

/** Lists the sources that know a package, by the type and namespace of its purl, such as `rpm/redhat`. One is enough. */
export function findPackageSources(name: string): readonly SourceId[] {
  const [type = '', namespace] = name.split('/')
  const sets: readonly string[] = [type, `${type}/${namespace}`]
  const isKnown = (packages: PackageSet) => sets.includes(packages)
  return SOURCE_IDS.filter((id) => DATA_SOURCES[id].packages?.some(isKnown))
}

/** Returns whether the sources of a package name the source package from which it is built. */
export function areSourcePackagesNamed(name: string): boolean {
  return findPackageSources(name).some((id) => DATA_SOURCES[id].namesSourcePackages)
}

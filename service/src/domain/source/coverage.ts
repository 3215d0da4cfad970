// Finds the sources that can assess a component.
import type { PackageSet } from './descriptor.ts'
import { DATA_SOURCES, SOURCE_IDS, type SourceId } from './sources.ts'

const listJudges = (kind: 'products' | 'levels') => SOURCE_IDS.filter((id) => DATA_SOURCES[id].judges === kind)

/** A product is assessed only if the data of all these sources is present. */
export const PRODUCT_SOURCES: readonly SourceId[] = listJudges('products')

/** A level is computed only if the data of all these sources is present. */
export const LEVEL_SOURCES: readonly SourceId[] = listJudges('levels')

/** Finds sources by the purl's type and namespace, such as `rpm/redhat`. One source is enough. */
export function findPackageSources(name: string): readonly SourceId[] {
  const [type = '', namespace] = name.split('/')
  const sets: readonly string[] = [type, `${type}/${namespace}`]
  const isKnown = (packages: PackageSet) => sets.includes(packages)
  return SOURCE_IDS.filter((id) => DATA_SOURCES[id].packages?.some(isKnown))
}

/** Returns whether advisories name the source package from which a package is built. */
export function areSourcePackagesNamed(name: string): boolean {
  return findPackageSources(name).some((id) => DATA_SOURCES[id].namesSourcePackages)
}

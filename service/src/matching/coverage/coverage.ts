// Which databases speak about a component, and whether their silence proves anything (decision E29).
import type { Component } from '../../domain/component/component.ts'
import type { CoverageGap } from '../../domain/match-words.ts'
import { coversRelease, findPackageSources, LEVEL_SOURCES, PRODUCT_SOURCES } from '../../domain/source/coverage.ts'
import { type AsOfBasis, isComplete, isStale } from '../../domain/source/data-age.ts'
import type { SourceId } from '../../domain/source/sources.ts'
import type { DataSetState } from './data-sets.ts'

export interface SourceCoverage {
  readonly source: SourceId
  readonly isComplete: boolean
  /** Null before the first import. */
  readonly asOf: Date | null
  readonly asOfBasis: AsOfBasis | null
  readonly isStale: boolean
}

export interface Coverage {
  /** The sources that judge the component. */
  readonly sources: readonly SourceCoverage[]
  /** Undefined if all of them are complete and fresh. */
  readonly gap: CoverageGap | undefined
}

export interface Coverages {
  readonly findCoverage: (component: Component) => Coverage
  /** State of the data from which levels are computed. */
  readonly levels: 'current' | 'stale' | 'none'
}

type IsTooOld = (set: DataSetState, now: Date) => boolean

export function judgeCoverage(sets: readonly DataSetState[], now: Date, isTooOld: IsTooOld = isStale): Coverages {
  const byName = new Map(sets.map((each) => [each.name, describe(each, isTooOld(each, now))]))
  const known = new Map<string, Coverage>()
  return {
    levels: judgeLevels(byName),
    findCoverage: (component) => {
      const { kind, vendor, target } = component
      // A document has many components and few combinations of these.
      const key = JSON.stringify(kind === 'cpe' ? [] : [vendor, target])
      const found = known.get(key) ?? judge(component, byName)
      known.set(key, found)
      return found
    },
  }
}

interface DescribedSet extends Omit<SourceCoverage, 'source'> {
  readonly isLoaded: boolean
}

function describe(set: DataSetState, isTooOld: boolean): DescribedSet {
  return {
    isLoaded: set.lastSuccessAt !== null,
    isComplete: isComplete(set),
    asOf: set.upstreamAt,
    asOfBasis: set.asOfBasis,
    isStale: isTooOld,
  }
}

const NEVER_LOADED: DescribedSet = { isLoaded: false, isComplete: false, asOf: null, asOfBasis: null, isStale: true }

function judge({ kind, vendor, target }: Component, byName: ReadonlyMap<string, DescribedSet>): Coverage {
  const ids = kind === 'cpe' ? PRODUCT_SOURCES : findPackageSources(vendor ?? '')
  const sets = ids.map((source) => ({ source, ...(byName.get(source) ?? NEVER_LOADED) }))
  return { sources: sets.map(toSourceCoverage), gap: findGap() }

  function findGap(): CoverageGap | undefined {
    if (ids.length === 0) return 'no_source'
    if (kind === 'purl' && !ids.every((id) => coversRelease(id, target))) return 'unknown_release'
    if (!sets.every(({ isLoaded }) => isLoaded)) return 'no_data'
    if (!sets.every((each) => each.isComplete)) return 'incomplete'
    return sets.some((each) => each.isStale) ? 'stale' : undefined
  }
}

function toSourceCoverage({
  source,
  isComplete: complete,
  asOf,
  asOfBasis,
  isStale: stale,
}: SourceCoverage): SourceCoverage {
  return { source, isComplete: complete, asOf, asOfBasis, isStale: stale }
}

function judgeLevels(byName: ReadonlyMap<string, DescribedSet>): Coverages['levels'] {
  const sets = LEVEL_SOURCES.map((id) => byName.get(id) ?? NEVER_LOADED)
  if (!sets.every(({ isLoaded }) => isLoaded)) return 'none'
  return sets.some((each) => each.isStale) ? 'stale' : 'current'
}

// Counts the differences that the round trip finds, by place and kind.
import { type DifferenceKind, KINDS, type Kind } from './kinds.ts'
import { type Difference, PLACES, type Place, type RoundTripOfCve } from './round-trip.ts'

export interface RoundTrip {
  /** Number of compared values by place. */
  readonly compared: Readonly<Record<Place, number>>
  /** Only kinds that were found, those without a reason first. */
  readonly differences: readonly CountedKind[]
}

interface CountedKind extends Kind {
  readonly place: Place
  readonly kind: DifferenceKind
  /** Number of values. */
  readonly values: number
  /** Number of CVEs. */
  readonly count: number
  readonly examples: readonly string[]
  /** Number of values by source, largest first. */
  readonly sources: readonly { readonly source: string; readonly values: number }[]
}

interface Counter {
  values: number
  count: number
  readonly examples: string[]
  readonly sources: Map<string, number>
}

/** Keeps only counts and a few example ids, so that memory does not grow with the catalog. */
export function createRoundTripCounters(maxExamples: number) {
  const compared = Object.fromEntries(PLACES.map((place) => [place, 0])) as Record<Place, number>
  const counters = new Map<string, Counter & Pick<Difference, 'place' | 'kind'>>()
  const find = ({ place, kind }: Difference) => {
    const key = `${place} ${kind}`
    const counter = counters.get(key) ?? { place, kind, values: 0, count: 0, examples: [], sources: new Map() }
    counters.set(key, counter)
    return counter
  }
  return {
    count: (cveId: string, { compared: ofCve, differences }: RoundTripOfCve) => {
      for (const place of PLACES) compared[place] += ofCve[place]
      const found = new Set<Counter>()
      for (const each of differences) {
        const counter = find(each)
        counter.values += 1
        counter.sources.set(each.source, (counter.sources.get(each.source) ?? 0) + 1)
        found.add(counter)
      }
      for (const counter of found) {
        counter.count += 1
        if (counter.examples.length < maxExamples) counter.examples.push(cveId)
      }
    },
    result: (): RoundTrip => ({ compared, differences: [...counters.values()].map(toCounted).sort(compareCounted) }),
  }
}

function toCounted({ place, kind, sources, ...counts }: Counter & Pick<Difference, 'place' | 'kind'>): CountedKind {
  const sorted = [...sources].sort(([, one], [, other]) => other - one)
  return { place, kind, ...KINDS[kind], ...counts, sources: sorted.map(([source, values]) => ({ source, values })) }
}

function compareCounted(one: CountedKind, other: CountedKind): number {
  const explained = Number(one.reason !== undefined) - Number(other.reason !== undefined)
  return explained || PLACES.indexOf(one.place) - PLACES.indexOf(other.place) || other.values - one.values
}

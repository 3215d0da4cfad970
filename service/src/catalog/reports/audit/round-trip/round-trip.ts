// Compares everything that is served about a CVE with the raw records of the sources to which it is attributed. This is
// a second reader: it shares no code with the readers in catalog/sources, catalog/resolve, catalog/affected and
// catalog/render, so that both would have to make the same mistake.
import { compareRows } from './check-affected.ts'
import { compareDates, compareKev } from './check-dates.ts'
import { compareDetailRanges, compareFixes } from './check-details.ts'
import { type Compared, compareMatches } from './check-matches.ts'
import { compareDetailScores, compareScores, compareWeaknesses, readRatings, readWeaknesses } from './check-ratings.ts'
import { readDocument, type ServedDocument } from './document.ts'
import type { DifferenceKind } from './kinds.ts'
import type { RawCve } from './raw-cve.ts'
import { readStatements } from './read-statements.ts'
import type { ServedDetail, ServedValues } from './served-values.ts'
import type { Statement } from './statement.ts'

export const PLACES = ['affected', 'cpe', 'detail', 'fixes', 'scores', 'weaknesses', 'dates', 'kev'] as const
/** Where a value is served. */
export type Place = (typeof PLACES)[number]

export interface Difference {
  readonly place: Place
  readonly kind: DifferenceKind
  /** The source to which the value is attributed, or whose detail record has it. */
  readonly source: string
}

type Result = { readonly source: string; readonly kind: Compared }

export interface RoundTripOfCve {
  /** Number of compared values. */
  readonly compared: Readonly<Record<Place, number>>
  readonly differences: readonly Difference[]
}

/** `row` is a row of catalog.cve_document. */
export function compareCve(row: Readonly<Record<string, unknown>>, served: ServedValues, raw: RawCve): RoundTripOfCve {
  const results = compareAll(readDocument(row), served, raw)
  return {
    compared: Object.fromEntries(PLACES.map((place) => [place, results[place].length])) as Record<Place, number>,
    differences: PLACES.flatMap((place) =>
      results[place].flatMap(({ source, kind }) => (kind === undefined ? [] : { place, kind, source })),
    ),
  }
}

function compareAll(
  document: ServedDocument,
  { affected, details, kev }: ServedValues,
  raw: RawCve,
): Readonly<Record<Place, readonly Result[]>> {
  const [statements, ratings] = [readStatements(raw), readRatings(raw.records)]
  const inDetails = (compare: (detail: ServedDetail) => readonly Compared[]) =>
    details.flatMap((each) => attribute(each.source, compare(each)))
  return {
    affected: compareRows(affected, statements),
    cpe: compareDocumentMatches(document, statements),
    detail: inDetails((each) => compareDetailRanges(each, statements)),
    fixes: inDetails((each) => compareFixes(each, statements)),
    scores: [
      ...attribute('record', compareScores(document, ratings)),
      ...inDetails((each) => compareDetailScores(each, document, ratings)),
    ],
    weaknesses: attribute('record', compareWeaknesses(document, readWeaknesses(raw))),
    dates: attribute('record', compareDates(document, raw)),
    kev: attribute('record', compareKev(document, kev, raw)),
  }
}

function attribute(source: string, kinds: readonly Compared[]): readonly Result[] {
  return kinds.map((kind) => ({ source, kind }))
}

function compareDocumentMatches(document: ServedDocument, statements: readonly Statement[]): readonly Result[] {
  const [from] = document.from('cpe')
  if (from === undefined)
    return attribute(
      'record',
      document.matches.map(() => 'source' as const),
    )
  return attribute(from.source, compareMatches(document.matches, from, statements))
}

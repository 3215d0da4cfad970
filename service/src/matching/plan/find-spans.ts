// Finds the later versions in which a hit remains, by the row that makes the installed version a hit. Other rows may
// contain further versions, so this is an estimate.
import type { SchemeName } from '../../domain/version/schemes.ts'
import type { Hit } from '../judge/judge.ts'
import { isDivided } from '../versions/divided-range.ts'
import { placeRow } from '../versions/place-version.ts'
import { type PreparedRow, type ProductRows, probeVersion } from '../versions/product-rows.ts'
import type { Span } from './choose-step.ts'
import { toLevelIndex } from './level-counts.ts'

interface RankedHit extends Hit {
  readonly subject: { readonly rank: number | null }
}

interface Version {
  readonly version: string
  /** Index into the product's version texts. */
  readonly index: number
}

/** Limits for rows whose versions cannot be sorted: each is compared with each version. */
const [MAX_COMPARED_ROWS, MAX_COMPARED_VERSIONS] = [100, 500]

type Range = Pick<Span, 'first' | 'last'>

/** `versions` are later than the installed one, the lowest first. */
export function createSpanFinder(
  product: ProductRows,
  versions: readonly Version[],
  scheme: SchemeName,
): (hits: readonly RankedHit[]) => readonly Span[] {
  const ranks = versions.map(({ index }) => product.texts.findFirstRank(scheme, index, true))
  const sorted = ranks.filter((rank) => rank !== undefined)
  const isSorted = sorted.length === ranks.length
  let compared = 0
  const compare = (row: PreparedRow): readonly Range[] => {
    compared += 1
    if (compared > MAX_COMPARED_ROWS) return []
    return versions.slice(0, MAX_COMPARED_VERSIONS).flatMap(({ version }, position) => {
      const probe = probeVersion(product, { text: version, base: version, update: null })
      return placeRow(row, probe) === 'inside' && !isDivided(row, probe) ? { first: position, last: position } : []
    })
  }
  const findRanges = (row: PreparedRow): readonly Range[] => {
    if (row.mayEndEarlier) return []
    if (row.row.isVague) return [{ first: 0, last: versions.length - 1 }]
    const isWhole = row.dividedBy === undefined
    if (!isSorted || !isWhole || row.ranks === undefined || row.row.scheme !== scheme) return compare(row)
    const [first, last] = [countBelow(sorted, row.ranks.first), countBelow(sorted, row.ranks.last + 1) - 1]
    return first > last ? [] : [{ first, last }]
  }
  return (hits) =>
    hits.flatMap(({ subjectKey, subject, prepared }) =>
      findRanges(prepared).map((range) => ({ subjectKey, level: toLevelIndex(subject.rank), ...range })),
    )
}

/** Returns the number of items below a limit. */
function countBelow(sorted: readonly number[], limit: number): number {
  let [start, end] = [0, sorted.length]
  while (start < end) {
    const middle = (start + end) >> 1
    if ((sorted[middle] ?? 0) < limit) start = middle + 1
    else end = middle
  }
  return start
}

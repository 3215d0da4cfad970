// Checks every range of the published catalog against its own ends, by the order of its scheme.
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { SCHEMES, type SchemeName } from '../../../service/src/domain/version/schemes.ts'
import type { Limits } from '../../../service/src/record/affected-row.ts'
import { placeVersion } from './place-version.ts'
import { findPublishedCatalog, openPublishedCatalog } from './published-catalog.ts'

const url = findPublishedCatalog('the check of all ranges of the catalog')

interface CountedRange extends Limits {
  readonly scheme: SchemeName
  /** Number of rows with this range, and one of the CVEs. */
  readonly rows: number
  readonly example: string
}

describe.skipIf(url === undefined)('Catalog ranges', () => {
  let ranges: readonly CountedRange[] = []

  beforeAll(async () => {
    const db = openPublishedCatalog(url ?? '')
    const found = await sql<CountedRange>`
      select scheme, low, low_in is true as "isLowIncluded", high, high_in is true as "isHighIncluded", count(*)::int as rows,
             coalesce(catalog.cve_id(min(subject_key) filter (where subject_key > 0)), 'an advisory') as example
        from catalog.affected
       where versions is null and not is_vague and scheme <> 'commit' and (low is not null or high is not null)
       group by scheme, low, low_in, high, high_in
    `.execute(db)
    ranges = found.rows
  })

  it('contain their inclusive ends and exclude their exclusive ends', () => {
    const ends = ranges.filter((range) => !isInverted(range)).flatMap(listEnds)
    const wrong = ends.filter(({ place, expected }) => place !== 'unknown' && place !== expected)
    const unknown = ends.filter(({ place }) => place === 'unknown')

    for (const [scheme, all] of Map.groupBy(ends, ({ range }) => range.scheme)) {
      const parts = [
        sum(all),
        sum(all.filter((each) => unknown.includes(each))),
        sum(all.filter((e) => wrong.includes(e))),
      ]
      process.stdout.write(`| ${scheme} | ${parts.join(' | ')} |\n`)
    }
    process.stdout.write(`${sum(ends)} ends, ${sum(unknown)} unknown, ${sum(wrong)} wrong\n`)
    report(unknown.map(({ range }) => range))
    expect(sum(ends)).toBeGreaterThan(700_000)
    expect(wrong).toEqual([])
    expect(sum(unknown)).toBeLessThan(sum(ends) / 200)
  })

  it('are inverted in fewer than 500 rows', () => {
    const inverted = ranges.filter(isInverted)

    for (const [scheme, all] of Map.groupBy(inverted, (range) => range.scheme)) {
      process.stdout.write(`inverted by ${scheme}: ${all.length} ranges in ${all.reduce(addRows, 0)} rows\n`)
      report(all)
    }
    expect(inverted.reduce(addRows, 0)).toBeLessThan(500)
  })
})

/** A range is inverted if no version can be inside. */
function isInverted({ scheme, low, isLowIncluded, high, isHighIncluded }: CountedRange): boolean {
  if (low === null || high === null) return false
  const order = low === high ? 0 : SCHEMES[scheme].compare(low, high)
  return order !== undefined && (order > 0 || (order === 0 && !(isLowIncluded && isHighIncluded)))
}

function listEnds(range: CountedRange) {
  const { low, isLowIncluded, high, isHighIncluded } = range
  return [
    { end: low, isIncluded: isLowIncluded },
    { end: high, isIncluded: isHighIncluded },
  ].flatMap(({ end, isIncluded }) => {
    if (end === null) return []
    const place = placeVersion({ ...range, isVague: false, versions: null }, { text: end, base: end, update: null })
    return [{ range, expected: isIncluded ? 'inside' : 'outside', place }]
  })
}

const addRows = (total: number, { rows }: CountedRange) => total + rows
const sum = (ends: readonly { readonly range: CountedRange }[]) => ends.map(({ range }) => range).reduce(addRows, 0)

const MAX_LISTED = 40

function report(listed: readonly CountedRange[]): void {
  for (const { scheme, low, isLowIncluded, high, isHighIncluded, rows, example } of listed.slice(0, MAX_LISTED)) {
    const range = `${isLowIncluded ? 'from' : 'after'} ${low} ${isHighIncluded ? 'through' : 'before'} ${high}`
    process.stdout.write(`  ${scheme}: ${range} (${rows} rows, ${example})\n`)
  }
}

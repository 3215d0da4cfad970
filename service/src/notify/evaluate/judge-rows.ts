// Judges rows of the change log, a portion of CVEs after the other: each CVE is judged alone.
import type { Database } from '../../database/postgres.ts'
import type { CveKey } from '../../domain/cve-id.ts'
import { FILTER_ENTRIES, type FilterName } from '../../search/filters/table.ts'
import type { Facts } from '../../search/watch/facts.ts'
import { readFacts } from '../../search/watch/facts.ts'
import { readSteps, walkBack } from '../../search/watch/history.ts'
import { readLookups } from '../../search/watch/lookups.ts'
import type { Lookups } from '../../search/watch/query.ts'
import type { QueryIndex } from '../../search/watch/query-index.ts'
import type { FindingCollector } from './findings.ts'
import { type IsJudgedBy, judgeChange } from './judge.ts'
import type { JudgedChange } from './judged-change.ts'
import { type LogRow, type MovedScore, readMovedScores } from './read-log.ts'
import type { QueryGroup } from './spans.ts'

/** Facts of a thousand CVEs with their words and products take about 10 MB. */
const KEYS_PER_PORTION = 1000

export interface RowsToJudge {
  /** All rows after `from`, up to the last one to judge. */
  readonly from: bigint
  readonly rows: readonly LogRow[]
  readonly groups: readonly QueryGroup[]
  /** The index of the queries of all groups. */
  readonly index: QueryIndex<QueryGroup>
  readonly isJudgedBy: IsJudgedBy
  readonly findings: FindingCollector
  /** Called between portions, so that the other transaction is not ended as idle. */
  readonly onPortion: () => Promise<void>
}

/** All statements read in one snapshot of the catalog. */
export async function judgeRows(catalog: Database, batch: RowsToJudge): Promise<void> {
  const { from, rows, groups, index, isJudgedBy, findings, onPortion } = batch
  const bySeq = new Map(rows.map((row) => [String(row.seq), row]))
  const keys = await listKeys(catalog, rows, groups)
  for (let start = 0; start < keys.length; start += KEYS_PER_PORTION) {
    const changes = await readChanges(catalog, keys.slice(start, start + KEYS_PER_PORTION), { from, bySeq })
    const facts = changes
      .flatMap(({ around: { before, after } }) => [before, after])
      .filter((each) => each !== undefined)
    const lookups = await readLookups(catalog, index.listAsked(), facts)
    for (const change of changes) judgeChange(change, { index, isJudgedBy, lookups, findings })
    await onPortion()
  }
}

/** CVEs with a row of their own, and those whose score moved over a bound that a query asks for. */
async function listKeys(
  catalog: Database,
  rows: readonly LogRow[],
  groups: readonly QueryGroup[],
): Promise<readonly CveKey[]> {
  const own = rows.flatMap(({ key }) => (key === null ? [] : [key]))
  const releases = rows.filter(({ key, types }) => key === null && types.includes('epss_released'))
  const matters = createScoreTest(groups, releases)
  const moved =
    matters &&
    (
      await readMovedScores(
        catalog,
        releases.map(({ seq }) => seq),
      )
    ).filter(matters)
  return [...new Set([...own, ...(moved ?? []).map(({ key }) => key)])]
}

const EPSS_FILTERS: ReadonlySet<FilterName> = new Set(
  FILTER_ENTRIES.filter(([, { reads }]) => reads === 'epss').map(([name]) => name),
)

/** Whether a condition holds for one of the two scores only. Undefined if no query reads scores. */
function createScoreTest(
  groups: readonly QueryGroup[],
  releases: readonly LogRow[],
): ((moved: MovedScore) => boolean) | undefined {
  const [release] = releases
  if (!release) return undefined
  const all = groups.flatMap(({ stored }) =>
    stored.on(release.at).conditions.filter(({ name }) => EPSS_FILTERS.has(name)),
  )
  const conditions = new Map(all.map((condition) => [condition.key, condition]))
  if (conditions.size === 0) return undefined
  return (moved) =>
    conditions
      .values()
      .some(({ holds }) => holds(withScore(moved.old), NO_LOOKUPS) !== holds(withScore(moved.new), NO_LOOKUPS))
}

/** Enough for a condition on the score. */
const withScore = (epss: number | null) => ({ values: { epss } }) as Facts
const NO_LOOKUPS: Lookups = { isKnown: () => false, listSearches: () => new Set() }

interface Around {
  readonly from: bigint
  readonly bySeq: ReadonlyMap<string, LogRow>
}

/** What the rows did to the CVEs. Later rows are taken back first. */
async function readChanges(
  catalog: Database,
  keys: readonly CveKey[],
  { from, bySeq }: Around,
): Promise<readonly JudgedChange[]> {
  const facts = await readFacts(catalog, keys)
  const steps = await readSteps(catalog, String(from), keys)
  return keys.flatMap((key) =>
    walkBack(facts.get(key), steps.get(key) ?? []).flatMap((around) => {
      const row = bySeq.get(around.step.seq)
      return row ? [{ row, around }] : []
    }),
  )
}

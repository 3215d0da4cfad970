// Keeps catalog.epss.held_since, the EPSS thresholds that each CVE holds. A release advances it by one day with
// `advanceHoldSql`; after any other change to the stored days it is computed again from the series. Both follow
// `advanceHold` in domain/priority/epss-rule.ts.
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { CveKey } from '../../domain/cve-id.ts'
import { EPSS_RULE, type HeldSince, type Thresholds } from '../../domain/priority/epss-rule.ts'
import { readHolds } from '../../record/epss-holds.ts'

interface AdvanceSql {
  readonly held: RawBuilder<unknown>
  readonly score: RawBuilder<unknown>
  readonly day: string
  readonly thresholds: Thresholds
}

/** The SQL form of `advanceHold`: null stands for no threshold. Most scores are too low for any. */
export function advanceHoldSql({ held, score, day, thresholds }: AdvanceSql): RawBuilder<unknown> {
  const [lowest] = thresholds
  if (lowest === undefined) return sql`null::date[]`
  const entries = thresholds.map((threshold, index) => {
    const since = sql`(${held})[${sql.lit(index + 1)}]`
    return sql`
      case when ${score} >= ${sql.lit(threshold)} then coalesce(${since}, ${sql.lit(day)}::date)
           when ${score} >= ${sql.lit(EPSS_RULE.keep * threshold)} then ${since}
      end`
  })
  return sql`
    case when ${score} is null then ${held}
         when ${score} < ${sql.lit(EPSS_RULE.keep * lowest)} then null
         else nullif(array_remove(array[${sql.join(entries)}], null), '{}')
    end`
}

/** The days of catalog.epss_day must be stored, including the newest release. */
export async function refreshHolds(tx: Transaction<unknown>): Promise<boolean> {
  const { rows } = await sql<{ lowest: number | null }>`
    select thresholds[1] as lowest
      from catalog.epss_release
     where is_hold_stale
  `.execute(tx)
  const [release] = rows
  if (!release) return false
  const keys = await listCandidates(tx, EPSS_RULE.keep * (release.lowest ?? 0))
  const holds = await readHolds(tx, keys)
  await writeHolds(tx, holds)
  await sql`
    update catalog.epss_release
       set is_hold_stale = false,
           known_from = (select min(day) from catalog.epss_day)
  `.execute(tx)
  return true
}

export async function markHoldsStale(tx: Transaction<unknown>): Promise<void> {
  await sql`update catalog.epss_release set is_hold_stale = true`.execute(tx)
}

/** A lower score holds no threshold, whatever the scores before it. */
async function listCandidates(tx: Transaction<unknown>, minScore: number): Promise<readonly CveKey[]> {
  const { rows } = await sql<{ key: CveKey }>`
    select cve_key::text as key
      from catalog.epss
     where score >= ${minScore}
        or score is null
        or held_since is not null
  `.execute(tx)
  return rows.map(({ key }) => key)
}

/** Queues the CVEs that got or lost a threshold. */
async function writeHolds(tx: Transaction<unknown>, holds: ReadonlyMap<CveKey, HeldSince>): Promise<void> {
  await sql`
    with changed as (${updateHolds(holds)})
    insert into source.publication_queue (cve_id, feed)
    select catalog.cve_id(cve_key), 'epss'
      from changed
     where cardinality(old) is distinct from cardinality(held_since)
     order by cve_key
  `.execute(tx)
}

/** Computes the thresholds that CVEs hold which were just added to catalog.epss. */
export async function addHolds(tx: Transaction<unknown>, added: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ key: CveKey }>`
    select epss.cve_key::text as key
      from (${added}) added
      join catalog.epss on epss.cve_key = added.cve_key
     where epss.held_since is null
       and epss.score >= ${EPSS_RULE.keep} * (select thresholds[1] from catalog.epss_release)
  `.execute(tx)
  if (rows.length === 0) return
  const keys = rows.map(({ key }) => key)
  await updateHolds(await readHolds(tx, keys)).execute(tx)
}

/** Writes only the rows that differ. */
function updateHolds(holds: ReadonlyMap<CveKey, HeldSince>): RawBuilder<unknown> {
  const rows = [...holds].map(([key, held]) => ({ key, held: held.length === 0 ? null : `{${held.join(',')}}` }))
  return sql`
    update catalog.epss stored
       set held_since = computed.held::date[]
      from (
             select epss.cve_key, epss.held_since as old, computed.held
               from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as computed (key bigint, held text)
               join catalog.epss on epss.cve_key = computed.key
           ) computed
     where stored.cve_key = computed.cve_key
       and stored.held_since is distinct from computed.held::date[]
    returning stored.cve_key, computed.old, stored.held_since
  `
}

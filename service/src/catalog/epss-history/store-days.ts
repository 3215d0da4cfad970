// Stores the EPSS scores of whole days in catalog.epss_series, one row per CVE and month. The caller holds the
// publishers' lock.
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { type CopyValue, formatCopyChunks } from '../../database/copy-line.ts'
import type { Session } from '../../database/session.ts'
import { type DayScore, decodeMonth, type EncodedMonth, encodeMonth } from '../../domain/epss-series/codec.ts'
import { toDayOfMonth, toMonth } from '../../domain/epss-series/days.ts'
import { readWithCursor } from './read-with-cursor.ts'

export interface NewDays {
  /** All days are in one month. Their stored scores are replaced. */
  readonly days: readonly [string, ...string[]]
  /**
   * One row per CVE: cve_key, and an array of [day of the month, score, percentile]. Score and percentile are in units
   * of 0.00001.
   */
  readonly scores: RawBuilder<unknown>
}

interface SeriesRow {
  readonly cve_key: string
  /** Null if the new days have no score for the CVE. */
  readonly added: readonly (readonly [day: number, score: number, percentile: number | null])[] | null
  /** Null, like percentiles, if the CVE has no scores in the month yet. */
  readonly scores: Buffer | null
  readonly percentiles: Buffer | null
}

/** Returns the days with an added or changed score. Unchanged rows are not written. */
export async function storeDays(
  session: Session,
  tx: Transaction<unknown>,
  { days, scores }: NewDays,
): Promise<readonly string[]> {
  const month = toMonth(days[0])
  const replaced = days.map(toDayOfMonth)
  const changed = new Set<number>()
  await sql`select catalog.prepare_epss_month(${month})`.execute(tx)
  await sql`
    create temporary table staged_epss_series (
      cve_key bigint not null, is_new boolean not null, scores bytea not null, percentiles bytea not null
    ) on commit drop
  `.execute(tx)
  for await (const rows of readWithCursor<SeriesRow>(tx, joinStored(scores, month, await hasAnyDay(tx, days)))) {
    const staged = rows.flatMap((row) => stageRow(row, replaced, changed))
    await session.copyInto(tx, STAGED, formatCopyChunks(staged))
  }
  await writeStaged(tx, month)
  await sql`drop table staged_epss_series`.execute(tx)
  return days.filter((day) => changed.has(toDayOfMonth(day)))
}

const STAGED = 'staged_epss_series (cve_key, is_new, scores, percentiles)'

async function hasAnyDay(tx: Transaction<unknown>, days: readonly string[]): Promise<boolean> {
  const { rows } = await sql`select from catalog.epss_day where day = any (${days}::date[]) limit 1`.execute(tx)
  return rows.length > 0
}

/**
 * Stored rows without a new score are needed only when a stored day is replaced: their old score may have to be
 * removed.
 */
function joinStored(scores: RawBuilder<unknown>, month: string, isReplacement: boolean): RawBuilder<unknown> {
  return sql`
    select cve_key, added.scores as added, stored.scores, stored.percentiles
      from (${scores}) added
      ${isReplacement ? sql`full` : sql`left`} join (
             select cve_key, scores, percentiles from catalog.epss_series where month = ${sql.lit(month)}
           ) stored using (cve_key)
  `
}

/** Adds the days that differ to `changed`. Returns no row if nothing changed. */
function stageRow(
  { cve_key, added, scores, percentiles }: SeriesRow,
  replaced: readonly number[],
  changed: Set<number>,
): CopyValue[][] {
  const stored = scores && percentiles && { scores, percentiles }
  const before = stored ? decodeMonth(stored) : []
  const days: (DayScore | null)[] = [...before]
  for (const day of replaced) days[day - 1] = null
  for (const [day, score, percentile] of added ?? []) days[day - 1] = { score, percentile }
  const encoded = encodeMonth(Array.from(days, (day) => day ?? null))
  if (stored && isEqual(stored, encoded)) return []
  for (const day of replaced) if (!isSameScore(before[day - 1], days[day - 1])) changed.add(day)
  return [[cve_key, !stored, encoded.scores, encoded.percentiles]]
}

const isSameScore = (one: DayScore | null | undefined, other: DayScore | null | undefined) =>
  one?.score === other?.score && one?.percentile === other?.percentile

const isEqual = (one: EncodedMonth, other: EncodedMonth) =>
  one.scores.equals(other.scores) && one.percentiles.equals(other.percentiles)

/** Does not use an upsert, because an update does not touch the index if the new row fits on the same page. */
async function writeStaged(tx: Transaction<unknown>, month: string): Promise<void> {
  await sql`
    delete from catalog.epss_series series
     using staged_epss_series staged
     where series.month = ${sql.lit(month)}
       and series.cve_key = staged.cve_key
       and staged.scores = ''
  `.execute(tx)
  await sql`
    update catalog.epss_series series
       set scores = staged.scores,
           percentiles = staged.percentiles
      from staged_epss_series staged
     where series.month = ${sql.lit(month)}
       and series.cve_key = staged.cve_key
       and not staged.is_new
  `.execute(tx)
  await sql`
    insert into catalog.epss_series (cve_key, month, scores, percentiles)
    select cve_key, ${month}, scores, percentiles
      from staged_epss_series
     where is_new
       and scores <> ''
     order by cve_key
  `.execute(tx)
}

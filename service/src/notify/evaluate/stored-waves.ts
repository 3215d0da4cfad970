// Waves of our own changes and what watches have in them, as the database keeps them until they become events.
import { sql, type Transaction } from 'kysely'
import type { OwnCause } from '../../domain/watch/find-kinds.ts'
import { parseLogPosition } from './read-log.ts'
import type { Recalculation, RecalculationDetail } from './recalculation.ts'
import type { Wave } from './waves.ts'

export async function readWaves(tx: Transaction<unknown>): Promise<readonly Wave[]> {
  const { rows } = await sql<{ cause: OwnCause; first: string; last: string; lastAt: Date; isOpen: boolean }>`
    select cause, first_seq::text as first, last_seq::text as last, last_at as "lastAt", is_open as "isOpen"
      from notify.recalculation_wave
  `.execute(tx)
  return rows.map(({ first, last, ...wave }) => ({ ...wave, first: BigInt(first), last: BigInt(last) }))
}

export async function writeWaves(tx: Transaction<unknown>, waves: Iterable<Wave>): Promise<void> {
  for (const { cause, first, last, lastAt, isOpen } of waves)
    await sql`
      insert into notify.recalculation_wave (cause, first_seq, last_seq, last_at, is_open)
      values (${cause}, ${String(first)}, ${String(last)}, ${lastAt}, ${isOpen})
          on conflict (cause) do update
         set first_seq = excluded.first_seq, last_seq = excluded.last_seq, last_at = excluded.last_at,
             is_open = excluded.is_open
    `.execute(tx)
}

interface Row {
  readonly watch: string
  readonly account: string
  readonly cause: OwnCause
  readonly wave: string
  readonly detail: RecalculationDetail
}

/** What is counted and no event yet, of the accounts up to an id. */
export async function readRecalculations(
  tx: Transaction<unknown>,
  lastAccount: bigint | undefined,
): Promise<readonly Recalculation[]> {
  const { rows } = await sql<Row>`
    select watch_id::text as watch, account_id::text as account, cause, first_seq::text as wave, detail
      from notify.recalculation
     where (${lastAccount === undefined} or account_id <= ${String(lastAccount ?? 0)})
  `.execute(tx)
  return rows.map((row) => ({ ...row, wave: BigInt(row.wave), last: parseLogPosition(row.detail.to) }))
}

export async function writeRecalculations(
  tx: Transaction<unknown>,
  recalculations: readonly Recalculation[],
): Promise<void> {
  if (recalculations.length === 0) return
  const rows = recalculations.map(({ watch, account, cause, wave, last, detail }) => ({
    watch_id: watch,
    cause,
    account_id: account,
    first_seq: String(wave),
    last_seq: String(last.seq),
    detail,
  }))
  await sql`
    insert into notify.recalculation (watch_id, cause, account_id, first_seq, last_seq, detail)
    select watch_id, cause, account_id, first_seq, last_seq, detail
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           as counted (watch_id bigint, cause text, account_id bigint, first_seq bigint, last_seq bigint, detail jsonb)
     order by watch_id, cause
        on conflict (watch_id, cause) do update
       set first_seq = excluded.first_seq, last_seq = excluded.last_seq, detail = excluded.detail
  `.execute(tx)
}

export async function deleteRecalculations(
  tx: Transaction<unknown>,
  recalculations: readonly Recalculation[],
): Promise<void> {
  if (recalculations.length === 0) return
  await sql`
    delete from notify.recalculation
     where (watch_id, cause) in (
             select watch, cause
               from unnest(${recalculations.map(({ watch }) => watch)}::bigint[],
                           ${recalculations.map(({ cause }) => cause)}::text[]) as told (watch, cause)
           )
  `.execute(tx)
}

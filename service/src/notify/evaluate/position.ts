// The evaluator's position in the change log (notify.evaluator). Its row is the fence: whoever judges holds its lock, and
// the position is committed with the events up to it.
import { type Kysely, sql, type Transaction } from 'kysely'
import type { LogPosition } from './read-log.ts'

export interface StoredPosition {
  /** Undefined before the first judgement. */
  readonly position: LogPosition | undefined
  /** Different after each judgement, whoever judged. */
  readonly mark: string
}

interface Row {
  readonly seq: string | null
  readonly tag: string | null
  readonly mark: string
}

const COLUMNS = sql`seq::text, tag::text, at::text as mark`

/** Returns undefined while another process judges. */
export async function takeFence(tx: Transaction<unknown>): Promise<StoredPosition | undefined> {
  const { rows } = await sql<Row>`select ${COLUMNS} from notify.evaluator for update skip locked`.execute(tx)
  return rows[0] && toStored(rows[0])
}

export async function readPosition(accounts: Kysely<unknown>): Promise<StoredPosition> {
  const { rows } = await sql<Row>`select ${COLUMNS} from notify.evaluator`.execute(accounts)
  const [row] = rows
  if (!row) throw new Error('notify.evaluator has no row')
  return toStored(row)
}

/** Returns the new mark. */
export async function writePosition(tx: Transaction<unknown>, { seq, tag }: LogPosition): Promise<string> {
  const { rows } = await sql<Row>`
    update notify.evaluator set seq = ${String(seq)}, tag = ${String(tag)}, at = clock_timestamp() returning ${COLUMNS}
  `.execute(tx)
  return rows[0]?.mark ?? ''
}

function toStored({ seq, tag, mark }: Row): StoredPosition {
  if (seq === null || tag === null) return { position: undefined, mark }
  return { position: { seq: BigInt(seq), tag: BigInt(tag) }, mark }
}

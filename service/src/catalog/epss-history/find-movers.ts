// Finds the CVEs whose EPSS score moved most within a day, a week and a month, once per release.
import { sql, type Transaction } from 'kysely'
import { formatCopyChunks } from '../../database/copy-line.ts'
import type { Session } from '../../database/session.ts'
import { decodeValues } from '../../domain/epss-series/codec.ts'
import { toDayOfMonth, toMonth } from '../../domain/epss-series/days.ts'
import {
  type EpssDay,
  findMoverWindows,
  MAX_WINDOW_DAYS,
  type MoverWindow,
} from '../../domain/epss-series/mover-windows.ts'
import { readWithCursor } from './read-with-cursor.ts'

/** Maximum number per window and direction. */
const MAX_MOVERS = 5000

/** Replaces the movers with those of the newest day in catalog.epss_day. */
export async function findMovers(session: Session, tx: Transaction<unknown>): Promise<void> {
  const windows = findMoverWindows(await readRecentDays(tx))
  await writeWindows(tx, windows)
  await sql`delete from catalog.epss_mover`.execute(tx)
  const compared = windows.flatMap(toComparison)
  if (compared.length === 0) return
  const lists = compared.map((comparison) => createMoverLists(comparison))
  for await (const rows of readWithCursor<ScoresRow>(tx, selectScores(compared)))
    for (const row of rows) {
      const readScore = decodeRow(row)
      for (const list of lists) list.add(row.cve_key, readScore)
    }
  const values = lists.flatMap((list) => list.finish())
  await session.copyInto(
    tx,
    'catalog.epss_mover (days, cve_key, old_score, new_score, old_day)',
    formatCopyChunks(values),
  )
}

async function readRecentDays(tx: Transaction<unknown>): Promise<readonly EpssDay[]> {
  const { rows } = await sql<EpssDay>`
    select to_char(day, 'YYYY-MM-DD') as day, model_version as model
      from catalog.epss_day
     where day >= (select max(day) from catalog.epss_day) - ${MAX_WINDOW_DAYS}::integer
     order by epss_day.day
  `.execute(tx)
  return rows
}

async function writeWindows(tx: Transaction<unknown>, windows: readonly MoverWindow[]): Promise<void> {
  await sql`delete from catalog.epss_mover_window`.execute(tx)
  for (const { days, from, to, isComparable } of windows)
    await sql`
      insert into catalog.epss_mover_window (days, from_day, to_day, is_comparable)
      values (${days}, ${from}, ${to}, ${isComparable})
    `.execute(tx)
}

interface Comparison {
  readonly days: number
  readonly base: string
  readonly to: string
}

const toComparison = ({ days, base, to }: MoverWindow): Comparison[] => (base === null ? [] : [{ days, base, to }])

/** Encoded scores for the months of the compared days, in columns named by `toColumn`. */
type ScoresRow = Readonly<Record<string, Buffer | null>> & { readonly cve_key: string }

const toColumn = (day: string) => `scores_${day.slice(0, 'YYYY-MM'.length).replace('-', '_')}`

function selectScores(compared: readonly [Comparison, ...Comparison[]] | readonly Comparison[]) {
  const days = compared.flatMap(({ base, to }) => [to, base])
  const months = [...new Map(days.map((day) => [toMonth(day), toColumn(day)]))]
  const columns = months.map(([, column]) => sql`${sql.ref(`${column}.scores`)} as ${sql.ref(column)}`)
  const joins = months.map(
    ([month, column]) => sql`
      left join (select cve_key, scores from catalog.epss_series where month = ${sql.lit(month)}) ${sql.ref(column)}
        on ${sql.ref(`${column}.cve_key`)} = cve.cve_key`,
  )
  return sql`
    select cve.cve_key, ${sql.join(columns)}
      from catalog.cve
           ${sql.join(joins, sql` `)}
  `
}

type MoverValues = [days: number, key: string, oldScore: number, newScore: number, oldDay: string]

/** Position of a day's score in a row. */
interface Place {
  readonly column: string
  readonly index: number
}

const toPlace = (day: string): Place => ({ column: toColumn(day), index: toDayOfMonth(day) - 1 })

type ReadScore = (place: Place) => number | null

/** Decodes each month once, although several windows read it. */
function decodeRow(row: ScoresRow): ReadScore {
  const decoded = new Map<string, readonly (number | null)[]>()
  return ({ column, index }) => {
    const bytes = row[column]
    if (!bytes) return null
    const values = decoded.get(column) ?? decodeValues(bytes)
    decoded.set(column, values)
    return values[index] ?? null
  }
}

function createMoverLists({ days, base, to }: Comparison) {
  const [risen, fallen]: [MoverValues[], MoverValues[]] = [[], []]
  const [first, last] = [toPlace(base), toPlace(to)]
  return {
    add: (key: string, readScore: ReadScore) => {
      const [before, after] = [readScore(first), readScore(last)]
      if (before === null || after === null || before === after) return
      const list = after > before ? risen : fallen
      list.push([days, key, before, after, base])
      // Limits memory use on a day when all scores move.
      if (list.length >= 4 * MAX_MOVERS) keepLargest(list)
    },
    finish: (): readonly MoverValues[] => [...keepLargest(risen), ...keepLargest(fallen)],
  }
}

/** Among equal differences, the largest keys win. */
function keepLargest(list: MoverValues[]): readonly MoverValues[] {
  list.sort((one, other) => difference(other) - difference(one) || (BigInt(one[1]) < BigInt(other[1]) ? 1 : -1))
  list.length = Math.min(list.length, MAX_MOVERS)
  return list
}

const difference = ([, , before, after]: MoverValues) => Math.abs(after - before)

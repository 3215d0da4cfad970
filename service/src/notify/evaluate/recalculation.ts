// Counts the CVEs that entered or left a watch in a wave of our own changes (waves.ts).
import { toCveId } from '../../domain/cve-id.ts'
import { findLevelOfRank, LEVELS, type Level } from '../../domain/priority/policy.ts'
import type { OwnCause } from '../../domain/watch/find-kinds.ts'
import type { JudgedChange } from './judged-change.ts'
import { formatLogPosition, type LogPosition } from './read-log.ts'
import type { Span } from './spans.ts'

const MAX_IDS = 20

export type Direction = 'entered' | 'left'

type Levels = Partial<Record<Level, number>>

/** As callers read it. */
export interface RecalculationDetail {
  readonly cause: OwnCause
  readonly from: string
  readonly to: string
  readonly entered: number
  readonly left: number
  /** Without CVEs that have no level, such as rejected ones. */
  readonly entered_levels: Levels
  readonly left_levels: Levels
  /** The first ones. */
  readonly entered_ids: readonly string[]
  readonly left_ids: readonly string[]
}

/** The CVEs that entered or left a watch by changes of one cause, until they become one event. */
export interface Recalculation {
  readonly watch: string
  readonly account: string
  readonly cause: OwnCause
  /** First number of the wave. */
  readonly wave: bigint
  readonly last: LogPosition
  readonly detail: RecalculationDetail
}

interface Counted {
  total: number
  readonly levels: Map<Level, number>
  /** More than MAX_IDS at times; the first ones count. */
  firsts: { readonly seq: bigint; readonly key: bigint }[]
}

export interface ShiftCounter {
  add(direction: Direction, change: JudgedChange): void
  finish(): Recalculation
}

export function createShiftCounter({ watch, account }: Span, cause: OwnCause, wave: bigint): ShiftCounter {
  const counted: Record<Direction, Counted> = { entered: createCounted(), left: createCounted() }
  let [first, last]: [LogPosition | undefined, LogPosition | undefined] = [undefined, undefined]
  return {
    add: (direction, { row, around }) => {
      const facts = direction === 'entered' ? around.after : around.before
      const level = facts && findLevelOfRank(facts.values.priority)
      const own = counted[direction]
      own.total += 1
      if (level) own.levels.set(level, (own.levels.get(level) ?? 0) + 1)
      own.firsts.push({ seq: row.seq, key: BigInt(around.step.key) })
      if (own.firsts.length >= 10 * MAX_IDS) own.firsts = sortFirsts(own.firsts)
      if (first === undefined || row.seq < first.seq) first = row
      if (last === undefined || row.seq > last.seq) last = row
    },
    finish: () => {
      if (first === undefined || last === undefined) throw new Error('nothing was counted')
      const { entered, left } = counted
      const detail: RecalculationDetail = {
        cause,
        from: formatLogPosition(first),
        to: formatLogPosition(last),
        entered: entered.total,
        left: left.total,
        entered_levels: toLevels(entered.levels),
        left_levels: toLevels(left.levels),
        entered_ids: toIds(entered.firsts),
        left_ids: toIds(left.firsts),
      }
      return { watch, account, cause, wave, last, detail }
    },
  }
}

/** `later` has later changes of the same watch and wave. */
export function addRecalculation(earlier: Recalculation, later: Recalculation): Recalculation {
  const [one, other] = [earlier.detail, later.detail]
  const detail: RecalculationDetail = {
    cause: one.cause,
    from: one.from,
    to: other.to,
    entered: one.entered + other.entered,
    left: one.left + other.left,
    entered_levels: addLevels(one.entered_levels, other.entered_levels),
    left_levels: addLevels(one.left_levels, other.left_levels),
    entered_ids: [...one.entered_ids, ...other.entered_ids].slice(0, MAX_IDS),
    left_ids: [...one.left_ids, ...other.left_ids].slice(0, MAX_IDS),
  }
  return { ...later, detail }
}

const createCounted = (): Counted => ({ total: 0, levels: new Map(), firsts: [] })

/** CVEs are judged in any order; the numbers of their changes are those of the log. */
function sortFirsts(firsts: Counted['firsts']): Counted['firsts'] {
  const compare = (one: bigint, other: bigint) => (one < other ? -1 : Number(one > other))
  return firsts.toSorted((one, other) => compare(one.seq, other.seq) || compare(one.key, other.key)).slice(0, MAX_IDS)
}

const toIds = (firsts: Counted['firsts']) => sortFirsts(firsts).map(({ key }) => toCveId(String(key)))

const toLevels = (levels: ReadonlyMap<Level, number>): Levels =>
  Object.fromEntries(LEVELS.flatMap((level) => (levels.has(level) ? [[level, levels.get(level)]] : [])))

function addLevels(one: Levels, other: Levels): Levels {
  const add = (level: Level) => (one[level] ?? 0) + (other[level] ?? 0)
  return toLevels(new Map(LEVELS.filter((level) => add(level) > 0).map((level) => [level, add(level)])))
}

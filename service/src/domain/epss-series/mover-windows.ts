// The windows of the list of movers: which two days are compared. Scores of two EPSS models are not comparable: on the
// day of a new model, nearly every score moves. A window with a change of the model therefore begins with the new model.
import { addDays } from './days.ts'

/** Lengths of the windows, in days. */
export const MOVER_DAYS = [1, 7, 30] as const

type MoverDays = (typeof MOVER_DAYS)[number]

/**
 * How many days earlier a window may begin if the service has no release of its first day. Without a release in this
 * time, the window has no movers.
 */
const MAX_EXTRA_DAYS = 7

/** The number of days before the newest release on which a window can begin. */
export const MAX_WINDOW_DAYS = Math.max(...MOVER_DAYS) + MAX_EXTRA_DAYS

export interface EpssDay {
  readonly day: string
  readonly model: string | null
}

export interface MoverWindow {
  readonly days: MoverDays
  /** First day of the window: the newest day with a release at least `days` before `to`; null if there is none. */
  readonly from: string | null
  readonly to: string
  /** Day whose scores are compared with those of `to`; null if no day can be compared. */
  readonly base: string | null
  /** False if the EPSS model changed within the window. */
  readonly isComparable: boolean
}

/** Returns the windows that end with the newest of the given days, which are in order. */
export function findMoverWindows(held: readonly EpssDay[]): readonly MoverWindow[] {
  const newest = held.at(-1)
  return newest ? MOVER_DAYS.map((days) => findWindow(held, newest, days)) : []
}

function findWindow(held: readonly EpssDay[], newest: EpssDay, days: MoverDays): MoverWindow {
  const to = newest.day
  const latest = addDays(to, -days)
  const from = held.findLast(({ day }) => day <= latest && day >= addDays(latest, -MAX_EXTRA_DAYS))?.day ?? null
  if (from === null) return { days, from, to, base: null, isComparable: true }
  const inWindow = held.filter(({ day }) => day >= from)
  const lastOther = inWindow.findLastIndex(({ model }) => model !== newest.model)
  const base = inWindow[lastOther + 1]?.day
  return { days, from, to, base: base === undefined || base === to ? null : base, isComparable: lastOther < 0 }
}

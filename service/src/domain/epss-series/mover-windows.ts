// Decides which two days the list of movers compares. When EPSS introduces a new model, nearly every score moves, so a
// window that contains a model change starts with the new model.
import { addDays } from './days.ts'

export const MOVER_DAYS = [1, 7, 30] as const

type MoverDays = (typeof MOVER_DAYS)[number]

/** If its first day has no release, a window may begin up to this many days earlier; otherwise it has no movers. */
const MAX_EXTRA_DAYS = 7

/** A window begins at most this many days before the newest release. */
export const MAX_WINDOW_DAYS = Math.max(...MOVER_DAYS) + MAX_EXTRA_DAYS

export interface EpssDay {
  readonly day: string
  readonly model: string | null
}

export interface MoverWindow {
  readonly days: MoverDays
  /** The newest day with a release that is at least `days` before `to`. */
  readonly from: string | null
  readonly to: string
  /** The day whose scores are compared with those of `to`. */
  readonly base: string | null
  /** False if the EPSS model changed within the window. */
  readonly isComparable: boolean
}

/** Why the scores of the first and the last day cannot be compared, as explained to callers. */
export const NOT_COMPARABLE_REASONS = {
  no_release: 'The service has no EPSS release.',
  no_earlier_release: `The service has no release of the first day of the window or of the ${MAX_EXTRA_DAYS} days before it, so it lists no moves.`,
  model_changed: 'The EPSS model changed within the window, so only moves since the change are listed.',
} as const

export type NotComparableReason = keyof typeof NOT_COMPARABLE_REASONS

/** `held` is sorted by day; every window ends with its newest day. */
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

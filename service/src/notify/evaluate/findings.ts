// Collects what a batch of changes gives: events, and the CVEs that entered or left because of our own changes.
//
// Memory is bounded: if there are too many events, only those of the accounts with the lowest ids are kept, and the other
// accounts are judged in a later transaction.
import type { OwnCause } from '../../domain/watch/find-kinds.ts'
import type { WatchKind } from '../../domain/watch/kinds.ts'
import type { JudgedChange } from './judged-change.ts'
import type { News } from './news.ts'
import { createShiftCounter, type Direction, type Recalculation, type ShiftCounter } from './recalculation.ts'
import type { Span } from './spans.ts'

export interface Match {
  readonly span: Span
  readonly news: News
  readonly kinds: readonly WatchKind[]
  readonly enteredBy: readonly string[]
}

/** Each portion judges its rows again, so it should be nearly full; some room keeps the choice from being made too often. */
const KEPT_SHARE = 0.9

/** A CVE that entered or left a watch because of a change of our own. */
interface Shift {
  readonly span: Span
  readonly change: JudgedChange
  readonly cause: OwnCause
  readonly direction: Direction
}

export interface Findings {
  readonly matches: readonly Match[]
  readonly recalculations: readonly Recalculation[]
  /** Accounts with higher ids were not judged; undefined if all were. */
  readonly lastAccount: bigint | undefined
}

export interface FindingCollector {
  isWanted(span: Span): boolean
  addMatch(match: Match): void
  addShift(shift: Shift): void
  /** Undefined if even one account has too many. */
  finish(): Findings | undefined
}

/** `waveOf` has the wave of each row that is a change of our own. */
export function createCollector(limit: number, waveOf: ReadonlyMap<bigint, bigint>): FindingCollector {
  let matches: Match[] = []
  const shifts = new Map<string, { readonly span: Span; readonly counter: ShiftCounter }>()
  let lastAccount: bigint | undefined
  let isTooLarge = false
  const isWanted = ({ account }: Span) => lastAccount === undefined || BigInt(account) <= lastAccount
  const limitAccounts = () => {
    const found = chooseLastAccount(matches, limit * KEPT_SHARE)
    if (found === undefined) {
      isTooLarge = true
      matches = []
      return
    }
    lastAccount = found
    matches = matches.filter(({ span }) => isWanted(span))
  }
  return {
    isWanted: (span) => !isTooLarge && isWanted(span),
    addMatch: (match) => {
      matches.push(match)
      if (matches.length > limit) limitAccounts()
    },
    addShift: ({ span, change, cause, direction }) => {
      const wave = waveOf.get(change.row.seq)
      if (wave === undefined) throw new Error(`row ${change.row.seq} belongs to no wave`)
      const key = `${span.watch} ${cause} ${wave}`
      const own = shifts.get(key) ?? { span, counter: createShiftCounter(span, cause, wave) }
      shifts.set(key, own)
      own.counter.add(direction, change)
    },
    finish: () => {
      if (isTooLarge) return undefined
      const wanted = [...shifts.values()].filter(({ span }) => isWanted(span))
      return { matches, recalculations: wanted.map(({ counter }) => counter.finish()), lastAccount }
    },
  }
}

/** Returns the account up to which there are at most `limit` findings, or the first one; undefined if there is only one. */
function chooseLastAccount(findings: readonly { readonly span: Span }[], limit: number): bigint | undefined {
  const counts = new Map<bigint, number>()
  for (const { span } of findings) {
    const account = BigInt(span.account)
    counts.set(account, (counts.get(account) ?? 0) + 1)
  }
  if (counts.size < 2) return undefined
  const accounts = [...counts.keys()].toSorted((one, other) => (one < other ? -1 : 1))
  let total = 0
  let [chosen] = accounts
  for (const account of accounts) {
    total += counts.get(account) ?? 0
    if (total > limit) break
    chosen = account
  }
  return chosen
}

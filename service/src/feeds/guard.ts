// The outside world is doubted here, by name. A guard is a sentence about numbers; what it refuses is not stored.

/** What a delivery would do, counted in the transaction that would do it. */
export interface Measure {
  /** Rows that were read, duplicates settled. */
  readonly staged: number
  readonly duplicates: number
  /** Rows that we have, in the slice that the delivery speaks of. */
  readonly existing: number
  /** Staged, and not there yet. */
  readonly fresh: number
  readonly changed: number
  /** There, but not in the snapshot. 0 for a delta. */
  readonly vanished: number
  /** Dated later than now. */
  readonly future: number
  /** Staged rows that carry a score, and how many of those are zero. */
  readonly scored: number
  readonly scoredZero: number
  /** Other content under the same date: taken over. */
  readonly changedSilently?: number
  /** Dated before what we have: left out. */
  readonly older?: number
  /** Read well, and found unusable beside what we have, such as what refers to nothing: no longer staged. */
  readonly unusable?: readonly { readonly rejected: string; readonly reason: string }[]
  /** The mean score of what we have and of what was read, where the two can be compared. */
  readonly drift?: { readonly before: number; readonly after: number }
}

export interface Guard {
  /** As it is said aloud, and as `--allow` takes it. */
  readonly name: string
  /** A complaint with numbers in it, or nothing. */
  complaint(measure: Measure): string | undefined
}

const MAX_REMOVED_SHARE = 0.02
const MAX_FUTURE = 0.02
const MAX_ZERO_SCORES = 0.5
const MIN_ROWS_TO_JUDGE = 50
/** A busy year brings 60,000 CVEs; a whole year in one delivery is a first load, and that has nothing to compare with. */
const MAX_NEW_AT_ONCE = 20_000
const MAX_REJECTED = 0.001
const REJECTIONS_FORGIVEN = 10

const refuseShrunkenSnapshot: Guard = {
  name: 'shrunken-snapshot',
  complaint: ({ vanished, existing }) =>
    vanished > Math.max(1, existing * MAX_REMOVED_SHARE)
      ? `it would drop ${vanished} of the ${existing} records we have`
      : undefined,
}

export const REFUSE_FLOOD = 'flood-of-new-records'

const refuseFlood: Guard = {
  name: REFUSE_FLOOD,
  complaint: ({ fresh, existing }) =>
    existing > 0 && fresh > Math.max(MAX_NEW_AT_ONCE, existing)
      ? `it brings ${fresh} records that nobody has seen, beside the ${existing} we have`
      : undefined,
}

const refuseFuture: Guard = {
  name: 'dates-in-the-future',
  complaint: ({ future, staged }) =>
    staged >= MIN_ROWS_TO_JUDGE && future > staged * MAX_FUTURE
      ? `${future} of its ${staged} records are dated in the future`
      : undefined,
}

const refuseZeroScores: Guard = {
  name: 'scores-of-zero',
  complaint: ({ scored, scoredZero }) =>
    scored >= MIN_ROWS_TO_JUDGE && scoredZero > scored * MAX_ZERO_SCORES
      ? `${scoredZero} of its ${scored} scores are zero`
      : undefined,
}

export const GUARDS_OF_EVERY_FEED: readonly Guard[] = [
  refuseShrunkenSnapshot,
  refuseFlood,
  refuseFuture,
  refuseZeroScores,
]

export const REFUSE_REJECTIONS = 'too-many-rejections'

/**
 * One in a thousand may be poison. A delivery of a few records could then not have a single bad one, so a handful is
 * forgiven, as long as most of the delivery is good.
 */
export function complaintAboutRejections(read: number, rejected: number): string | undefined {
  const isForgiven = rejected <= REJECTIONS_FORGIVEN && rejected * 2 < read
  if (rejected === 0 || isForgiven || rejected <= read * MAX_REJECTED) return undefined
  return `${rejected} of its ${read} records cannot be used`
}

/** The first complaint that the operator did not allow, ready to be shown. */
export function refusal(guards: readonly Guard[], measure: Measure, allowed: ReadonlySet<string>): string | undefined {
  for (const guard of guards) {
    const complaint = allowed.has(guard.name) ? undefined : guard.complaint(measure)
    if (complaint) return inWords(complaint, guard.name)
  }
  return undefined
}

export function inWords(complaint: string, guard: string): string {
  return `refused: ${complaint}. The data we have stays as it is. If upstream is right, run it once with --allow ${guard}.`
}

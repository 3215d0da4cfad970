// Guards: named sanity checks on a delivery. A delivery that fails a guard is not stored, unless the operator allows it
// with `--allow <guard>`.

/** Effects that a delivery would have, counted inside the transaction that would store it. */
export interface DeliveryStats {
  /** Rows in the delivery, without duplicates. */
  readonly staged: number
  readonly duplicates: number
  /** Stored rows within the delivery's slice. */
  readonly existing: number
  /** Rows in the delivery that are not stored yet. */
  readonly added: number
  readonly changed: number
  /** Stored rows that the snapshot does not contain. Always 0 for a delta. */
  readonly missing: number
  /** Rows dated later than now. */
  readonly futureDated: number
  /** Rows with a score. */
  readonly scored: number
  /** Rows whose score is zero. */
  readonly scoredZero: number
  /** Rows with new content and an unchanged modification date. They are stored. */
  readonly changedWithoutNewDate?: number
  /** Rows dated before the stored row. They are not stored. */
  readonly older?: number
  /** Records that parsed but cannot be stored, such as references to unknown records. They are no longer staged. */
  readonly unusable?: readonly { readonly rejected: string; readonly reason: string }[]
  /** Mean score of the stored rows and of the delivery, if both come from the same model. */
  readonly drift?: { readonly before: number; readonly after: number }
}

export interface Guard {
  /** Name of the guard in messages and as the argument of `--allow`. */
  readonly name: string
  /** Returns the reason for rejecting the delivery, with numbers, or undefined if the delivery passes. */
  check(stats: DeliveryStats): string | undefined
}

const MAX_MISSING_SHARE = 0.02
const MAX_FUTURE_SHARE = 0.02
const MAX_ZERO_SCORE_SHARE = 0.5
/** Smaller deliveries are not checked by share. */
const MIN_ROWS_FOR_SHARES = 50
/** A busy year has 60,000 new CVEs, so only a first load adds this many rows in one delivery. */
const MAX_ADDED = 20_000
const MAX_REJECTED_SHARE = 0.001
const MAX_TOLERATED_REJECTIONS = 10

const tooManyRemovals: Guard = {
  name: 'too-many-removals',
  check: ({ missing, existing }) =>
    missing > Math.max(1, existing * MAX_MISSING_SHARE)
      ? `the delivery lacks ${missing} of the ${existing} stored records (at most ${MAX_MISSING_SHARE * 100} % may be missing)`
      : undefined,
}

export const TOO_MANY_NEW_RECORDS = 'too-many-new-records'

const tooManyNewRecords: Guard = {
  name: TOO_MANY_NEW_RECORDS,
  check: ({ added, existing }) =>
    existing > 0 && added > Math.max(MAX_ADDED, existing)
      ? `the delivery has ${added} new records and only ${existing} are stored`
      : undefined,
}

const tooManyFutureDates: Guard = {
  name: 'too-many-future-dates',
  check: ({ futureDated, staged }) =>
    staged >= MIN_ROWS_FOR_SHARES && futureDated > staged * MAX_FUTURE_SHARE
      ? `${futureDated} of the ${staged} records are dated in the future (at most ${MAX_FUTURE_SHARE * 100} % are accepted)`
      : undefined,
}

const tooManyZeroScores: Guard = {
  name: 'too-many-zero-scores',
  check: ({ scored, scoredZero }) =>
    scored >= MIN_ROWS_FOR_SHARES && scoredZero > scored * MAX_ZERO_SCORE_SHARE
      ? `${scoredZero} of the ${scored} scores are zero (at most ${MAX_ZERO_SCORE_SHARE * 100} % are accepted)`
      : undefined,
}

/** Guards that every feed has. A feed may add its own. */
export const COMMON_GUARDS: readonly Guard[] = [
  tooManyRemovals,
  tooManyNewRecords,
  tooManyFutureDates,
  tooManyZeroScores,
]

export const TOO_MANY_REJECTIONS = 'too-many-rejections'

/**
 * Allows one rejected record in a thousand. Up to 10 rejections are allowed in any case while most records are good;
 * otherwise a delivery of a few records could not contain a single bad one.
 */
export function checkRejections(read: number, rejected: number): string | undefined {
  const isTolerated = rejected <= MAX_TOLERATED_REJECTIONS && rejected * 2 < read
  if (rejected === 0 || isTolerated || rejected <= read * MAX_REJECTED_SHARE) return undefined
  return `${rejected} of the ${read} records were rejected`
}

/** Returns the message of the first guard that fails and that the operator did not allow. */
export function findRefusal(
  guards: readonly Guard[],
  stats: DeliveryStats,
  allowed: ReadonlySet<string>,
): string | undefined {
  for (const guard of guards) {
    const reason = allowed.has(guard.name) ? undefined : guard.check(stats)
    if (reason) return formatRefusal(reason, guard.name)
  }
  return undefined
}

export function formatRefusal(reason: string, guard: string): string {
  return `Delivery rejected by guard ${guard}: ${reason}. The stored data is unchanged. If upstream is right, run the feed once with --allow ${guard}.`
}

// Guards: named sanity checks on a delivery. A delivery that fails a guard is not stored, unless the operator allows
// that guard to fail with `--allow <guard>`.

/** Effects that storing a delivery would have, counted inside the transaction that would store it. */
export interface DeliveryStats {
  /** Number of rows in the delivery, without duplicates. */
  readonly staged: number
  readonly duplicates: number
  /** Number of stored rows within the delivery's slice (range of ids). */
  readonly existing: number
  /** Number of rows in the delivery that are not stored yet. */
  readonly added: number
  readonly changed: number
  /** Number of stored rows that the snapshot does not contain. Always 0 for a delta. */
  readonly missing: number
  /** Number of rows in the delivery that are dated later than now. */
  readonly futureDated: number
  /** Number of rows in the delivery that have a score. */
  readonly scored: number
  /** Number of rows in the delivery whose score is zero. */
  readonly scoredZero: number
  /** Number of rows with new content and an unchanged modification date. Such rows are stored. */
  readonly changedWithoutNewDate?: number
  /** Number of rows in the delivery that are dated before the stored row. Such rows are not stored. */
  readonly older?: number
  /**
   * Records that parsed but cannot be stored, such as references to unknown records. They are already removed from the
   * staging table.
   */
  readonly unusable?: readonly { readonly rejected: string; readonly reason: string }[]
  /** Mean score of the stored rows and of the delivery, if both sets of scores come from the same model. */
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
/** Minimum number of rows in a delivery for guards that check a share of the rows. */
const MIN_ROWS_FOR_SHARES = 50
/**
 * Maximum number of new rows in one delivery. A busy year has 60,000 new CVEs, so only a first load adds more rows than
 * this at once.
 */
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

/** Guards (sanity checks) that apply to every feed. A feed may add its own guards. */
export const COMMON_GUARDS: readonly Guard[] = [
  tooManyRemovals,
  tooManyNewRecords,
  tooManyFutureDates,
  tooManyZeroScores,
]

export const TOO_MANY_REJECTIONS = 'too-many-rejections'

/**
 * Allows one rejected record in a thousand. Up to 10 rejections are allowed in any case while most records are valid;
 * otherwise a delivery of a few records could not contain a single invalid one.
 */
export function checkRejections(read: number, rejected: number): string | undefined {
  const isTolerated = rejected <= MAX_TOLERATED_REJECTIONS && rejected * 2 < read
  if (rejected === 0 || isTolerated || rejected <= read * MAX_REJECTED_SHARE) return undefined
  return `${rejected} of the ${read} records were rejected`
}

/** Returns the message of the first failed guard that the operator has not allowed to fail. */
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

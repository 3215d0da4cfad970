// Guards: named sanity checks on a delivery (one file or page of an upstream). A delivery that fails a guard is not
// stored, unless the operator allows that guard to fail with `--allow <guard>`.

/**
 * Numbers of rows that storing a delivery (one file or page) would add, change or remove, and similar counts. They are
 * computed after the delivery is copied into the staging table and before it is stored.
 */
export interface DeliveryStats {
  /** Number of rows in the delivery (one file or page), without duplicates. */
  readonly staged: number
  readonly duplicates: number
  /**
   * Number of stored rows of the feed. If the delivery covers only a slice (range of ids), only rows in the slice
   * count.
   */
  readonly existing: number
  /** Number of rows in the delivery (one file or page) that are not stored yet. */
  readonly added: number
  readonly changed: number
  /**
   * Number of stored rows that a snapshot (a delivery of all records) lacks. Always 0 for a delta (only changed
   * records).
   */
  readonly missing: number
  /** Number of rows in the delivery that are dated later than now. */
  readonly futureDated: number
  /** Number of rows in the delivery that have a score. */
  readonly scored: number
  /** Number of rows in the delivery whose score is zero. */
  readonly scoredZero: number
  /** Number of stored rows that name a CVE and whose new version names none. */
  readonly lostCve?: number
  /**
   * Number of rows whose content differs from the stored row although the modification date is the same. Such rows are
   * stored.
   */
  readonly changedWithoutNewDate?: number
  /**
   * Number of rows in the delivery whose date is before the date of the same row in the database. They are not stored.
   */
  readonly older?: number
  /**
   * Records of the delivery that were parsed but cannot be stored, for example because they refer to an unknown record.
   * They are already removed from the staging table.
   */
  readonly unusable?: readonly { readonly rejected: string; readonly reason: string }[]
  /**
   * Mean score of the stored rows (`before`) and of the rows in the delivery (`after`). Given only if both sets of
   * scores come from the same scoring model.
   */
  readonly drift?: { readonly before: number; readonly after: number }
}

export interface Guard {
  /** Name of the guard (sanity check) in messages and as the argument of `--allow`. */
  readonly name: string
  /**
   * Returns the reason for rejecting the delivery (one file or page), with numbers, or undefined if the delivery
   * passes.
   */
  check(stats: DeliveryStats): string | undefined
}

const MAX_MISSING_SHARE = 0.02
const MAX_FUTURE_SHARE = 0.02
const MAX_ZERO_SCORE_SHARE = 0.5
/**
 * Minimum number of rows in a delivery (one file or page) for guards (sanity checks) that check a share of the rows.
 */
const MIN_ROWS_FOR_SHARES = 50
/**
 * Number of new rows that one delivery (one file or page) may always have. A busy year has 60,000 new CVEs in total, so
 * normally only the first load of a feed has more new rows than this at once.
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

const tooManyLostCves: Guard = {
  name: 'too-many-lost-cves',
  check: ({ lostCve = 0, existing }) =>
    lostCve > Math.max(1, existing * MAX_MISSING_SHARE)
      ? `${lostCve} of the ${existing} stored records no longer name a CVE (at most ${MAX_MISSING_SHARE * 100} % are accepted)`
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
  tooManyLostCves,
  tooManyNewRecords,
  tooManyFutureDates,
  tooManyZeroScores,
]

export const TOO_MANY_REJECTIONS = 'too-many-rejections'

/**
 * Allows one rejected record in a thousand. Small deliveries (files or pages) need another rule, because a single
 * rejected record would exceed that share: up to 10 rejected records are allowed if they are fewer than half.
 */
export function checkRejections(read: number, rejected: number): string | undefined {
  const isTolerated = rejected <= MAX_TOLERATED_REJECTIONS && rejected * 2 < read
  if (rejected === 0 || isTolerated || rejected <= read * MAX_REJECTED_SHARE) return undefined
  return `${rejected} of the ${read} records were rejected`
}

/** Returns the message of the first guard (sanity check) that fails and that the operator has not allowed to fail. */
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

// Guards: named sanity checks on a delivery (one file or page of an upstream). A delivery that fails a guard is not
// stored, unless the operator allows that guard to fail with `--allow <guard>`.

/** Computed after the delivery (one file or page) is copied into the staging table and before it is stored. */
export interface DeliveryStats {
  readonly staged: number
  readonly duplicates: number
  /** Stored rows of the feed, or of the slice (range of ids) that the delivery covers. */
  readonly existing: number
  readonly added: number
  readonly changed: number
  /** Stored rows that a snapshot (all records) lacks; always 0 for a delta (only changes). */
  readonly missing: number
  readonly futureDated: number
  readonly scored: number
  readonly scoredZero: number
  /** Rows whose stored version names a CVE and whose new version does not. */
  readonly lostCve?: number
  /** Rows that changed without a new modification date. They are stored anyway. */
  readonly changedWithoutNewDate?: number
  /** Rows that are older than the stored row. They are not stored. */
  readonly older?: number
  /** Records that cannot be stored, such as references to unknown records; no longer in the staging table. */
  readonly unusable?: readonly { readonly rejected: string; readonly reason: string }[]
  /** Mean scores of the stored and the delivered rows; given only if both come from the same scoring model. */
  readonly drift?: { readonly before: number; readonly after: number }
}

export interface Guard {
  /** Also the argument of `--allow`. */
  readonly name: string
  check(stats: DeliveryStats): string | undefined
}

const MAX_MISSING_SHARE = 0.02
const MAX_FUTURE_SHARE = 0.02
const MAX_ZERO_SCORE_SHARE = 0.5
/** Guards that check a share of the rows ignore smaller deliveries. */
const MIN_ROWS_FOR_SHARES = 50
/** A busy year has 60,000 new CVEs, so normally only a first load adds more rows than this at once. */
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

export const COMMON_GUARDS: readonly Guard[] = [
  tooManyRemovals,
  tooManyLostCves,
  tooManyNewRecords,
  tooManyFutureDates,
  tooManyZeroScores,
]

export const TOO_MANY_REJECTIONS = 'too-many-rejections'

/**
 * Tolerates up to 10 rejected records if they are fewer than half. In a small delivery, a single one would already be
 * more than a thousandth. Of documents that are checked one by one, 10 may be all, and more may be up to a half.
 */
export function checkRejections(read: number, rejected: number, isPerDocument = false): string | undefined {
  if (isPerDocument && (rejected <= MAX_TOLERATED_REJECTIONS || rejected * 2 < read)) return undefined
  const isTolerated = rejected <= MAX_TOLERATED_REJECTIONS && rejected * 2 < read
  if (rejected === 0 || isTolerated || rejected <= read * MAX_REJECTED_SHARE) return undefined
  return `${rejected} of the ${read} records were rejected`
}

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

// Thresholds for a jump of an EPSS score. In 45 weekly releases, 6 to 109 scores a week moved by 0.1 while the model
// stayed the same, and 16,872 in the week in which the model changed.

/** Half of the last decimal, so that binary rounding does not exclude a difference of exactly 0.05. */
export const SCORE_TOLERANCE = 0.000_005

/** Minimum difference between two scores. */
export const MIN_JUMP = 0.05 - SCORE_TOLERANCE
/** Minimum ratio of the larger score to the smaller; applies if the larger is at least MIN_RATIO_SCORE. */
export const MIN_JUMP_RATIO = 3
export const MIN_RATIO_SCORE = 0.01 - SCORE_TOLERANCE

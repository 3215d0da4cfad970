// A jump of an EPSS score. On 45 weekly releases, the scores of 6 to 109 CVEs a week moved by 0.1 under one model, and
// those of 16,872 CVEs in the week in which the model changed.

/** Half of the last decimal, so a difference of exactly 0.05 counts although numbers are binary. */
export const SCORE_TOLERANCE = 0.000_005

/** Minimum difference of two scores. */
export const MIN_JUMP = 0.05 - SCORE_TOLERANCE
/** Ratio of the larger to the smaller score, if the larger is at least MIN_RATIO_SCORE. */
export const MIN_JUMP_RATIO = 3
export const MIN_RATIO_SCORE = 0.01 - SCORE_TOLERANCE

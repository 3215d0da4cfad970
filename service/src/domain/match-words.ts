export const COMPONENT_VERDICTS = [
  'affected',
  'possibly_affected',
  'not_affected',
  'unknown_product',
  'unknown_version',
] as const

export type ComponentVerdict = (typeof COMPONENT_VERDICTS)[number]

export const MATCH_VERDICTS = ['affected', 'possibly_affected'] as const

export type MatchVerdict = (typeof MATCH_VERDICTS)[number]

/** Most certain first. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const

export type Confidence = (typeof CONFIDENCES)[number]

/**
 * `not_in_range`: the source lists other versions. `no_version`: it names none. `unknown`: the versions cannot be
 * ordered.
 */
export const SAYINGS = ['affected', 'unaffected', 'not_in_range', 'no_version', 'unknown'] as const

export type Saying = (typeof SAYINGS)[number]

/** Why matching names no version without an urgent match. */
export const UNCLEAN_REASONS = ['no_urgent_match', 'none_known', 'too_many', 'unordered'] as const

export type UncleanReason = (typeof UNCLEAN_REASONS)[number]

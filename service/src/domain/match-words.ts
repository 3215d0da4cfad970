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
 * `partly`: it may not reach this version (judge/reach.ts). `not_in_range`: the source lists other versions. `no_version`: it names none. `unknown`: the versions cannot be
 * ordered.
 */
export const SAYINGS = ['affected', 'partly', 'unaffected', 'not_in_range', 'no_version', 'unknown'] as const

export type Saying = (typeof SAYINGS)[number]

/**
 * What a distribution does about a CVE in its package, in the words of Debian (`no_dsa`: no advisory, `postponed`,
 * `ignored`) and Red Hat.
 */
export const DISTRIBUTION_STATES = [
  'under_investigation',
  'fix_pending',
  'fix_deferred',
  'no_dsa',
  'postponed',
  'ignored',
  'will_not_fix',
  'out_of_support',
] as const

export type DistributionState = (typeof DISTRIBUTION_STATES)[number]

/** Why matching names no version without an urgent match. */
export const UNCLEAN_REASONS = ['no_urgent_match', 'none_known', 'too_many', 'unordered'] as const

export type UncleanReason = (typeof UNCLEAN_REASONS)[number]

/** In order of precedence: the first verdict that holds is the component's (decision E29). */
export const VERDICT_MEANINGS = {
  affected: 'At least one match is sure.',
  possibly_affected:
    'Hits are uncertain, conditional or too weak to be listed, statements name versions whose order to this one is not known, or there are statements and the component has no version.',
  not_covered: 'No complete and current database judges the component; coverage_gap has the reason.',
  not_affected: 'Such databases name it, and every statement excludes its version, or every hit is suppressed.',
  no_known_advisory: 'Such databases do not name the package.',
} as const satisfies Record<string, string>

export type ComponentVerdict = keyof typeof VERDICT_MEANINGS

export const COMPONENT_VERDICTS = Object.keys(VERDICT_MEANINGS) as readonly ComponentVerdict[]

/** Why silence about a component proves nothing; the first gap that holds is the component's (decision E29). */
export const COVERAGE_GAPS = {
  no_source: 'The service has no source for this type of package or this distribution.',
  unknown_release:
    'The component states no release of its distribution, or one that the sources do not assess. For a package of a distribution, send the qualifier distro.',
  no_data: 'A source that judges the component has not been loaded.',
  guessed_name: 'The component has neither a purl nor a cpe, so sources may know it under another name.',
  unknown_product: 'No source that judges products names this one; sources may know it under another name.',
  unknown_source_package:
    'The sources name source packages, and the component does not state the one from which it was built.',
  incomplete: 'A source that judges the component does not hold all records that its publisher lists.',
  stale: 'The data of a source that judges the component is older than its maximum age.',
} as const satisfies Record<string, string>

export type CoverageGap = keyof typeof COVERAGE_GAPS

export const COVERAGE_GAP_WORDS = Object.keys(COVERAGE_GAPS) as readonly CoverageGap[]

export const MATCH_VERDICTS = ['affected', 'possibly_affected'] as const

export type MatchVerdict = (typeof MATCH_VERDICTS)[number]

/** Most certain first. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const

export type Confidence = (typeof CONFIDENCES)[number]

/**
 * `partly`: it may not reach this version (judge/reach.ts). `not_in_range`: the source lists other versions.
 * `no_version`: it names none. `unknown`: the versions cannot be ordered.
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

/** How the sources name a version to which the service suggests to upgrade. */
export const SEEN_IN = ['fixed_version', 'range_end'] as const
export type SeenIn = (typeof SEEN_IN)[number]
export const SEEN_IN_TEXT =
  'fixed_version: a source names it as fixed, such as the advisory of a package. range_end: sources only say that an affected range ends before it, so it may never have been released.'

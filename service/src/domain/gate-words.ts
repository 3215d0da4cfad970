// The vocabulary of gates (decision E30).

/** In order of precedence: the first result that applies is the gate's result. */
export const GATE_RESULTS = ['failed', 'incomplete', 'passed'] as const

export type GateResult = (typeof GATE_RESULTS)[number]

/** Why a gate failed or is incomplete. */
export const GATE_REASONS = {
  affected: { result: 'failed', meaning: 'A CVE of the level of fail_on or a more urgent one affects the component.' },
  possibly: {
    result: 'incomplete',
    meaning:
      'A CVE of the level of fail_on or a more urgent one possibly affects the component, or affects it with less confidence than confidence_min.',
  },
  unrated: {
    result: 'incomplete',
    meaning:
      'A hit is unrated, because nothing is known about the CVE or advisory, or has no level, because the CVE was rejected.',
  },
  uncovered: {
    result: 'incomplete',
    meaning: 'No complete database judges the component, so other CVEs may affect it; its coverage_gap has the reason.',
  },
  unknown_version: { result: 'incomplete', meaning: 'The component has no version, and sources name its product.' },
  unordered: {
    result: 'incomplete',
    meaning: 'Sources name versions whose order to the version of the component is not known.',
  },
  stale: {
    result: 'incomplete',
    meaning:
      'The data that decided about the component, or about the levels of its hits, is older than its maximum age.',
  },
  skipped: { result: 'incomplete', meaning: 'The entry of the document could not be read.' },
  empty: { result: 'incomplete', meaning: 'The document has no component that could be compared.' },
} as const satisfies Record<string, { result: Exclude<GateResult, 'passed'>; meaning: string }>

export type GateReason = keyof typeof GATE_REASONS

/** Reasons that a caller can choose to accept. The age of data has its own option, max_data_age. */
export const ALLOWABLE_REASONS = [
  'possibly',
  'unrated',
  'uncovered',
  'unknown_version',
  'unordered',
  'skipped',
  'empty',
] as const satisfies readonly GateReason[]

export type AllowableReason = (typeof ALLOWABLE_REASONS)[number]

/** Types of entries that never make a gate incomplete. */
export const NATURES = {
  root: 'The software that the document describes.',
  file: 'A file, data, or a lock file: it has neither a purl nor a cpe.',
  operating_system: 'The operating system whose packages the document lists.',
  own: 'An entry that a pattern of own names. A CVE that affects it still fails the gate.',
} as const

export type Nature = keyof typeof NATURES

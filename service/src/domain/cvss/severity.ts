// Severity levels (decision C6) for the `severity` filter and for responses.

/** Highest first. A score of 0.0 is in no band. Scores have one decimal, so none lies between two bands. */
export const SEVERITY_BANDS = [
  { name: 'critical', min: 9.0, max: 10.0 },
  { name: 'high', min: 7.0, max: 8.9 },
  { name: 'medium', min: 4.0, max: 6.9 },
  { name: 'low', min: 0.1, max: 3.9 },
] as const

type SeverityBand = (typeof SEVERITY_BANDS)[number]['name']

export type BaseSeverity = Uppercase<SeverityBand> | 'NONE'

const WORDS = {
  critical: 'CRITICAL',
  high: 'HIGH',
  medium: 'MEDIUM',
  low: 'LOW',
} as const satisfies Record<SeverityBand, BaseSeverity>

/** Rates scores of CVSS 3.0 and later. */
export function baseSeverity(score: number): BaseSeverity {
  const band = SEVERITY_BANDS.find(({ min }) => score >= min)
  return band === undefined ? 'NONE' : WORDS[band.name]
}

export const V2_SEVERITIES = ['HIGH', 'MEDIUM', 'LOW'] as const

/** Uses NVD's levels: CVSS 2.0 has neither CRITICAL nor NONE (decision E2). */
export function baseSeverityV2(score: number): (typeof V2_SEVERITIES)[number] {
  if (score >= 7) return 'HIGH'
  return score >= 4 ? 'MEDIUM' : 'LOW'
}

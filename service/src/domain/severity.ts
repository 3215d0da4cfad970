// The levels of a base score (decision C6), as data: what the filter selects by and what the output calls it are one table.

/** From the highest; a score of 0.0 is in none of them. Scores have one decimal, so the bounds leave no gap. */
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

/** CVSS 2.0 has no such word of its own: its scores go by the same bands. */
export function baseSeverity(score: number): BaseSeverity {
  const band = SEVERITY_BANDS.find(({ min }) => score >= min)
  return band === undefined ? 'NONE' : WORDS[band.name]
}

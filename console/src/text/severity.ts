// Severity levels of CVSS, as the API defines them: critical from 9.0, high from 7.0, medium from 4.0, low above 0.0.
import type { Severity } from 'vis-sdk'

export type SeverityLevel = Severity | 'none' | 'unknown'

const LEVELS = [
  ['critical', 9],
  ['high', 7],
  ['medium', 4],
  ['low', 0.1],
] as const

/** Returns the level of a base score: `none` for 0.0 and `unknown` if there is no score. */
export function toSeverityLevel(score: number | null | undefined): SeverityLevel {
  if (score === null || score === undefined) return 'unknown'
  return LEVELS.find(([, min]) => score >= min)?.[0] ?? 'none'
}

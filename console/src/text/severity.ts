// CVSS severity levels: critical from 9.0, high from 7.0, medium from 4.0, low above 0.0. CVSS 2.0 has different
// levels.
import type { Severity } from 'vis-sdk'

export type SeverityLevel = Severity | 'none' | 'unknown'

const LEVELS = [
  ['critical', 9],
  ['high', 7],
  ['medium', 4],
  ['low', 0.1],
] as const

/** CVSS 2.0 has no critical severity, and even its lowest scores are low. */
const LEVELS_OF_VERSION_2 = [
  ['high', 7],
  ['medium', 4],
  ['low', 0],
] as const

/** Returns the level of a base score in the terms of its CVSS version, or `unknown` if there is no score. */
export function toSeverityLevel(score: number | null | undefined, version = '3.1'): SeverityLevel {
  if (score === null || score === undefined) return 'unknown'
  const levels = version === '2.0' ? LEVELS_OF_VERSION_2 : LEVELS
  return levels.find(([, min]) => score >= min)?.[0] ?? 'none'
}

/** Returns the CVSS version of a CVE's score. A CVE has `cvss.v2_0` only if its score is a CVSS 2.0 score. */
export function findScoreVersion(cvss: { readonly v2_0?: unknown } | undefined): string | undefined {
  return cvss?.v2_0 ? '2.0' : undefined
}

// Conditions of `visctl gate`, and whether a CVE meets them.
import type { ListedCve, Severity } from 'vis-sdk'

/** Fields of a CVE that `visctl gate` needs to compare and to print it. */
export const GATE_FIELDS = ['cve_id', 'description', 'severity', 'cvss', 'kev', 'epss'] as const

export type GateCve = ListedCve<(typeof GATE_FIELDS)[number]>

/** A CVE meets the conditions if it meets at least one. */
export interface Conditions {
  readonly kev: boolean
  /** Minimum EPSS score. */
  readonly epssMin: number | undefined
  /** Lowest severity that meets the condition: `high` means high and critical. */
  readonly severity: Severity | undefined
}

/** Lowest base score of each severity. */
export const MIN_SCORES: Readonly<Record<Severity, number>> = { critical: 9, high: 7, medium: 4, low: 0.1 }

export type ConditionName = 'kev' | 'epss_min' | 'severity'
export type MissingValue = 'epss' | 'severity'

export interface Comparison {
  readonly met: readonly ConditionName[]
  /** Values that a condition needs and the CVE does not have. A CVE does not meet a condition without its value. */
  readonly missing: readonly MissingValue[]
}

export function compareCve(cve: GateCve, { kev, epssMin, severity }: Conditions): Comparison {
  const [epssScore, baseScore] = [cve.epss?.score, cve.severity]
  const met: ConditionName[] = []
  const missing: MissingValue[] = []
  if (kev && cve.kev) met.push('kev')
  if (epssMin !== undefined) {
    if (epssScore === undefined) missing.push('epss')
    else if (epssScore >= epssMin) met.push('epss_min')
  }
  if (severity !== undefined) {
    if (baseScore === null) missing.push('severity')
    else if (baseScore >= MIN_SCORES[severity]) met.push('severity')
  }
  return { met, missing }
}

/** Lists the conditions as they were given: `--kev`, `--epss-min 0.5`. */
export function describeConditions({ kev, epssMin, severity }: Conditions): Readonly<Record<ConditionName, string>> {
  return {
    kev: kev ? '--kev' : '',
    epss_min: epssMin === undefined ? '' : `--epss-min ${epssMin}`,
    severity: severity === undefined ? '' : `--severity ${severity}`,
  }
}

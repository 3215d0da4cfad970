// The conditions of `visctl gate`, and the check whether a CVE meets them.
import type { Level, ListedCve, SearchFilters, Severity } from 'vis-sdk'

/** CVE fields that `visctl gate` needs for its check and its output. */
const GATE_FIELDS = ['cve_id', 'description', 'status', 'severity', 'cvss', 'kev', 'epss'] as const

export type GateCve = ListedCve<(typeof GATE_FIELDS)[number] | 'priority'>

/** Returns the members to request. The priority is requested only if a condition needs it. */
export function selectMembers({ priority }: Conditions, include: SearchFilters['include'] = []) {
  return priority === undefined
    ? { fields: GATE_FIELDS, include }
    : { fields: [...GATE_FIELDS, 'priority'] as const, include: [...include, 'priority'] as const }
}

/** A CVE meets the conditions if it meets at least one. */
export interface Conditions {
  readonly kev: boolean
  /** Minimum EPSS score. */
  readonly epssMin: number | undefined
  /** Lowest severity that meets the condition: `high` means high and critical. */
  readonly severity: Severity | undefined
  /** Least urgent level that meets the condition: `P1` means P0 and P1. */
  readonly priority: Level | undefined
}

/** Lowest base score of each severity. */
export const MIN_SCORES: Readonly<Record<Severity, number>> = { critical: 9, high: 7, medium: 4, low: 0.1 }

export type ConditionName = 'kev' | 'epss_min' | 'severity' | 'priority'
export type MissingValue = 'epss' | 'severity' | 'priority'

export interface Comparison {
  readonly met: readonly ConditionName[]
  /**
   * Values that a condition needs but the CVE lacks, so that the condition cannot be decided. A rejected CVE is not a
   * vulnerability and needs no values.
   */
  readonly missing: readonly MissingValue[]
}

export function compareCve(cve: GateCve, { kev, epssMin, severity, priority }: Conditions): Comparison {
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
  if (priority !== undefined) {
    const level = cve.priority?.level ?? undefined
    if (level === undefined || level === 'unrated') missing.push('priority')
    // The levels are P0 to P4, so their alphabetical order is their order of urgency.
    else if (level <= priority) met.push('priority')
  }
  return { met, missing: cve.status === REJECTED ? [] : missing }
}

const REJECTED = 'Rejected'

/** Data sets that decide whether a CVE meets a condition. */
const DATA_SETS: Readonly<Record<ConditionName, readonly string[]>> = {
  kev: ['kev'],
  epss_min: ['epss'],
  severity: ['nvd', 'cve'],
  priority: ['nvd', 'cve', 'kev', 'epss'],
}

export function listDataSets(conditions: Conditions): readonly string[] {
  const given = Object.entries(describeConditions(conditions)).filter(([, text]) => text !== '')
  // The cast is safe: describeConditions returns a member for each condition.
  return [...new Set(given.flatMap(([name]) => DATA_SETS[name as ConditionName]))]
}

/** Lists the conditions as they were given: `--kev`, `--epss-min 0.5`. */
export function describeConditions(conditions: Conditions): Readonly<Record<ConditionName, string>> {
  const { kev, epssMin, severity, priority } = conditions
  return {
    kev: kev ? '--kev' : '',
    epss_min: epssMin === undefined ? '' : `--epss-min ${epssMin}`,
    severity: severity === undefined ? '' : `--severity ${severity}`,
    priority: priority === undefined ? '' : `--priority ${priority}`,
  }
}

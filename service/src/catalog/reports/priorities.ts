// Measures the priority policy on the published catalog: CVEs per level, the comparison with simpler rules, the
// agreement between derived SSVC values and CISA's, and the deadlines. docs/priority-policy.md contains the results.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { type CveId, type CveKey, toCveId } from '../../domain/cve-id.ts'
import { type Deadline, DIRECTIVE_DAY, findDeadline } from '../../domain/priority/deadline.ts'
import { type HeldSince, HOLDS_NONE, toHeldThreshold } from '../../domain/priority/epss-rule.ts'
import { CISA_ADP, type DecisionFacts, readFacts } from '../../domain/priority/facts.ts'
import { findLevelOf, LEVELS, type Level, listRanks } from '../../domain/priority/policy.ts'
import { deriveAutomatable, deriveTechnicalImpact } from '../../domain/priority/ssvc.ts'
import { parseVectorCached } from '../sources/fields/parse-vector.ts'

/** A published CVE with everything that its priority depends on. */
export interface PrioritizedCve {
  readonly cveId: CveId
  readonly facts: DecisionFacts
  readonly epss: number | null
  /** The EPSS thresholds that the CVE holds. */
  readonly held: HeldSince
  /** Rank from the search column; null for a rejected CVE. */
  readonly rank: number | null
  /** CVSS vector of the score. */
  readonly vector: string | null
}

export interface PriorityReport {
  readonly cves: number
  readonly rejected: number
  /**
   * Number of CVEs whose stored rank belongs to a different level than the one their facts and EPSS score lead to.
   * Should be 0.
   */
  readonly staleRanks: number
  readonly levels: readonly LevelCount[]
  readonly comparison: Comparison
  readonly agreement: { readonly automatable: Agreement; readonly technicalImpact: Agreement }
  readonly deadlines: DeadlineReport
}

interface LevelCount {
  readonly level: Level
  readonly cves: number
  readonly inKev: number
  readonly scoredCritical: number
}

/** How many of the CVEs with a CVSS vector each rule flags, and how many of those are in CISA's KEV catalog. */
interface Comparison {
  readonly cves: number
  readonly inKev: number
  readonly rules: readonly { readonly name: string; readonly flagged: number; readonly inKev: number }[]
}

/** How often derived values agree with CISA's. */
interface Agreement {
  readonly compared: number
  readonly agreed: number
}

interface DeadlineReport {
  /** Number of CVEs whose deadline is computed from CISA's own values. */
  readonly cisa: number
  readonly incomplete: number
  readonly kevCisa: number
  readonly kevIncomplete: number
  /** KEV entries added since the directive. */
  readonly sinceDirective: readonly KevDeadline[]
}

interface KevDeadline {
  readonly cveId: CveId
  readonly kev: NonNullable<DecisionFacts['kev']>
  readonly automatable: string | null
  readonly technicalImpact: string | null
  readonly deadline: Deadline
}

interface Rule {
  readonly name: string
  readonly flags: (cve: PrioritizedCve) => boolean
}

/**
 * The rules that are compared. Ours must not see what it is measured against: `findBlindLevel` hides KEV and reports of
 * exploitation.
 */
const RULES: readonly Rule[] = [
  { name: 'CVSS ≥ 7', flags: ({ facts }) => (facts.score?.value ?? 0) >= 7 },
  { name: 'CVSS ≥ 9', flags: ({ facts }) => (facts.score?.value ?? 0) >= 9 },
  { name: 'EPSS ≥ 0.1', flags: ({ epss }) => (epss ?? 0) >= 0.1 },
  { name: 'P1 and P2 of this policy, without knowledge of exploitation', flags: (cve) => isBlindly(cve, ['P1', 'P2']) },
  { name: 'P1 of this policy, without knowledge of exploitation', flags: (cve) => isBlindly(cve, ['P1']) },
]

function isBlindly({ facts, epss, held }: PrioritizedCve, levels: readonly Level[]): boolean {
  const level = findBlindLevel(facts, toHeldThreshold(epss, held))
  return level !== null && levels.includes(level)
}

/**
 * Finds the level that a CVE would have if its exploitation had not been reported. Such a report also sets
 * `exploit_flag`, so `hasPublicExploit` is derived from `exploit` alone.
 */
function findBlindLevel(facts: DecisionFacts, epss: number | null): Level | null {
  return findLevelOf(
    { ...facts, kev: null, euKev: null, activeReports: [], hasPublicExploit: facts.exploit !== null },
    epss,
  )
}

/** Builds the report one CVE at a time, so that the catalog does not have to fit into memory. */
export function createPriorityReport() {
  const counts = { cves: 0, rejected: 0, staleRanks: 0 }
  const levels = LEVELS.map((level) => ({ level, cves: 0, inKev: 0, scoredCritical: 0 }))
  const comparison = { cves: 0, inKev: 0, rules: RULES.map(({ name }) => ({ name, flagged: 0, inKev: 0 })) }
  const agreement = { automatable: { compared: 0, agreed: 0 }, technicalImpact: { compared: 0, agreed: 0 } }
  const deadlines = { cisa: 0, incomplete: 0, kevCisa: 0, kevIncomplete: 0, sinceDirective: [] as KevDeadline[] }
  return {
    add(cve: PrioritizedCve): void {
      counts.cves += 1
      if (cve.facts.isRejected) {
        counts.rejected += 1
        return
      }
      if (!countLevel(levels, cve)) counts.staleRanks += 1
      compareRules(comparison, cve)
      compareDerivedValues(agreement, cve)
      countDeadline(deadlines, cve)
    },
    build: (): PriorityReport => ({ ...counts, levels, comparison, agreement, deadlines }),
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Counts the CVE in its level. Returns whether the stored rank belongs to the same level. */
function countLevel(levels: readonly Mutable<LevelCount>[], { facts, epss, held, rank }: PrioritizedCve): boolean {
  const level = findLevelOf(facts, toHeldThreshold(epss, held))
  const count = levels.find((each) => each.level === level)
  if (count === undefined) return false
  count.cves += 1
  if (facts.kev) count.inKev += 1
  if ((facts.score?.value ?? 0) >= 9) count.scoredCritical += 1
  const { min, max } = listRanks(count.level)
  return rank !== null && rank >= min && rank <= max
}

interface RuleCount {
  flagged: number
  inKev: number
}

function compareRules(
  comparison: { cves: number; inKev: number; readonly rules: readonly RuleCount[] },
  cve: PrioritizedCve,
): void {
  if (cve.facts.score === null) return
  const inKev = cve.facts.kev === null ? 0 : 1
  comparison.cves += 1
  comparison.inKev += inKev
  for (const [index, count] of comparison.rules.entries()) {
    if (!RULES[index]?.flags(cve)) continue
    count.flagged += 1
    count.inKev += inKev
  }
}

function compareDerivedValues(
  agreement: Readonly<Record<'automatable' | 'technicalImpact', Mutable<Agreement>>>,
  { facts: { automatable, technicalImpact }, vector: text }: PrioritizedCve,
): void {
  const vector = text === null ? undefined : parseVectorCached(text)
  if (vector === undefined) return
  if (automatable?.source === CISA_ADP)
    countAgreement(agreement.automatable, automatable.value === deriveAutomatable(vector))
  if (technicalImpact?.source === CISA_ADP)
    countAgreement(agreement.technicalImpact, technicalImpact.value === deriveTechnicalImpact(vector))
}

function countDeadline(
  deadlines: Mutable<Omit<DeadlineReport, 'sinceDirective'>> & { readonly sinceDirective: KevDeadline[] },
  { cveId, facts }: PrioritizedCve,
): void {
  const deadline = findDeadline(facts)
  deadlines[deadline.inputs] += 1
  const { kev, automatable, technicalImpact } = facts
  if (kev === null) return
  deadlines[deadline.inputs === 'cisa' ? 'kevCisa' : 'kevIncomplete'] += 1
  if (kev.since < DIRECTIVE_DAY) return
  const values = { automatable: automatable?.value ?? null, technicalImpact: technicalImpact?.value ?? null }
  deadlines.sinceDirective.push({ cveId, kev, ...values, deadline })
}

function countAgreement(agreement: Mutable<Agreement>, isEqual: boolean): void {
  agreement.compared += 1
  if (isEqual) agreement.agreed += 1
}

interface Row {
  readonly key: CveKey
  readonly facts: string
  readonly epss: number | null
  readonly held: HeldSince | null
  readonly rank: number | null
  readonly vector: string | null
}

/** Number of CVEs per statement. One batch of rows is in memory at a time. */
const BATCH_SIZE = 5000

export async function measurePriorities(db: Database, onProgress: (done: number) => void): Promise<PriorityReport> {
  const report = createPriorityReport()
  let [last, done] = ['0', 0]
  for (;;) {
    const rows = await readBatch(db, last)
    for (const { key, facts, held, ...cve } of rows)
      report.add({ cveId: toCveId(key), facts: readFacts(facts), held: held ?? HOLDS_NONE, ...cve })
    const end = rows.at(-1)
    if (end === undefined) return report.build()
    last = end.key
    done += rows.length
    onProgress(done)
  }
}

async function readBatch(db: Database, after: string): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select cve.cve_key::text as key,
           document.decision_facts as facts,
           epss.score as epss,
           epss.held_since::text[] as held,
           cve.priority as rank,
           document.enrichment::json ->> 'cvss_vector' as vector
      from catalog.cve
      join catalog.cve_document document
        on document.cve_key = cve.cve_key
      left join catalog.epss
        on epss.cve_key = cve.cve_key
     where cve.cve_key > ${after}::bigint
     order by cve.cve_key
     limit ${BATCH_SIZE}
  `.execute(db)
  return rows
}

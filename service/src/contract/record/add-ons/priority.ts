// The add-on `priority`: how urgent a CVE is, and why. Its column holds the facts without EPSS, which changes daily.
// The object is computed when the response is built, so its level reflects the newest EPSS score.
import type { PriorityContext } from '../../../domain/priority/context.ts'
import { HOLDS_NONE } from '../../../domain/priority/epss-rule.ts'
import { readFacts } from '../../../domain/priority/facts.ts'
import { POLICY_VERSION } from '../../../domain/priority/policy.ts'
import { type Prioritized, prioritize } from '../../../domain/priority/priority.ts'
import { type EpssFact, REASONS_VERSION } from '../../../domain/priority/reasons.ts'
import { defineAddOn, type MemberRow } from '../cve-member.ts'
import { prioritySchema } from '../priority.ts'

/** The column of catalog.cve_document that holds the facts. */
type FactsColumn = 'decision_facts'

export const priority = defineAddOn({
  name: 'priority',
  schema: prioritySchema,
  columns: ['decision_facts'],
  version: `${POLICY_VERSION}.${REASONS_VERSION}`,
  render: (row) => JSON.stringify(prioritizeRow(row).priority),
})

/** Computes the priority from a database row. */
export function prioritizeRow(row: MemberRow<FactsColumn>, context?: PriorityContext): Prioritized {
  const facts = readFacts(row.decision_facts ?? '{}')
  return prioritize(facts, readEpss(row), context)
}

function readEpss(row: MemberRow<FactsColumn>): EpssFact | null {
  const { epss_score: score, epss_day: day, epss_held: held, epss_model: model } = row
  if (day === null) return null
  const { epss_thresholds: thresholds, epss_known_from: knownFrom } = row
  return { score, day, held: held ?? HOLDS_NONE, model, thresholds: thresholds ?? [], knownFrom: knownFrom ?? day }
}

// Builds the `priority` member of a CVE. It depends only on the arguments, so equal facts give equal bytes.
import { DEFAULT_CONTEXT, moveLevel, type PriorityContext } from './context.ts'
import {
  type Deadline,
  type DeadlineEstimate,
  EXPOSURES,
  estimateDeadline,
  findDeadline,
  type KnownExposure,
} from './deadline.ts'
import { findThresholds, REFERENCE_THRESHOLDS, toHeldThreshold } from './epss-rule.ts'
import type { Automatable, DecisionFacts, Exploitation, TechnicalImpact } from './facts.ts'
import {
  type AppliedRule,
  findRule,
  type Level,
  POLICY_VERSION,
  rankInputs,
  toPolicyInputs,
  UNRATED,
} from './policy.ts'
import { type EpssFact, findRuleHold, listReasons, REJECTED_REASON } from './reasons.ts'
import { decide, findExploitation, type Mission, SSVC_TREE, type SsvcDecision, toSsvcValues } from './ssvc.ts'

interface Priority {
  /** Null for a rejected CVE. */
  readonly level: Level | null
  readonly policy_version: string
  readonly ssvc: SsvcResult | null
  readonly deadline: Deadline | null
  /** Present only if the deadline's inputs are incomplete and every value is known or derived. */
  readonly estimate?: DeadlineEstimate
  readonly reasons: readonly string[]
  /** Present only if the level depends on an EPSS threshold. */
  readonly level_by_epss?: EpssHold
  /** What would rate the CVE; present only for an unrated CVE. */
  readonly awaiting?: readonly Awaited[]
  /**
   * Present only if the level depends on EPSS, or is unrated: the day on which the CVE got the threshold, or was
   * published.
   */
  readonly since?: string | null
}

export const AWAITED = ['cvss', 'epss', 'ssvc'] as const

type Awaited = (typeof AWAITED)[number]

export const THRESHOLD_ORIGINS = ['policy', 'shares', 'reference'] as const

interface EpssHold {
  readonly model: string | null
  readonly threshold: number
  /** The level lasts until the score is below this value. */
  readonly kept_from: number
  /** Where the thresholds are from: the policy has them for the model, or the shares or values of the reference model. */
  readonly thresholds_by: (typeof THRESHOLD_ORIGINS)[number]
  /** The first day whose scores are known. */
  readonly known_from: string
}

interface SsvcResult {
  readonly decision: SsvcDecision
  readonly tree: typeof SSVC_TREE
  readonly mission: Mission
  readonly exploitation: Exploitation
  /** Null if no source gives the value; it then counts as yes for an exploited CVE and as no for others. */
  readonly automatable: Automatable | null
  /** Null if no source gives the value; it then counts as total for an exploited CVE and as partial for others. */
  readonly technical_impact: TechnicalImpact | null
  readonly value_sources: {
    readonly exploitation: string
    readonly automatable: string | null
    readonly technical_impact: string | null
  }
}

export interface Prioritized {
  readonly priority: Priority
  /** Rank with the caller's context, from 0 to MAX_RANK; null for a rejected CVE. */
  readonly rank: number | null
}

export function prioritize(
  facts: DecisionFacts,
  epss: EpssFact | null,
  context: PriorityContext = DEFAULT_CONTEXT,
): Prioritized {
  if (facts.isRejected) return { priority: REJECTED, rank: null }
  const inputs = toPolicyInputs(facts, epss && toHeldThreshold(epss.score, epss.held))
  const rule = findRule(inputs)
  const { level, reason } = moveLevel(rule.level, inputs, context.exposure)
  const exposures = listExposures(context)
  const estimate = estimateDeadline(facts, exposures)
  const priority = {
    level,
    policy_version: POLICY_VERSION,
    ssvc: renderSsvc(facts, context.mission),
    deadline: findDeadline(facts, exposures),
    ...(estimate && { estimate }),
    reasons: listReasons({ facts, epss, rule, moved: reason, mission: context.mission }),
    ...(level === rule.level && explainLevel(facts, rule, epss)),
  }
  return { priority, rank: rankInputs(inputs, level) }
}

/** A level that the caller's context moved is not explained by the rule. */
function explainLevel(
  facts: DecisionFacts,
  rule: AppliedRule,
  epss: EpssFact | null,
): Pick<Priority, 'level_by_epss' | 'awaiting' | 'since'> {
  if (rule.level === UNRATED) return { awaiting: AWAITED, since: facts.publishedOn }
  const hold = findRuleHold(rule, epss)
  if (hold === null || epss === null) return {}
  const { model, knownFrom } = epss
  return {
    level_by_epss: {
      model,
      threshold: hold.threshold,
      kept_from: hold.keptFrom,
      thresholds_by: findOrigin(epss),
      known_from: knownFrom,
    },
    since: hold.since,
  }
}

function findOrigin({ model, thresholds }: EpssFact): EpssHold['thresholds_by'] {
  if (findThresholds(model)) return 'policy'
  return thresholds.join() === REFERENCE_THRESHOLDS.join() ? 'reference' : 'shares'
}

const REJECTED: Priority = {
  level: null,
  policy_version: POLICY_VERSION,
  ssvc: null,
  deadline: null,
  reasons: [REJECTED_REASON],
}

function listExposures({ exposure }: PriorityContext): readonly KnownExposure[] {
  return exposure === 'unknown' ? EXPOSURES : [exposure]
}

function renderSsvc(facts: DecisionFacts, mission: Mission): SsvcResult {
  const exploitation = findExploitation(facts)
  const { automatable, technicalImpact } = facts
  return {
    decision: decide(toSsvcValues(facts), mission),
    tree: SSVC_TREE,
    mission,
    exploitation: exploitation.value,
    automatable: automatable?.value ?? null,
    technical_impact: technicalImpact?.value ?? null,
    value_sources: {
      exploitation: exploitation.source,
      automatable: automatable?.source ?? null,
      technical_impact: technicalImpact?.source ?? null,
    },
  }
}

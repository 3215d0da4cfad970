// Schemas for the priority of a CVE: the add-on `priority`, and the items of POST /api/v1/prioritize.
import { type TProperties, Type } from 'typebox'
import { DEADLINE_RULE } from '../../domain/priority/deadline.ts'
import { AUTOMATABLES, EXPLOITATIONS, TECHNICAL_IMPACTS } from '../../domain/priority/facts.ts'
import { LEVELS } from '../../domain/priority/policy.ts'
import { AWAITED, THRESHOLD_ORIGINS } from '../../domain/priority/priority.ts'
import { MAX_REASONS } from '../../domain/priority/reasons.ts'
import { MISSIONS, SSVC_DECISIONS, SSVC_TREE } from '../../domain/priority/ssvc.ts'
import { closedObject, daySchema, flagSchema, orNull, textSchema, wordOrNull } from '../response/schemas.ts'

export const policyVersionSchema = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d\\d$', description, examples: ['2026-11'] })

const sourceSchema = (description: string) => Type.String({ description, examples: ['cisa-adp', 'derived:cvss:nvd'] })

const ssvcSchema = closedObject(
  {
    decision: Type.Enum([...SSVC_DECISIONS], { description: 'Decision of the tree.' }),
    tree: Type.Literal(SSVC_TREE, { description: "Name and version of CISA's decision tree." }),
    mission: Type.Enum([...MISSIONS], {
      description: 'Effect of the affected system on the mission of its owner; medium unless the request states it.',
    }),
    exploitation: Type.Enum([...EXPLOITATIONS], { description: 'State of exploitation.' }),
    automatable: wordOrNull(AUTOMATABLES, 'Whether exploitation can be automated; null if no source says so.'),
    technical_impact: wordOrNull(TECHNICAL_IMPACTS, 'Impact of an attack; null if no source states it.'),
    value_sources: closedObject(
      {
        exploitation: sourceSchema('Source of exploitation.'),
        automatable: orNull(sourceSchema('Source of automatable; derived:cvss:<source> if it was derived.')),
        technical_impact: orNull(sourceSchema('Source of technical_impact; derived:cvss:<source> if it was derived.')),
      },
      'The source of each value.',
    ),
  },
  "The decision of CISA's SSVC tree and the values that lead to it; null for a rejected CVE.",
  'Ssvc',
)

const remediation = {
  days: orNull(
    Type.Integer({ minimum: 1, description: 'Days until the CVE must be remediated; null: at the next upgrade.' }),
  ),
  forensic_triage: flagSchema('Whether the rule also demands forensic triage.'),
}

const byExposure = (members: TProperties, title: string) => ({
  exposed: Type.Optional(closedObject(members, 'For a system that can be reached from the internet.', title)),
  internal: Type.Optional(closedObject(members, 'For a system that cannot be reached from the internet.', title)),
})

const deadlineSchema = closedObject(
  {
    rule: Type.Literal(DEADLINE_RULE, { description: "CISA's directive BOD 26-04." }),
    inputs: Type.Enum(['cisa', 'incomplete'], {
      description: "cisa: CISA states every input. incomplete: CISA's values are missing, so there is no deadline.",
    }),
    counted_from: Type.Literal('kev_added_or_detection', {
      description: 'The days run from the addition to the KEV catalog or from the detection on the system.',
    }),
    ...byExposure(
      {
        ...remediation,
        due_date: Type.Optional(
          daySchema(
            'Day of the addition to the KEV catalog plus days; only for KEV entries since the directive (2026-06-10).',
          ),
        ),
      },
      'DeadlineByRule',
    ),
    kev_due_agrees: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description:
        "Whether CISA's due date in the KEV catalog is one of these dates; null if there is nothing to compare.",
    }),
  },
  "Deadlines by CISA's directive BOD 26-04; null for a rejected CVE.",
  'Deadline',
)

const estimateSchema = closedObject(
  {
    ...byExposure(remediation, 'EstimatedDeadline'),
    value_sources: closedObject(
      {
        automatable: sourceSchema('Source of automatable.'),
        technical_impact: sourceSchema('Source of technical_impact.'),
      },
      'The source of each value.',
    ),
  },
  "Our estimate from derived values. It is not a deadline of the directive, which needs CISA's own values.",
  'DeadlineEstimate',
)

const levelByEpssSchema = closedObject(
  {
    model: orNull(Type.String({ description: 'The EPSS model of the score.', examples: ['v2026.06.15'] })),
    threshold: Type.Number({ description: 'The threshold that the score has reached.' }),
    kept_from: Type.Number({ description: 'The level lasts until the score is below this value.' }),
    thresholds_by: Type.Enum([...THRESHOLD_ORIGINS], {
      description:
        'policy: the policy has thresholds for the model. shares: it has none, so the threshold is the score that as large a share of all CVEs reaches as with the reference model. reference: it has none, and there are too few scores for shares, so the thresholds of the reference model apply.',
    }),
    known_from: daySchema(
      'The first day whose scores the service knows. If since is this day, the score may have reached the threshold earlier.',
    ),
  },
  'The EPSS threshold from which the level follows; only if it follows from one.',
  'LevelByEpss',
)

export const prioritySchema = closedObject(
  {
    level: wordOrNull(
      LEVELS,
      'P0: act now. P1: this week. P2: this month. unrated: nothing is known yet from which a level follows. P3: next cycle. P4: routine. null: the CVE is rejected, or its priority is not computed yet.',
    ),
    policy_version: policyVersionSchema('Version of the policy; GET /api/v1/policy has its rules.'),
    ssvc: orNull(ssvcSchema),
    deadline: orNull(deadlineSchema),
    estimate: Type.Optional(estimateSchema),
    reasons: Type.Array(textSchema('A sentence.'), {
      minItems: 1,
      maxItems: MAX_REASONS,
      description: 'Reasons for the level, strongest first. Each is true by itself.',
    }),
    level_by_epss: Type.Optional(levelByEpssSchema),
    awaiting: Type.Optional(
      Type.Array(Type.Enum([...AWAITED]), {
        description: 'What would rate the CVE: a CVSS base score, an EPSS score, or an SSVC value. Only if unrated.',
      }),
    ),
    since: Type.Optional(
      orNull(
        daySchema(
          'Only if the level follows from EPSS or is unrated: the day on which the score reached the threshold, or on which the CVE was published; null if no source states it.',
        ),
      ),
    ),
  },
  'How urgent the CVE is, and why.',
  'Priority',
)

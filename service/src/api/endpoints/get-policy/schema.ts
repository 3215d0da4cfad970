// The priority policy as GET /api/v1/policy shows it.
import { Type } from 'typebox'
import { policyVersionSchema } from '../../../contract/record/priority.ts'
import { closedObject, flagSchema, textSchema } from '../../../contract/response/schemas.ts'
import { CONTEXT_RULES } from '../../../domain/priority/context.ts'
import { DEADLINE_RULE } from '../../../domain/priority/deadline.ts'
import { LEVELS, POLICIES, POLICY_FACTS, POLICY_VERSION, type Policy } from '../../../domain/priority/policy.ts'
import { SSVC_TREE } from '../../../domain/priority/ssvc.ts'

const conditionSchema = closedObject(
  {
    fact: Type.Enum(Object.keys(POLICY_FACTS), { description: 'The fact that must hold; facts describes it.' }),
    min: Type.Optional(Type.Number({ description: 'Minimum value, for epss and score.' })),
  },
  'A condition.',
  'PolicyCondition',
)

export const policySchema = closedObject(
  {
    version: policyVersionSchema('Version of the policy.'),
    is_current: flagSchema('Whether the levels in responses are computed with this version.'),
    policy_versions: Type.Array(policyVersionSchema('A version.'), { description: 'All versions that can be read.' }),
    levels: Type.Array(
      closedObject(
        {
          level: Type.Enum([...LEVELS], { description: 'The level.' }),
          title: textSchema('What the level asks for.'),
          any_of: Type.Array(
            Type.Array(conditionSchema, { description: 'Conditions that must all hold; empty: always.' }),
            { description: 'Alternatives: one of them must hold.' },
          ),
        },
        'A level and its rules.',
        'PolicyLevel',
      ),
      { description: 'The levels in their order: the first level whose rules hold applies. A rejected CVE has none.' },
    ),
    facts: closedObject(
      Object.fromEntries(
        Object.entries(POLICY_FACTS).map(([name, text]) => [name, Type.String({ description: text })]),
      ),
      'The meaning of each fact.',
    ),
    unknown_values: textSchema('How values count that no source states.'),
    epss_rule: Type.Optional(
      closedObject(
        {
          keep: Type.Number({ description: 'A CVE keeps a threshold until its score is below this part of it.' }),
          reference_model: textSchema('The EPSS model whose thresholds the rules name.'),
          models: Type.Record(Type.String(), Type.Array(Type.Number()), {
            description: 'The thresholds of each model, in the order of those of the reference model.',
          }),
          shares: Type.Array(Type.Number(), {
            description:
              'For each threshold, the share of scored CVEs that reach it with the reference model. They give the thresholds of a model without thresholds.',
          }),
        },
        'How EPSS thresholds apply; absent for a policy that compares scores with fixed values.',
        'PolicyEpss',
      ),
    ),
    context_rules: Type.Array(
      closedObject(
        {
          exposure: Type.Enum(['exposed', 'internal'], { description: 'The exposure that the rule needs.' }),
          rule: textSchema('The rule as a sentence.'),
        },
        'A rule.',
      ),
      { description: 'How the context of POST /api/v1/prioritize moves a level.' },
    ),
    ssvc_tree: Type.Literal(SSVC_TREE, { description: "CISA's decision tree behind priority.ssvc." }),
    deadline_rule: Type.Literal(DEADLINE_RULE, { description: "CISA's directive behind priority.deadline." }),
  },
  'The rules of one version of the priority policy.',
)

export function renderPolicy({ version, levels, unknownValues, epss }: Policy) {
  return {
    version,
    is_current: version === POLICY_VERSION,
    policy_versions: Object.keys(POLICIES),
    levels: levels.map(({ level, title, anyOf }) => ({ level, title, any_of: anyOf })),
    facts: POLICY_FACTS,
    unknown_values: unknownValues,
    ...(epss && {
      epss_rule: { keep: epss.keep, reference_model: epss.referenceModel, models: epss.models, shares: epss.shares },
    }),
    context_rules: CONTEXT_RULES.map(({ exposure, text }) => ({ exposure, rule: text })),
    ssvc_tree: SSVC_TREE,
    deadline_rule: DEADLINE_RULE,
  }
}

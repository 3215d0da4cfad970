// Writes the generated part of docs/priority-policy.md, the rules of every version of the priority policy, from the
// table in the code. With --check, fails if the document differs.
import { CONTEXT_RULES } from '../../service/src/domain/priority/context.ts'
import type { EpssRule } from '../../service/src/domain/priority/epss-rule.ts'
import { type Condition, POLICIES, POLICY_FACTS, type Policy } from '../../service/src/domain/priority/policy.ts'
import { replaceGenerated, writeOrCheck } from './generated-file.ts'

function renderRules(): string {
  return [
    ...Object.values<Policy>(POLICIES).toReversed().map(renderPolicy),
    ['## Facts', '', '| Fact | Meaning |', '|---|---|', ...Object.entries(POLICY_FACTS).map(renderFact)].join('\n'),
    [
      '## Context of a caller',
      '',
      'A caller of `POST /api/v1/prioritize` can say where the affected system stands. Two rules move the level:',
      '',
      ...CONTEXT_RULES.map(({ text }) => `- ${text}`),
    ].join('\n'),
    '',
  ].join('\n\n')
}

function renderPolicy({ version, levels, unknownValues, epss }: Policy): string {
  return [
    `## Policy ${version}`,
    '',
    'The first level with a rule that holds applies. A rejected CVE has no level.',
    '',
    '| Level | Meaning | Rules, one of which must hold |',
    '|---|---|---|',
    ...levels.map(
      ({ level, title, anyOf }) => `| ${level} | ${title} | ${anyOf.map(renderAlternative).join('; or ')} |`,
    ),
    '',
    unknownValues,
    ...(epss ? ['', ...renderEpss(epss)] : []),
  ].join('\n')
}

function renderEpss({ keep, referenceModel, models, shares }: EpssRule): readonly string[] {
  const others = Object.entries(models).filter(([model]) => model !== referenceModel)
  const named = models[referenceModel] ?? []
  const list = (values: readonly number[]) => values.join(', ')
  return [
    `A CVE keeps an EPSS threshold until its score is below ${keep} of it. The rules name the thresholds of the EPSS model ${referenceModel} (${list(named)}). ${others.map(([model, own]) => `Those of ${model} are ${list(own)}.`).join(' ')} For any other model, each day's thresholds are the scores that these shares of all scored CVEs reach: ${list(shares)}; \`priority.epss.thresholds_by\` then is \`shares\`.`,
  ]
}

function renderAlternative(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? 'every other CVE' : conditions.map(renderCondition).join(' and ')
}

function renderCondition({ fact, min }: Condition): string {
  return min === undefined ? `\`${fact}\`` : `\`${fact}\` ≥ ${min}`
}

function renderFact([fact, meaning]: readonly [string, string]): string {
  return `| \`${fact}\` | ${meaning} |`
}

writeOrCheck('docs/priority-policy.md', (text) => replaceGenerated(text, 'write-priority-policy.ts', renderRules()))

// Writes the generated part of docs/priority-policy.md, the rules of every version of the priority policy, from the table
// in the code. With --check, fails if the document differs.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CONTEXT_RULES } from '../service/src/domain/priority/context.ts'
import { type Condition, POLICIES, POLICY_FACTS, type Policy } from '../service/src/domain/priority/policy.ts'

const START = '<!-- generated: the text up to the end mark is written by tools/write-priority-policy.ts -->'
const END = '<!-- end of the generated text -->'

/** Replaces the generated part of the document. Throws if the document lacks the marks. */
export function updateDocument(text: string): string {
  const [start, end] = [text.indexOf(START), text.indexOf(END)]
  if (start < 0 || end < start) throw new Error('docs/priority-policy.md lacks the marks of the generated text')
  return `${text.slice(0, start + START.length)}\n\n${renderRules()}\n${text.slice(end)}`
}

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

function renderPolicy({ version, levels, unknownValues }: Policy): string {
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
  ].join('\n')
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

if (import.meta.main) {
  const path = join(dirname(import.meta.dirname), 'docs/priority-policy.md')
  const written = readFileSync(path, 'utf8')
  const current = updateDocument(written)
  if (!process.argv.includes('--check')) writeFileSync(path, current)
  else if (written !== current) {
    console.log('docs/priority-policy.md differs from the policy. Run "npm run generate" and commit the result.')
    process.exitCode = 1
  }
}

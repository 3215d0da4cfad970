// The fix plan as Markdown, for a ticket or a pull request. It says first what was not checked.
import type { PlannedFix } from 'vis-sdk'
import { formatNumber } from '../../../text/format.ts'
import { countCoverage, describeOldest } from '../coverage/coverage.ts'
import type { Answer } from '../result.ts'
import { describeGap, nameComponent } from '../texts.ts'
import { listFindings } from './findings.ts'
import { describeDoubt, describeKinds, describePath, describePlan, describeUnnamed } from './texts.ts'

export function toMarkdown(answer: Answer, subject: string): string {
  const remaining = listFindings(answer).filter(({ goes }) => !goes)
  const parts = [
    `# Fix plan for ${escapeText(subject)}`,
    `## What was checked\n\n${listCoverage(answer).join('\n')}`,
    `Checked on ${answer.timestamp.slice(0, 10)}. ${describeOldest(answer.overview)}`,
    listUncovered(answer),
    `## ${describePlan(answer)}\n\n${[describeKinds(answer), describeDoubt(answer)].filter(Boolean).join(' ')}`,
    answer.fix_plan.length > 0 && toTable(answer.fix_plan),
    remaining.length > 0 &&
      `## Remaining\n\n${remaining
        .map(({ id, match, components }) => {
          const names = components.map((each) =>
            [escapeText(nameComponent(each)), toCode(each.interpreted_as.version ?? '')].filter(Boolean).join(' '),
          )
          return `- ${match.priority_level ?? 'no level'} ${id}: ${names.join(', ')}`
        })
        .join('\n')}`,
  ]
  return `${parts.filter((part) => part !== false && part !== '').join('\n\n')}\n`
}

function listCoverage(answer: Answer): readonly string[] {
  const skipped = answer.sbom?.components_skipped_total ?? 0
  return [
    ...countCoverage(answer).map(({ gap, count }) =>
      gap === undefined
        ? `- ${formatNumber(count)} judged by complete and current databases`
        : `- ${formatNumber(count)} incomplete, which is not safe: ${describeGap(gap)}`,
    ),
    ...(skipped > 0 ? [`- ${formatNumber(skipped)} skipped and not checked`] : []),
  ]
}

/** More names would hide the plan; the file with all hits has all components. */
const MAX_UNCOVERED = 50

/** Names the components of which the plan says nothing. */
function listUncovered({ components }: Answer): string {
  const uncovered = components.filter(({ verdict }) => verdict === 'not_covered')
  if (uncovered.length === 0) return ''
  const lines = uncovered.slice(0, MAX_UNCOVERED).map((each) => {
    const version = each.interpreted_as.version
    return `- ${escapeText(nameComponent(each))}${version === null ? '' : ` ${toCode(version)}`}`
  })
  const rest = uncovered.length - lines.length
  return `## Could not be judged, so may be affected\n\n${[...lines, ...(rest > 0 ? [`- and ${formatNumber(rest)} more`] : [])].join('\n')}`
}

function toTable(plan: readonly PlannedFix[]): string {
  const hasPath = plan.some((line) => describePath(line) !== undefined)
  const rows = plan.map((line) => {
    const { package: name, from_version, to_version, resolves, remains_total } = line
    const resolved = resolves.map(({ level, total, ids }) => {
      const hidden = total > ids.length ? ` and ${total - ids.length} more` : ''
      return `${level ?? 'no level'}: ${ids.join(', ')}${hidden}`
    })
    return [
      escapeText([name.vendor, name.product].filter(Boolean).join('/')),
      toCode(from_version),
      [toCode(to_version), describeUnnamed(line)].filter(Boolean).join(': '),
      escapeText(resolved.join('; ')),
      String(remains_total),
      ...(hasPath ? [escapeText(describePath(line) ?? '')] : []),
    ]
  })
  const head = ['Package', 'From', 'To', 'Resolves', 'Remaining', ...(hasPath ? ['Path'] : [])]
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/**
 * A code span shows a version as it is, such as `7.88.1-10~bpo12+1`. A text with characters that a code span in a table
 * cannot hold is escaped instead.
 */
function toCode(version: string): string {
  if (version === '') return ''
  return /[`|\\\r\n]/.test(version) ? escapeText(version) : `\`${version}\``
}

/** Names come from the document, so they must not form Markdown: links, HTML or further cells. */
function escapeText(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_{}[\]<>|#!~]/g, String.raw`\$&`)
}

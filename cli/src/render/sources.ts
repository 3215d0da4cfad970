// Renders where each value of a CVE comes from: one row per value.
import type { SourceStatement, ValueSources } from 'vis-sdk'
import { formatRow } from './layout.ts'
import type { Terminal } from './terminal.ts'
import { cleanLine, truncate } from './text.ts'

interface SourcedValue {
  readonly stated_by: readonly SourceStatement[]
  readonly others?: readonly SourceStatement[]
  readonly omitted?: number
}

/** Maximum width of another source's text in columns; --json shows the whole text. */
const MAX_TEXT_WIDTH = 160

export function renderSources(terminal: Terminal, sources: ValueSources | undefined): string {
  const { disagreements = [], ...named } = sources ?? {}
  const values: [string, SourcedValue][] = Object.entries(named)
  const rows = values.map(([name, value], at) =>
    formatRow(terminal, at === 0 ? 'Stated by' : '', `${name}: ${describeValue(value)}`),
  )
  const differing = disagreements.map(({ text }, at) =>
    formatRow(terminal, at === 0 ? 'Differing' : '', cleanLine(text)),
  )
  return [...rows, ...differing].join('')
}

function describeValue({ stated_by: from, others = [], omitted }: SourcedValue): string {
  const agreeing = from.map((each) => joinParts([describeOrigin(each), describeContent(each)], ' '))
  const different = others.map((each) => joinParts([describeContent(each), `by ${describeOrigin(each)}`], ' '))
  return joinParts(
    [
      agreeing.length === 0 ? 'no value' : agreeing.join(', '),
      different.length === 0 ? '' : `other: ${different.join(', ')}`,
      omitted === undefined ? '' : `and ${omitted} more`,
    ],
    '; ',
  )
}

function describeOrigin({ source, time, date }: SourceStatement): string {
  const day = (time ?? date)?.slice(0, 10)
  return day === undefined ? source : `${source} (${day})`
}

function describeContent(statement: SourceStatement): string {
  const {
    value,
    product,
    branch,
    version,
    score,
    vector,
    stated_score,
    cwe_list = [],
    tags = [],
    count,
    derived,
    removed_at,
    truncated,
  } = statement
  return joinParts(
    [
      value === undefined ? '' : truncate(cleanLine(value), MAX_TEXT_WIDTH),
      product === undefined ? '' : `of ${cleanLine(product)}`,
      branch === undefined ? '' : `in branch ${cleanLine(branch)}`,
      version === undefined ? '' : `CVSS ${version}`,
      score === undefined ? '' : score.toFixed(1),
      vector ?? '',
      stated_score === undefined ? '' : `states ${stated_score.toFixed(1)}`,
      ...cwe_list,
      ...tags,
      count === undefined ? '' : String(count),
      derived ? 'derived' : '',
      removed_at === undefined ? '' : `removed ${removed_at.slice(0, 10)}`,
      truncated ? 'truncated' : '',
    ],
    ' ',
  )
}

function joinParts(parts: readonly string[], separator: string): string {
  return parts.filter((each) => each !== '').join(separator)
}

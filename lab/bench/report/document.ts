// Writes the recorded benchmark results to lab/docs/performance.md and the prices of calls to lab/docs/scale.md, between two
// marks in the text, and the chart to lab/docs/performance.svg.
import { readFileSync, writeFileSync } from 'node:fs'
import { computeLimit, FIGURES, type Measured, meetsGoal, type SideResult } from '../figures.ts'
import { renderChart } from './chart.ts'
import { formatShare, formatValue } from './lines.ts'
import { formatPrices } from './prices.ts'
import type { RecordedSection } from './recorded.ts'

const DOCS = new URL('../../docs/', import.meta.url)
const BEGIN = '<!-- written by npm run bench -- --write -->'
const END = '<!-- end -->'

type Sections = Readonly<Record<string, RecordedSection>>

/** The generated part of each document. */
export const GENERATED: Readonly<Record<string, (sections: Sections) => string>> = {
  'performance.md': (sections) => formatTables(Object.values(sections)),
  'scale.md': formatPrices,
}

export function writeDocuments(sections: Sections): void {
  for (const [name, format] of Object.entries(GENERATED)) {
    const file = new URL(name, DOCS)
    writeFileSync(file, replaceGenerated(readFileSync(file, 'utf8'), format(sections)))
  }
  const measured = Object.values(sections).flatMap((section) => section.measured)
  writeFileSync(new URL('performance.svg', DOCS), renderChart(measured))
}

/** Returns the document with a new text between the marks. */
export function replaceGenerated(document: string, text: string): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)]
  if (begin === -1 || end < begin) throw new Error(`The document must contain the marks ${BEGIN} and ${END}.`)
  return `${document.slice(0, begin + BEGIN.length)}\n\n${text}\n${document.slice(end)}`
}

function formatTables(sections: readonly RecordedSection[]): string {
  return `| figure | goal | measured | spread | result | limit | day |
|---|---|---|---|---|---|---|
${sections.flatMap(({ measured, day }) => measured.map((each) => formatFigureRow(each, day))).join('\n')}

| comparison | side | calls/s | CPU µs per call: process | PostgreSQL | Redis | client | busy cores: process | client | refused |
|---|---|---|---|---|---|---|---|---|---|
${sections.flatMap(({ sides = [] }) => sides.map(formatSideRow)).join('\n')}

${sections.flatMap(({ notes = [] }) => notes.map((note) => `- ${note}`)).join('\n')}
`
}

function formatFigureRow(measured: Measured, day: string): string {
  const { name, goal } = FIGURES[measured.figure]
  const { value, min, max } = measured.ratio
  const spread = min === max ? '' : `${formatValue(min)} to ${formatValue(max)}`
  const sign = goal.kind === 'min' ? '≥' : '≤'
  const limit = formatValue(computeLimit(measured.figure, value))
  const result = meetsGoal(measured) ? 'met' : 'missed'
  return `| ${name} | ${sign} ${goal.value} | **${formatValue(value)}** | ${spread} | ${result} | ${sign} ${limit} | ${day} |`
}

function formatSideRow({ comparison, side, perSecond, own, postgres, redis, client, refused }: SideResult): string {
  const costs = [own, postgres, redis, client].map((each) => each.toFixed(0)).join(' | ')
  const cores = [own, client].map((each) => ((each * perSecond) / 1e6).toFixed(2)).join(' | ')
  return `| ${comparison} | ${side} | ${perSecond.toFixed(0)} | ${costs} | ${cores} | ${formatShare(refused)} |`
}

// Writes the benchmark results to docs/performance.md, between two marks in the text, and the chart to
// docs/performance.svg.
import { readFileSync, writeFileSync } from 'node:fs'
import { FIGURES, type Measured, meetsGoal, type SectionResult, type SideResult } from '../figures.ts'
import { renderChart } from './chart.ts'
import { formatValue } from './lines.ts'

const DOCUMENT = new URL('../../../../docs/performance.md', import.meta.url)
const CHART = new URL('../../../../docs/performance.svg', import.meta.url)
const BEGIN = '<!-- written by npm run bench -- --write -->'
const END = '<!-- end -->'

export function writeDocument(results: readonly SectionResult[], day: string): void {
  const document = readFileSync(DOCUMENT, 'utf8')
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)]
  if (begin === -1 || end < begin) throw new Error(`docs/performance.md must contain the marks ${BEGIN} and ${END}.`)
  const measured = results.flatMap((result) => result.measured)
  writeFileSync(
    DOCUMENT,
    `${document.slice(0, begin + BEGIN.length)}\n\n${formatTables(results, day)}\n${document.slice(end)}`,
  )
  writeFileSync(CHART, renderChart(measured))
}

function formatTables(results: readonly SectionResult[], day: string): string {
  const notes = results.flatMap((result) => result.notes ?? [])
  return `Measured on ${day}.

| figure | goal | measured | spread | result |
|---|---|---|---|---|
${results.flatMap((result) => result.measured.map(formatFigureRow)).join('\n')}

| comparison | side | calls/s | CPU µs per call: process | PostgreSQL | Redis |
|---|---|---|---|---|---|
${results.flatMap((result) => (result.sides ?? []).map(formatSideRow)).join('\n')}

${notes.map((note) => `- ${note}`).join('\n')}
`
}

function formatFigureRow(measured: Measured): string {
  const { name, goal } = FIGURES[measured.figure]
  const { value, min, max } = measured.ratio
  const spread = min === max ? '' : `${formatValue(min)} to ${formatValue(max)}`
  const sign = goal.kind === 'min' ? '≥' : '≤'
  return `| ${name} | ${sign} ${goal.value} | **${formatValue(value)}** | ${spread} | ${meetsGoal(measured) ? 'met' : 'missed'} |`
}

function formatSideRow({ comparison, side, perSecond, own, postgres, redis }: SideResult): string {
  const costs = [own, postgres, redis].map((each) => each.toFixed(0)).join(' | ')
  return `| ${comparison} | ${side} | ${perSecond.toFixed(0)} | ${costs} |`
}

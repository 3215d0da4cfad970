// The figures in docs/performance.md: two tables between two marks, and a picture beside it.
import { readFileSync, writeFileSync } from 'node:fs'
import { FIGURES, holds, type Measured, type SectionResult, type SideSeen } from '../figures.ts'
import { shown } from './lines.ts'
import { pictureOf } from './picture.ts'

const DOCUMENT = new URL('../../../../docs/performance.md', import.meta.url)
const PICTURE = new URL('../../../../docs/performance.svg', import.meta.url)
const BEGIN = '<!-- written by npm run bench -- --write -->'
const END = '<!-- end -->'

export function writeDocument(results: readonly SectionResult[], day: string): void {
  const document = readFileSync(DOCUMENT, 'utf8')
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)]
  if (begin === -1 || end < begin) throw new Error(`docs/performance.md has lost its marks ${BEGIN} and ${END}`)
  const measured = results.flatMap((result) => result.measured)
  writeFileSync(
    DOCUMENT,
    `${document.slice(0, begin + BEGIN.length)}\n\n${tables(results, day)}\n${document.slice(end)}`,
  )
  writeFileSync(PICTURE, pictureOf(measured))
}

function tables(results: readonly SectionResult[], day: string): string {
  const remarks = results.flatMap((result) => result.remarks ?? [])
  return `Measured on ${day}.

| | to hold | measured | spread | |
|---|---|---|---|---|
${results.flatMap((result) => result.measured.map(figureRow)).join('\n')}

| comparison | side | calls/s | CPU µs per call: process | PostgreSQL | Redis |
|---|---|---|---|---|---|
${results.flatMap((result) => (result.sides ?? []).map(sideRow)).join('\n')}

${remarks.map((remark) => `- ${remark}`).join('\n')}
`
}

function figureRow(measured: Measured): string {
  const { name, bound } = FIGURES[measured.figure]
  const { value, least, greatest } = measured.ratio
  const spread = least === greatest ? '' : `${shown(least)} to ${shown(greatest)}`
  const sign = bound.at === 'least' ? '≥' : '≤'
  return `| ${name} | ${sign} ${bound.value} | **${shown(value)}** | ${spread} | ${holds(measured) ? 'holds' : 'missed'} |`
}

function sideRow({ comparison, side, perSecond, own, postgres, redis }: SideSeen): string {
  const costs = [own, postgres, redis].map((each) => each.toFixed(0)).join(' | ')
  return `| ${comparison} | ${side} | ${perSecond.toFixed(0)} | ${costs} |`
}

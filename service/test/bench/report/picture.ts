// The figures as a picture: a bar for each, drawn so that longer is better and the line in the middle is what is to hold.
import { FIGURES, holds, type Measured } from '../figures.ts'
import { shown } from './lines.ts'

const [WIDTH, ROW, LABELS, BARS] = [900, 26, 430, 380]
/** Twice what is to hold is as far as a bar goes. */
const MAX_COUNT = 2

export function pictureOf(measured: readonly Measured[]): string {
  const height = (measured.length + 2) * ROW
  const line = LABELS + BARS / MAX_COUNT
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13" role="img" aria-label="Each figure against what is to hold">
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="${line}" y="17" text-anchor="middle" fill="#555555">to hold</text>
${measured.map(bar).join('\n')}
<line x1="${line}" y1="${ROW}" x2="${line}" y2="${height - ROW / 2}" stroke="#222222" stroke-dasharray="4 3"/>
</svg>
`
}

function bar(each: Measured, index: number): string {
  const { name, bound } = FIGURES[each.figure]
  const { value } = each.ratio
  const goodness = Math.min(MAX_COUNT, bound.at === 'least' ? value / bound.value : bound.value / value)
  const [y, width] = [(index + 1) * ROW, Math.round((goodness / MAX_COUNT) * BARS)]
  const sign = bound.at === 'least' ? '≥' : '≤'
  return `<text x="${LABELS - 10}" y="${y + 17}" text-anchor="end" fill="#222222">${escaped(name)}</text>
<rect x="${LABELS}" y="${y + 4}" width="${width}" height="${ROW - 8}" rx="2" fill="${holds(each) ? '#2a7f62' : '#b5482a'}"/>
<text x="${LABELS + width + 6}" y="${y + 17}" fill="#222222">${shown(value)} (${sign} ${bound.value})</text>`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

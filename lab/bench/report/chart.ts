// Renders the benchmark results as an SVG chart with one bar per figure. A longer bar is better; a bar that reaches the
// middle line meets the goal.
import { FIGURES, type Measured, meetsGoal } from '../figures.ts'
import { formatValue } from './lines.ts'

const [WIDTH, ROW, LABELS, BARS] = [900, 26, 430, 380]
/** The longest bar of the chart stands for a result twice as good as the goal. */
const MAX_GOODNESS = 2

export function renderChart(measured: readonly Measured[]): string {
  const height = (measured.length + 2) * ROW
  const line = LABELS + BARS / MAX_GOODNESS
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13" role="img" aria-label="Each figure against its goal">
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="${line}" y="17" text-anchor="middle" fill="#555555">goal</text>
${measured.map(renderBar).join('\n')}
<line x1="${line}" y1="${ROW}" x2="${line}" y2="${height - ROW / 2}" stroke="#222222" stroke-dasharray="4 3"/>
</svg>
`
}

function renderBar(each: Measured, index: number): string {
  const { name, goal } = FIGURES[each.figure]
  const { value } = each.ratio
  const goodness = Math.min(MAX_GOODNESS, goal.kind === 'min' ? value / goal.value : goal.value / value)
  const [y, width] = [(index + 1) * ROW, Math.round((goodness / MAX_GOODNESS) * BARS)]
  const sign = goal.kind === 'min' ? '≥' : '≤'
  return `<text x="${LABELS - 10}" y="${y + 17}" text-anchor="end" fill="#222222">${escapeXml(name)}</text>
<rect x="${LABELS}" y="${y + 4}" width="${width}" height="${ROW - 8}" rx="2" fill="${meetsGoal(each) ? '#2a7f62' : '#b5482a'}"/>
<text x="${LABELS + width + 6}" y="${y + 17}" fill="#222222">${formatValue(value)} (${sign} ${goal.value})</text>`
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

// Draws EPSS scores over time in one line of text.
import type { EpssSeries } from 'vis-sdk'

const BLOCKS = '▁▂▃▄▅▆▇█'
/** Marks a change of the EPSS model: scores before and after it are not comparable. */
const MODEL_CHANGE = '│'

/**
 * Draws at most `width` blocks, from 0 to the highest score of the series. If there are more days, each block shows the
 * highest score of several days.
 */
export function renderSparkline(series: EpssSeries['series'], width: number): string {
  const daysPerBlock = Math.ceil(series.length / width)
  const highest = findHighest(series)
  let line = ''
  for (let at = 0; at < series.length; at += daysPerBlock) {
    const days = series.slice(at, at + daysPerBlock)
    const previous = series[at - 1] ?? days[0]
    if (days.some(({ model }) => model !== previous?.model)) line += MODEL_CHANGE
    line += pickBlock(findHighest(days), highest)
  }
  return line
}

export function findHighest(series: EpssSeries['series']): number {
  return Math.max(0, ...series.map(({ score }) => score))
}

function pickBlock(score: number, highest: number): string {
  const share = highest === 0 ? 0 : score / highest
  return BLOCKS[Math.min(BLOCKS.length - 1, Math.floor(share * BLOCKS.length))] ?? ''
}

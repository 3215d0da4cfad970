// How many real EPSS scores move from week to week. Prints a table of lab/docs/epss-history.md.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MIN_JUMP, MIN_JUMP_RATIO, MIN_RATIO_SCORE } from '../../../service/src/domain/change/epss-jump.ts'
import { fromUnits } from '../../../service/src/domain/epss-series/codec.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import { readWeeks } from './weekly-epss.ts'

const data = realData('the movement of the real EPSS scores of 45 weeks', 'data-more')

function isJump(one: number, other: number): boolean {
  const [smaller, larger] = [Math.min(one, other), Math.max(one, other)]
  return larger - smaller >= MIN_JUMP || (larger >= MIN_RATIO_SCORE && larger >= MIN_JUMP_RATIO * smaller)
}

const format = (count: number) => count.toLocaleString('en')

it.skipIf(data === undefined)('real EPSS scores: how many move and jump from week to week', async () => {
  const scores = new Map<string, number>()
  const lines: string[] = []
  for await (const { day, changed } of readWeeks(join(data ?? '', 'epss'))) {
    const held = scores.size
    let [moved, jumped, tenth] = [0, 0, 0]
    for (const { id, score: units } of changed) {
      const [before, score] = [scores.get(id), fromUnits(units)]
      scores.set(id, score)
      if (before === undefined || before === score) continue
      moved += 1
      if (isJump(before, score)) jumped += 1
      if (Math.abs(score - before) >= 0.1 - 1e-9) tenth += 1
    }
    const share = ((100 * moved) / held).toFixed(1)
    if (held > 0)
      lines.push(`| ${day} | ${format(held)} | ${format(moved)} | ${share} % | ${format(jumped)} | ${format(tenth)} |`)
  }
  const heading = [
    '| Week until | Scores before | Moved | Share | Jumps | By 0.1 or more |',
    '|---|---|---|---|---|---|',
  ]
  process.stdout.write(`${[...heading, ...lines].join('\n')}\n`)
  expect(lines.length).toBeGreaterThan(1)
})

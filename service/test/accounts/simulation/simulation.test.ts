// Simulated histories of the credit meter (goal C-MET-3). SIMULATION_SEED=17 repeats one history, and
// SIMULATION_SEEDS=1000000 simulates more of them than the long suite.
import { describe, expect, it } from 'vitest'
import { chooseBySize } from '../../support/size.ts'
import { type History, simulateHistory } from './simulate.ts'

const COUNT = Number(process.env['SIMULATION_SEEDS'] ?? chooseBySize({ short: 300, long: 20_000 }))
const only = process.env['SIMULATION_SEED']
const seeds = only === undefined ? Array.from({ length: COUNT }, (_, n) => n + 1) : [Number(only)]
const MAX_SHOWN = 3

async function simulateAll(): Promise<{ readonly histories: readonly History[]; readonly failed: readonly string[] }> {
  const [histories, failed]: [History[], string[]] = [[], []]
  for (const seed of seeds) {
    const history = await simulateHistory(seed)
    histories.push(history)
    if (history.violations.length > 0) failed.push(`SIMULATION_SEED=${seed}: ${history.violations.join('; ')}`)
  }
  return { histories, failed }
}

const sum = (histories: readonly History[], member: Exclude<keyof History, 'violations'>) =>
  histories.reduce((total, history) => total + history[member], 0)

describe('Simulated histories of the credit meter', () => {
  it(`charges every answered call as its response states in ${seeds.length} histories with faults`, {
    timeout: 3_600_000,
  }, async () => {
    const { histories, failed } = await simulateAll()
    const totals = (['calls', 'charged', 'refunded', 'unanswered'] as const).map(
      (name) => `${sum(histories, name)} ${name}`,
    )
    process.stdout.write(
      `simulated histories: ${histories.length}, ${totals.join(', ')}, ${failed.length} violations\n`,
    )
    expect({ failed: failed.length, first: failed.slice(0, MAX_SHOWN) }).toEqual({ failed: 0, first: [] })
    // Without these outcomes, the histories would prove nothing.
    for (const member of ['charged', 'refunded', 'unanswered'] as const)
      if (only === undefined) expect(sum(histories, member)).toBeGreaterThan(COUNT)
  })

  it('gives the same history for the same seed', async () => {
    expect(await simulateHistory(7)).toEqual(await simulateHistory(7))
  })
})

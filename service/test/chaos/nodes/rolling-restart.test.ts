import { describe, it } from 'vitest'
import { cluster, expectNothingLost, restartInTurn, summaryOf } from './rolling-restart.ts'

const nodes = await cluster()

describe('rolling restarts', () => {
  it('lose no request, and every node leaves with exit code 0', async () => {
    // Fewer requests than in the long run: other test files want the same processors.
    const plan = { cycles: 2, requestsPerSecond: 100 }

    const outcome = await restartInTurn(nodes, plan)

    console.log(summaryOf(outcome, plan))
    expectNothingLost(outcome, plan)
  }, 120_000)
})

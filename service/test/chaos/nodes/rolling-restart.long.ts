import { describe, it } from 'vitest'
import { cluster, expectNothingLost, restartInTurn, summaryOf } from './rolling-restart.ts'

const nodes = await cluster()

describe('many rolling restarts', () => {
  it('lose no request, and every node leaves with exit code 0', async () => {
    const plan = { cycles: 10, requestsPerSecond: 300 }

    const outcome = await restartInTurn(nodes, plan)

    console.log(summaryOf(outcome, plan))
    expectNothingLost(outcome, plan)
  })
})

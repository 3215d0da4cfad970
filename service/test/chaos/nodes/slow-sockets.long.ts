import { describe, it } from 'vitest'
import { chaosWorld } from './setup.ts'
import { expectWithstood, summaryOf, withstandSlowSockets } from './slow-sockets.ts'

const world = await chaosWorld()

describe('thousands of slow sockets', () => {
  it('are all closed within 20 s of their opening while normal calls keep answering', async () => {
    const plan = {
      counts: { header: 2000, body: 2000, silent: 250, 'body of a GET': 250, 'header of a second request': 250 },
      openedPerSecond: 500,
      quietMs: 10_000,
    }

    const outcome = await withstandSlowSockets(world, plan)

    console.log(summaryOf(outcome))
    expectWithstood(outcome, plan)
  })
})

import { describe, it } from 'vitest'
import { chaosWorld } from './setup.ts'
import { expectWithstood, summaryOf, withstandSlowSockets } from './slow-sockets.ts'

const world = await chaosWorld()

describe('slow sockets', () => {
  it('are all closed within 20 s of their opening while normal calls keep answering', async () => {
    const plan = {
      counts: { header: 40, body: 40, silent: 10, 'body of a GET': 10, 'header of a second request': 10 },
      openedPerSecond: 110,
      quietMs: 2000,
    }

    const outcome = await withstandSlowSockets(world, plan)

    console.log(summaryOf(outcome))
    expectWithstood(outcome, plan)
  }, 120_000)
})

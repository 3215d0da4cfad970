import { describe, it } from 'vitest'
import { expectPaidOnce, loseReplies, summaryOf } from './lost-replies.ts'

describe('A reply of the database that is lost after the commit', () => {
  it('makes nobody pay twice, and nobody pay for nothing', { timeout: 900_000 }, async () => {
    const plan = { cuts: 1_000, perSecond: 200 }

    const outcome = await loseReplies(plan)

    process.stdout.write(`${summaryOf(outcome)}\n`)
    expectPaidOnce(outcome, plan)
  })
})

import { describe, it } from 'vitest'
import { expectPaidOnce, loseReplies, summaryOf } from './lost-replies.ts'

describe('A reply of the database that is lost after the commit', () => {
  it('makes nobody pay twice, and nobody pay for nothing', { timeout: 120_000 }, async () => {
    const plan = { cuts: 100, perSecond: 100 }

    const outcome = await loseReplies(plan)

    process.stdout.write(`${summaryOf(outcome)}\n`)
    expectPaidOnce(outcome, plan)
  })
})

import { describe, it } from 'vitest'
import { expectFaultsInWords, failEachRequest, summaryOf } from './nth-network-call.ts'
import { servedSlice } from './slice.ts'

describe('A feed of 5,000 records whose every request to its upstream fails in turn', () => {
  it('asks again or fails in words, leaves nothing half done, and ends where an undisturbed one ends', {
    timeout: 3_600_000,
  }, async () => {
    const outcome = await failEachRequest(servedSlice(1000))

    console.log(summaryOf(outcome))
    expectFaultsInWords(outcome)
  })
})

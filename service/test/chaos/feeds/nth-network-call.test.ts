import { describe, expect, it } from 'vitest'
import { expectFaultsInWords, failEachRequest, summaryOf } from './nth-network-call.ts'

describe('A feed whose every request to its upstream fails in turn', () => {
  it('asks again or fails in words, leaves nothing half done, and ends where an undisturbed one ends', {
    timeout: 300_000,
  }, async () => {
    // NVD has a file for every year since 2002; in June 2003 that is not many.
    const slice = { years: [2002, 2003], recordsPerYear: 30, now: new Date('2003-06-01T00:00:00Z') }

    const outcome = await failEachRequest(slice)

    process.stdout.write(`${summaryOf(outcome)}\n`)
    expectFaultsInWords(outcome)
    // Three files with a .meta each, one catalogue, one file of scores.
    expect(Object.fromEntries(outcome.requests)).toEqual({ nvd: 6, kev: 1, epss: 1 })
  })
})

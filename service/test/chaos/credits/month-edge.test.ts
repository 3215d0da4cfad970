import { describe, it } from 'vitest'
import { whyNoFaketime } from '../../support/processes/private-postgres.ts'
import { crossMidnight, expectMonthsKept, summaryOf } from './month-edge.ts'

if (whyNoFaketime !== undefined) process.stderr.write(`SKIPPED: the month edge is not tested: ${whyNoFaketime}.\n`)

describe.skipIf(whyNoFaketime !== undefined)('The end of a month, by the clock of the database', () => {
  it.each([true, false])('loses no credit (partition prepared: %s)', { timeout: 120_000 }, async (isPrepared) => {
    const outcome = await crossMidnight({ midnight: '2027-01-01T00:00:00Z', isPrepared, perSecond: 150 })

    process.stdout.write(`${summaryOf(outcome)}\n`)
    expectMonthsKept(outcome)
  })
})

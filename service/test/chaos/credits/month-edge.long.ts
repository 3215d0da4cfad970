import { describe, it } from 'vitest'
import { whyNoFaketime } from '../../support/processes/private-postgres.ts'
import { crossMidnight, expectMonthsKept, summaryOf } from './month-edge.ts'

if (whyNoFaketime !== undefined) process.stderr.write(`SKIPPED: the month edge is not tested: ${whyNoFaketime}.\n`)

const MIDNIGHTS = [
  '2027-01-01T00:00:00Z',
  '2027-03-01T00:00:00Z',
  '2028-03-01T00:00:00Z',
  '2027-07-01T00:00:00Z',
  '2027-08-01T00:00:00Z',
]
const RUNS = MIDNIGHTS.flatMap((midnight) => [
  { midnight, isPrepared: true },
  { midnight, isPrepared: false },
])

describe.skipIf(whyNoFaketime !== undefined)('The end of a month, by the clock of the database', () => {
  it.each([...RUNS, ...RUNS])('loses no credit ($midnight, partition prepared: $isPrepared)', async (run) => {
    const outcome = await crossMidnight({ ...run, perSecond: 300 })

    process.stdout.write(`${summaryOf(outcome)}\n`)
    expectMonthsKept(outcome)
  })
})

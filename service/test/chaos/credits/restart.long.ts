import { describe, expect, it } from 'vitest'
import { type StopMode, whyNoPostgres } from '../../support/processes/private-postgres.ts'
import { expectCreditsKept, restartUnderLoad, summaryOf } from './restart.ts'

const MODES: readonly StopMode[] = ['fast', 'immediate', 'killed']

describe('A primary that is restarted under load, thirty times', () => {
  it('costs nobody a credit: 503 meanwhile, and every call is paid once or not at all', async () => {
    expect(whyNoPostgres).toBeUndefined()

    const outcome = await restartUnderLoad({ modes: Array.from({ length: 10 }, () => MODES).flat(), perSecond: 200 })

    process.stdout.write(`${summaryOf(outcome)}\n`)
    expectCreditsKept(outcome)
  })
})

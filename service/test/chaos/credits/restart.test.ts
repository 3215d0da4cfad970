import { describe, expect, it } from 'vitest'
import { whyNoPostgres } from '../../support/processes/private-postgres.ts'
import { expectCreditsKept, restartUnderLoad, summaryOf } from './restart.ts'

describe('A primary that is restarted under load', () => {
  it('costs nobody a credit: 503 meanwhile, and every call is paid once or not at all', {
    timeout: 120_000,
  }, async () => {
    expect(whyNoPostgres).toBeUndefined()

    const outcome = await restartUnderLoad({ modes: ['fast', 'immediate'], perSecond: 200 })

    process.stdout.write(`${summaryOf(outcome)}\n`)
    expectCreditsKept(outcome)
  })
})

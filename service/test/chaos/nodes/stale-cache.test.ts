import { describe, expect, it } from 'vitest'
import { whyNoPostgres } from '../../support/processes/private-postgres.ts'
import { expectNeverStale, readWhilePublishing, summaryOf } from './stale-cache.ts'

describe('A CVE that a node remembers, while it is published again and again', () => {
  it('is never more than 2 s older than the database that the node reads, and never old for good', {
    timeout: 120_000,
  }, async () => {
    expect(whyNoPostgres).toBeUndefined()

    const outcome = await readWhilePublishing({ troubles: ['follower cut', 'follower silenced'], calmMs: 1500 })

    process.stdout.write(`${summaryOf(outcome)}\n`)
    expectNeverStale(outcome)
  })
})

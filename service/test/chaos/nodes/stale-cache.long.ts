import { describe, expect, it } from 'vitest'
import { whyNoPostgres } from '../../support/processes/private-postgres.ts'
import { expectNeverStale, readWhilePublishing, summaryOf, type Trouble } from './stale-cache.ts'

const ROUND: readonly Trouble[] = ['follower cut', 'replay paused', 'follower silenced', 'follower cut']

describe('A CVE that a node remembers, while it is published again and again', () => {
  it('is never more than 2 s older than the database that the node reads, and never old for good', {
    timeout: 400_000,
  }, async () => {
    expect(whyNoPostgres).toBeUndefined()

    const outcome = await readWhilePublishing({ troubles: [...ROUND, ...ROUND, ...ROUND], calmMs: 7000 })

    process.stdout.write(`${summaryOf(outcome)}\n`)
    expectNeverStale(outcome)
  })
})

// The real catalogue, all of it.
import { describe, expect, it } from 'vitest'
import { cweFeed } from '../../src/feeds/cwe/feed.ts'
import { sharedData } from '../support/shared-data.ts'
import { cweMachine } from './cwe-fixtures.ts'

const ENTRIES = 1429
const from = sharedData('the real CWE catalogue')

describe.skipIf(!from)('The real CWE catalogue', () => {
  it('is stored whole, and once', async () => {
    const { run, look } = await cweMachine()
    const feed = cweFeed({ url: 'https://cwe.example/' })

    expect(await run(feed, { from })).toMatchObject({
      outcome: 'succeeded',
      read: ENTRIES,
      written: ENTRIES,
      rejected: 0,
      duplicates: 0,
    })
    expect(await look('select kind, count(*)::int from source.weakness group by kind order by kind')).toEqual([
      { kind: 'category', count: 409 },
      { kind: 'view', count: 55 },
      { kind: 'weakness', count: 965 },
    ])
    expect(await look('select count(*)::int from source.weakness where is_deprecated')).toEqual([{ count: 160 }])
    expect(await run(feed, { from })).toMatchObject({
      outcome: 'succeeded',
      written: 0,
      removed: 0,
      unchanged: ENTRIES,
    })
  })
})

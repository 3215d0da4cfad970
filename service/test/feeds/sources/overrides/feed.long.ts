// The real overrides, all of them.
import { expect, it } from 'vitest'
import { overridesFeed } from '../../../../src/feeds/sources/overrides/feed.ts'
import { sharedData } from '../../../support/shared-data.ts'
import { testMachine } from '../../feed-harness.ts'

const OVERRIDES = 32_184

const from = sharedData('the real overrides')

it.skipIf(!from)('The real overrides are stored whole, once', async () => {
  const { run, look } = await testMachine()
  const feed = overridesFeed({ url: 'https://overrides.example/' })

  const first = await run(feed, { from })
  expect(first).toMatchObject({ outcome: 'succeeded', read: OVERRIDES, written: OVERRIDES, rejected: 0, fault: null })
  expect(await look("select count(*)::int from source.source_record where source = 'overrides'")).toEqual([
    { count: OVERRIDES },
  ])

  expect(await run(feed, { from })).toMatchObject({ outcome: 'succeeded', written: 0, unchanged: OVERRIDES })
})

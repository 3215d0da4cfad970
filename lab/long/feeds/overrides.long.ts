// Imports all real NVD overrides (Anchore's corrections of NVD records).
import { expect, it } from 'vitest'
import { overridesFeed } from '../../../service/src/feeds/sources/overrides/feed.ts'
import { createFeedHarness } from '../../../service/test/feeds/feed-harness.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const OVERRIDES = 32_184

const from = realData('the test of the real overrides')

it.skipIf(!from)('overrides feed stores all 32,184 real overrides and writes no rows in the second run', async () => {
  const { run, selectRows } = await createFeedHarness()
  const feed = overridesFeed({ url: 'https://overrides.example/' })

  const first = await run(feed, { from })
  expect(first).toMatchObject({ outcome: 'succeeded', read: OVERRIDES, written: OVERRIDES, rejected: 0, error: null })
  expect(await selectRows("select count(*)::int from source.source_record where source = 'overrides'")).toEqual([
    { count: OVERRIDES },
  ])

  expect(await run(feed, { from })).toMatchObject({ outcome: 'succeeded', written: 0, unchanged: OVERRIDES })
})

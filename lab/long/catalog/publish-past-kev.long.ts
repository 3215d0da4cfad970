import { join } from 'node:path'
import { expect, it } from 'vitest'
import { kevFeed } from '../../../service/src/feeds/sources/kev/feed.ts'
import { kevHistoryFeed } from '../../../service/src/feeds/sources/kev/history/feed.ts'
import { createCatalogHarness } from '../../../service/test/catalog/catalog-setup.ts'
import { createFeedHarness } from '../../../service/test/feeds/feed-harness.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const folder = realData('the history of KEV with its real releases', 'data-more')

it.skipIf(folder === undefined)(
  'the KEV history has the eleven entries that CISA has removed since April 2023',
  async () => {
    const feeds = await createFeedHarness()
    const catalog = await createCatalogHarness(feeds.url)
    await feeds.run(kevFeed({ url: 'https://kev.example/' }), { from: join(folder ?? '', '..', 'data') })
    expect(await feeds.run(kevHistoryFeed(), { from: folder })).toMatchObject({ outcome: 'succeeded', rejected: 0 })
    const started = performance.now()
    await catalog.publish()
    console.log(`Publication: ${Math.round(performance.now() - started)} ms`)
    const [counts] = await catalog.selectRows(`
    select (select count(*)::integer from source.kev_past_entry) as states,
           (select count(*)::integer from catalog.kev_change) as changes,
           (select count(*)::integer from catalog.kev_history where removed_at is not null) as removed,
           (select kev_since::text from catalog.past_start) as since
  `)
    console.log(counts)
    expect(counts).toMatchObject({ removed: 11, since: '2023-04-10 09:51:10+00' })
  },
)

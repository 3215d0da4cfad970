// The real evidence, all of it.
import { describe, expect, it } from 'vitest'
import { exploitdbFeed } from '../../../src/feeds/sources/exploitdb/feed.ts'
import { metasploitFeed } from '../../../src/feeds/sources/metasploit/feed.ts'
import { nucleiFeed } from '../../../src/feeds/sources/nuclei/feed.ts'
import { pocFeed } from '../../../src/feeds/sources/poc/feed.ts'
import { sharedData } from '../../support/shared-data.ts'
import { evidenceMachine } from './evidence-harness.ts'

const from = sharedData('the real exploit evidence')
const url = 'https://evidence.example/'

describe.skipIf(!from)('The real exploit evidence', () => {
  it.each([
    // 17 of its lines spell their only CVE oddly, of which 14 can still be told.
    { feed: exploitdbFeed({ url }), items: 46_102, itemsWithCve: 26_742, cves: 24_592, rejected: 0 },
    { feed: metasploitFeed({ url }), items: 4175, itemsWithCve: 2571, cves: 2618, rejected: 0 },
    { feed: nucleiFeed({ url }), items: 4327, itemsWithCve: 4327, cves: 4327, rejected: 0 },
    // Of 9,415 ids, 17 with 18 repositories are none, such as CVE-2014-160.
    { feed: pocFeed({ url }), items: 22_283, itemsWithCve: 22_283, cves: 9398, rejected: 18 },
  ])('of $feed.name is stored whole, once', async ({ feed, items, itemsWithCve, cves, rejected }) => {
    const { run, look } = await evidenceMachine(feed)

    const first = await run(feed, { from })
    expect(first).toMatchObject({ outcome: 'succeeded', read: items + rejected, written: items, rejected, fault: null })
    const named =
      'select count(distinct item_id)::int as items, count(distinct cve_id)::int as cves from source.exploit_item_cve'
    expect(await look(named)).toEqual([{ items: itemsWithCve, cves }])
    expect(await look(`select table_count::int from catalog.dataset where name = '${feed.name}'`)).toEqual([
      { table_count: items },
    ])

    const queued = await look('select count(*)::int, count(distinct cve_id)::int as ids from source.publication_queue')
    const again = await run(feed, { from })
    expect(again).toMatchObject({ outcome: 'succeeded', written: 0, removed: 0, unchanged: items })
    expect(
      await look('select count(*)::int, count(distinct cve_id)::int as ids from source.publication_queue'),
    ).toEqual(queued)
  })
})

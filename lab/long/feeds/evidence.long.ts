// Imports the complete real files of all feeds of exploit evidence.
import { describe, expect, it } from 'vitest'
import { exploitdbFeed } from '../../../service/src/feeds/sources/exploitdb/feed.ts'
import { metasploitFeed } from '../../../service/src/feeds/sources/metasploit/feed.ts'
import { nucleiFeed } from '../../../service/src/feeds/sources/nuclei/feed.ts'
import { pocFeed } from '../../../service/src/feeds/sources/poc/feed.ts'
import { createEvidenceHarness } from '../../../service/test/feeds/sources/evidence-harness.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const from = realData('the test of the real exploit evidence')
const url = 'https://evidence.example/'

describe.skipIf(!from)('Evidence feeds: real files', () => {
  it.each([
    // In the Exploit-DB file, 17 lines misspell their only CVE id; 14 of these ids can still be parsed.
    { feed: exploitdbFeed({ url }), items: 46_102, itemsWithCve: 26_742, cves: 24_592, rejected: 0 },
    { feed: metasploitFeed({ url }), items: 4175, itemsWithCve: 2571, cves: 2618, rejected: 0 },
    { feed: nucleiFeed({ url }), items: 4327, itemsWithCve: 4327, cves: 4327, rejected: 0 },
    // In the PoC list, 17 of 9,415 CVE ids are invalid, such as CVE-2014-160; they belong to 18 repositories.
    { feed: pocFeed({ url }), items: 22_283, itemsWithCve: 22_283, cves: 9398, rejected: 18 },
  ])(
    'imports the complete file for the feed $feed.name and writes no rows in a second run',
    async ({ feed, items, itemsWithCve, cves, rejected }) => {
      const { run, selectRows } = await createEvidenceHarness(feed)

      const first = await run(feed, { from })
      expect(first).toMatchObject({
        outcome: 'succeeded',
        read: items + rejected,
        written: items,
        rejected,
        error: null,
      })
      const named =
        'select count(distinct item_id)::int as items, count(distinct cve_id)::int as cves from source.exploit_item_cve'
      expect(await selectRows(named)).toEqual([{ items: itemsWithCve, cves }])
      expect(await selectRows(`select table_count::int from catalog.dataset where name = '${feed.name}'`)).toEqual([
        { table_count: items },
      ])

      const queued = await selectRows(
        'select count(*)::int, count(distinct cve_id)::int as ids from source.publication_queue',
      )
      const again = await run(feed, { from })
      expect(again).toMatchObject({ outcome: 'succeeded', written: 0, removed: 0, unchanged: items })
      expect(
        await selectRows('select count(*)::int, count(distinct cve_id)::int as ids from source.publication_queue'),
      ).toEqual(queued)
    },
  )
})

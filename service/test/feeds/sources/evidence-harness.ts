// Runs the feeds of exploit evidence (Nuclei, Metasploit, …) on a test database and reads the stored evidence items.

import type { RunDependencies } from '../../../src/feeds/engine/run.ts'
import type { Feed } from '../../../src/feeds/feed.ts'
import { createFeedHarness } from '../feed-harness.ts'
import type { Files } from '../temporary-files.ts'

export async function createEvidenceHarness(feed: Feed) {
  const harness = await createFeedHarness()
  return {
    ...harness,
    /** Runs the evidence feed on a directory that contains only the given files. */
    importFiles: (files: Files, changed?: Partial<RunDependencies>) => harness.importFiles(feed, files, changed),
    /** Returns the stored evidence items with their CVE ids. */
    listStored: () =>
      harness.selectRows<Record<string, unknown>>(`
        select id, kind, title, url, published::text, rank,
               (
                 select coalesce(array_agg(named.cve_id order by named.cve_id), '{}')
                   from source.exploit_item_cve named
                  where named.feed = item.feed and named.item_id = item.id
               ) as cves
          from source.exploit_item item
         where feed = '${feed.name}'
           and removed_at is null
         order by id
      `),
  }
}

// Runs the feeds of exploit evidence (Nuclei, Metasploit, …) on a test database and reads the stored evidence items.

import type { RunDependencies, RunReport } from '../../../src/feeds/engine/run.ts'
import type { Feed } from '../../../src/feeds/feed.ts'
import { createFeedHarness, type FeedHarness } from '../feed-harness.ts'
import { writeTemporaryDirectory } from '../temporary-files.ts'

export interface EvidenceHarness extends FeedHarness {
  /** Runs the evidence feed on a directory that contains only the given files. */
  importFiles(files: Readonly<Record<string, string>>, changed?: Partial<RunDependencies>): Promise<RunReport>
  /** Returns the stored evidence items with their CVE ids. */
  listStored(): Promise<Record<string, unknown>[]>
  listQueued(): Promise<string[]>
  readRejections(): Promise<Record<string, unknown>[]>
  /** Restores the database state before the first run of the feed. */
  reset(): Promise<void>
}

export async function createEvidenceHarness(feed: Feed): Promise<EvidenceHarness> {
  const harness = await createFeedHarness()
  return {
    ...harness,
    importFiles: async (files, changed = {}) =>
      harness.run(feed, { from: await writeTemporaryDirectory(files), ...changed }),
    listStored: () =>
      harness.selectRows(`
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
    listQueued: async () => {
      const rows = await harness.selectRows<{ id: string }>(
        `select cve_id as id from source.publication_queue where feed = '${feed.name}' order by seq`,
      )
      return rows.map(({ id }) => id)
    },
    readRejections: () => harness.selectRows('select subject, reason from source.feed_rejection order by id'),
    reset: async () => {
      await harness.selectRows('truncate source.exploit_item, source.publication_queue, source.feed cascade')
      await harness.selectRows(`update catalog.dataset set table_count = 0 where name = '${feed.name}'`)
    },
  }
}

// The machine that runs feeds of exploit evidence, and a look at what they left behind.

import type { RunReport, RunTools } from '../../../src/feeds/engine/run.ts'
import type { Feed } from '../../../src/feeds/feed.ts'
import { type Machine, testMachine } from '../feed-harness.ts'
import { directoryWith } from '../small-files.ts'

export interface EvidenceMachine extends Machine {
  /** From a directory with nothing but these files in it. */
  read(files: Readonly<Record<string, string>>, changed?: Partial<RunTools>): Promise<RunReport>
  /** Items with the CVEs they name. */
  stored(): Promise<Record<string, unknown>[]>
  queued(): Promise<string[]>
  rejections(): Promise<Record<string, unknown>[]>
  /** As if nothing had ever been read. */
  reset(): Promise<void>
}

export async function evidenceMachine(feed: Feed): Promise<EvidenceMachine> {
  const machine = await testMachine()
  return {
    ...machine,
    read: async (files, changed = {}) => machine.run(feed, { from: await directoryWith(files), ...changed }),
    stored: () =>
      machine.look(`
        select id, kind, title, url, published::text, rank,
               (
                 select coalesce(array_agg(named.cve_id order by named.cve_id), '{}')
                   from source.exploit_item_cve named
                  where named.feed = item.feed and named.item_id = item.id
               ) as cves
          from source.exploit_item item
         where feed = '${feed.name}'
         order by id
      `),
    queued: async () => {
      const rows = await machine.look<{ id: string }>(
        `select cve_id as id from source.publication_queue where feed = '${feed.name}' order by seq`,
      )
      return rows.map(({ id }) => id)
    },
    rejections: () => machine.look('select subject, reason from source.feed_rejection order by id'),
    reset: async () => {
      await machine.look('truncate source.exploit_item, source.publication_queue, source.feed cascade')
      await machine.look(`update catalog.dataset set table_count = 0 where name = '${feed.name}'`)
    },
  }
}

// Fixtures for published events of a CVE, as the publisher stores them:
// await given(event('CVE-2021-44228', { kind: 'kev_added', upstreamAt: '2021-12-10' })).
import { sql } from 'kysely'
import type { EventKind } from '../../../src/domain/exploitation/event-kind.ts'
import type { Fixture } from '../builders.ts'
import { requireCveKey } from './cve-builder.ts'

interface EventOptions {
  readonly kind: Exclude<EventKind, 'published' | 'modified'>
  readonly upstreamAt: string
  /** Time of the publication. Without it, the event comes from its feed's first load. */
  readonly firstSeen?: string
  /** End of the time in which the event is new; `infinity` until a publisher has settled the event. */
  readonly unseenUntil?: string
  readonly notice?: string
}

export function event(id: string, options: EventOptions): Fixture {
  const { kind, upstreamAt, firstSeen = null, unseenUntil = firstSeen, notice = '' } = options
  return {
    store: async (db) => {
      await sql`
        insert into catalog.event (cve_key, kind, subject, upstream_at, source_first_seen, first_seen, unseen_until)
        values (${requireCveKey(id)}, ${kind}, ${notice}, ${upstreamAt}, ${firstSeen}, ${firstSeen}, ${unseenUntil})
      `.execute(db)
    },
  }
}

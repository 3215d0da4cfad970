// A fake feed for tests of the feed engine. Each test lists the deliveries (files or pages of an upstream) and their
// records.
import { Type } from 'typebox'
import { parseCveId } from '../../src/domain/cve-id.ts'
import { parseDateTime } from '../../src/domain/instant.ts'
import type { Delivery, Feed, FetchContext } from '../../src/feeds/feed.ts'
import { compileSchema } from '../../src/feeds/schema-check.ts'
import { type SourceRow, sourceRecordStore, toSourceRow } from '../../src/feeds/stores/source-record.ts'

const RECORD = compileSchema(
  Type.Object({ id: Type.String(), modified: Type.String(), score: Type.Optional(Type.Number()) }),
)

export interface FakeRecord {
  readonly id: string
  readonly modified: string
  readonly text?: string
  readonly score?: number
}

export type FakeDelivery = Partial<Omit<Delivery<unknown>, 'records'>> & {
  readonly items: readonly unknown[]
  /** Called when the engine has taken the last record of the delivery and requests the next one. */
  afterLastRecord?(): Promise<void> | void
}

/**
 * Creates a fake feed. It has the name of the real feed nvd, because the table catalog.dataset has rows only for real
 * feeds.
 */
export function createFakeFeed(
  deliveries: readonly FakeDelivery[] | ((context: FetchContext) => AsyncIterable<FakeDelivery>),
): Feed {
  const feed: Feed<unknown, SourceRow> = {
    name: 'nvd',
    intervalSeconds: 7200,
    staleAfterSeconds: 86_400,
    guards: [],
    store: sourceRecordStore('nvd'),
    normalise: (raw, now) => {
      if (!RECORD.matches(raw)) return { rejected: 'a record', reason: RECORD.describeMismatch(raw) }
      const [cveId, modified] = [parseCveId(raw.id), parseDateTime(raw.modified)]
      if (!cveId || !modified) return { rejected: raw.id, reason: 'not a CVE id, or no date' }
      return toSourceRow(cveId, modified, { value: raw, score: raw.score ?? null }, now)
    },
    collect: async () => ({ index: null }),
    fetch: async function* (context) {
      const source = typeof deliveries === 'function' ? deliveries(context) : deliveries
      for await (const each of source) yield toDelivery(each)
    },
  }
  return feed
}

function toDelivery({ items, afterLastRecord, ...rest }: FakeDelivery): Delivery<unknown> {
  return {
    label: 'records.json',
    kind: 'delta',
    upstreamAt: undefined,
    cursor: null,
    ...rest,
    records: async function* () {
      for (const raw of items) yield { raw }
      await afterLastRecord?.()
    },
  }
}

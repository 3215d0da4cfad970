// A feed of ours for tests of the machine: what its upstream says is written down in the test.
import { Type } from 'typebox'
import { parseCveId } from '../../src/domain/cve-id.ts'
import { parseDateTime } from '../../src/domain/instant.ts'
import type { Delivery, Feed, FetchContext } from '../../src/feeds/feed.ts'
import { shapeOf } from '../../src/feeds/schema-check.ts'
import { type SourceRow, sourceRecordStore, sourceRow } from '../../src/feeds/stores/source-record.ts'

const saying = shapeOf(Type.Object({ id: Type.String(), modified: Type.String(), score: Type.Optional(Type.Number()) }))

export interface Said {
  readonly id: string
  readonly modified: string
  readonly text?: string
  readonly score?: number
}

export type ToyDelivery = Partial<Omit<Delivery<unknown>, 'records'>> & {
  readonly says: readonly unknown[]
  /** Happens while the delivery is read, after its last record. */
  atEnd?(): Promise<void> | void
}

/** The feed is called nvd, since only named data sets have a row of their own. */
export function toyFeed(deliveries: readonly ToyDelivery[] | ((context: FetchContext) => AsyncIterable<ToyDelivery>)): Feed {
  const feed: Feed<unknown, SourceRow> = {
    name: 'nvd',
    title: 'A toy',
    everySeconds: 7200,
    staleAfterSeconds: 86_400,
    guards: [],
    store: sourceRecordStore('nvd'),
    normalise: (raw, now) => {
      if (!saying.fits(raw)) return { rejected: 'a toy', reason: saying.fault(raw) }
      const [cveId, modified] = [parseCveId(raw.id), parseDateTime(raw.modified)]
      if (!cveId || !modified) return { rejected: raw.id, reason: 'not a CVE id, or no date' }
      return sourceRow(cveId, modified, { value: raw, score: raw.score ?? null }, now)
    },
    fetch: async function* (context) {
      const said = typeof deliveries === 'function' ? deliveries(context) : deliveries
      for await (const each of said) yield deliveryOf(each)
    },
  }
  return feed
}

function deliveryOf({ says, atEnd, ...rest }: ToyDelivery): Delivery<unknown> {
  return {
    label: 'toys.json',
    kind: 'delta',
    upstreamAt: undefined,
    cursor: null,
    ...rest,
    records: async function* () {
      for (const raw of says) yield { raw }
      await atEnd?.()
    },
  }
}

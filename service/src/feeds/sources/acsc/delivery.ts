import type { Delivery, Rejected } from '../../feed.ts'
import { parseMailDate } from './dates.ts'
import type { RawNotice } from './notice.ts'

/** Everything is at hand: the feeds are short, and of their pages only the facts were kept. */
export function deliveryOf(
  notices: readonly RawNotice[],
  cursor: unknown,
  unusable: readonly Rejected[] = [],
): Delivery<RawNotice> {
  return {
    label: 'notices',
    kind: 'delta',
    upstreamAt: newest(notices),
    cursor,
    records: async function* () {
      yield* notices.map((raw) => ({ raw }))
      yield* unusable
    },
  }
}

function newest(notices: readonly RawNotice[]): Date | undefined {
  const dates = notices.flatMap(({ item }) => parseMailDate(item?.published ?? '') ?? [])
  return dates.toSorted((one, other) => other.getTime() - one.getTime())[0]
}

import type { Delivery, Rejected } from '../../feed.ts'
import { parseRfc822Date } from './dates.ts'
import type { RawNotice } from './notice.ts'

/** All notices fit in memory: the RSS feeds are short, and only some fields of the pages are kept. */
export function buildDelivery(
  notices: readonly RawNotice[],
  cursor: unknown,
  rejections: readonly Rejected[] = [],
): Delivery<RawNotice> {
  return {
    label: 'notices',
    kind: 'delta',
    upstreamAt: findNewestDate(notices),
    cursor,
    records: async function* () {
      yield* notices.map((raw) => ({ raw }))
      yield* rejections
    },
  }
}

function findNewestDate(notices: readonly RawNotice[]): Date | undefined {
  const dates = notices.flatMap((each) => ('item' in each && parseRfc822Date(each.item?.published ?? '')) || [])
  return dates.toSorted((one, other) => other.getTime() - one.getTime())[0]
}

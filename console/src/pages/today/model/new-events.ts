// Which events are new to the member, by the position in the change log that the member has seen.
import type { CveEvent } from '../../../text/event.ts'

interface Parted {
  readonly fresh: readonly CveEvent[]
  readonly seen: readonly CveEvent[]
}

/** Keeps the order on both sides. Without a position, such as on a first visit, no event is marked as new. */
export function partEvents(events: readonly CveEvent[], position: string | undefined): Parted {
  if (position === undefined) return { fresh: [], seen: events }
  const [seq = ''] = position.split(':')
  const isNew = (event: CveEvent) => event.seq > Number(seq)
  return { fresh: events.filter(isNew), seen: events.filter((event) => !isNew(event)) }
}

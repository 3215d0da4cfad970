// The events of the timeline as a table, and as a list for a phone.
import { formatDate } from '../../../text/date-words.ts'
import { ExternalLink } from '../parts/external-link.tsx'
import { MoreList } from '../parts/more-list.tsx'
import { type Gap, LANES, type LaneEvent } from './lanes.ts'

const FIRST_ROWS = 12

export function EventTable({ events }: { readonly events: readonly LaneEvent[] }) {
  return (
    <MoreList items={events} first={FIRST_ROWS} noun="events">
      {(shown) => (
        <div className="relative overflow-x-auto">
          <table className="w-full border-collapse text-sm">
            <caption className="sr-only">Events by date</caption>
            <thead>
              <tr className="text-left text-xs text-ink-3">
                <th scope="col" className="py-1 pr-4 font-medium">
                  Day
                </th>
                <th scope="col" className="py-1 pr-4 font-medium">
                  Kind
                </th>
                <th scope="col" className="w-full py-1 font-medium">
                  Event
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((event, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two events can be equal, and events never move.
                <tr key={index} className="border-t border-line align-top">
                  <td className="py-1.5 pr-4 whitespace-nowrap text-ink-2">
                    {event.day && formatDate(event.day)}
                    {event.dayNote && <span className="block text-xs text-ink-3">{event.dayNote}</span>}
                  </td>
                  <td className="py-1.5 pr-4 whitespace-nowrap text-ink-2">{LANES[event.lane]}</td>
                  <td className="py-1.5">
                    <EventText event={event} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </MoreList>
  )
}

const FIRST_ITEMS = 5

/** The same for a narrow screen, with the gaps where they end. */
export function EventList({ events, gaps }: { readonly events: readonly LaneEvent[]; readonly gaps: readonly Gap[] }) {
  const days = [...Map.groupBy(events, ({ day = '' }) => day)]
  return (
    <MoreList items={days} first={FIRST_ITEMS} noun="days">
      {(shown) => (
        <ol className="ml-1 space-y-3 border-l-2 border-line pl-4 text-sm [&_a]:underline">
          {shown.map(([day, found]) => (
            <li key={day}>
              <span className="font-semibold">{formatDate(day)}</span>{' '}
              {found.slice(0, MAX_OF_DAY).map((event, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two events can be equal, and events never move.
                <span key={index}>
                  {index > 0 && '; '}
                  <EventText event={event} />
                  {event.dayNote && <span className="text-ink-2">{` (${event.dayNote})`}</span>}
                </span>
              ))}
              {found.length > MAX_OF_DAY && ` and ${found.length - MAX_OF_DAY} more`}
              {gaps
                .filter(({ to }) => to === day)
                .map(({ text, tone }) => (
                  <span
                    key={text}
                    className={`block font-medium ${tone === 'critical' ? 'text-critical' : 'text-high'}`}
                  >
                    {text}
                  </span>
                ))}
            </li>
          ))}
        </ol>
      )}
    </MoreList>
  )
}

const MAX_OF_DAY = 2

function EventText({ event: { text, url } }: { readonly event: LaneEvent }) {
  if (url) return <ExternalLink url={url}>{text}</ExternalLink>
  return <span className="[overflow-wrap:anywhere]">{text}</span>
}

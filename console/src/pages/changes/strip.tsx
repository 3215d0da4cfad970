// The week as a table of kinds and days.
import { Link } from '@tanstack/react-router'
import { classNames } from '../../text/class-names.ts'
import { formatNumber } from '../../text/format.ts'
import { formatShortDay, listDays } from '../../text/months.ts'
import type { buildStrip } from './model.ts'
import type { Week } from './queries.ts'
import { type ChangesState, toSearch } from './state.ts'

interface StripProps {
  readonly rows: ReturnType<typeof buildStrip>
  readonly week: Week
  readonly state: ChangesState
}

const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' })

export function Strip({ rows, week, state }: StripProps) {
  const days = listDays(week.from, week.to)
  const largest = Math.max(1, ...rows.flatMap(({ counts }) => counts))
  return (
    <table className="w-full table-fixed border-collapse text-sm">
      <caption className="sr-only">Number of changes by kind and day</caption>
      <thead>
        <tr className="text-xs text-ink-3">
          <th scope="col" className="w-38 px-3 py-1.5 text-left font-medium max-sm:w-26 sm:px-4 lg:w-60">
            Kind
          </th>
          {days.map((day) => (
            <th key={day} scope="col" className="px-0.5 py-1.5 font-medium">
              <abbr title={day} className="no-underline">
                <span className="max-lg:hidden">{WEEKDAY.format(new Date(day))} </span>
                <span className="max-sm:hidden">{formatShortDay(day)}</span>
                <span className="sm:hidden">{Number(day.slice(-2))}</span>
              </abbr>
            </th>
          ))}
          <th scope="col" className="w-16 px-3 py-1.5 text-right font-medium max-sm:w-12 sm:px-4">
            All
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ type, label, counts, total }) => (
          <tr key={type} className="border-t border-line-2">
            <th scope="row" className="px-3 py-1 text-left font-normal sm:px-4">
              <Link
                to="/changes"
                search={toSearch({ ...state, types: [type] })}
                className="inline-block py-1 text-accent hover:underline"
              >
                {label}
              </Link>
            </th>
            {counts.map((count, index) => (
              <td key={days[index]} className="px-0.5 py-1 text-center">
                <span className={classNames('block rounded-sm py-1 leading-5', toShade(count / largest))}>
                  {count === 0 ? '–' : count}
                </span>
              </td>
            ))}
            <td className="px-3 py-1 text-right font-semibold sm:px-4">{formatNumber(total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** `share` is the part of the largest number in the week. */
function toShade(share: number): string {
  if (share === 0) return 'text-ink-3'
  if (share > 0.5) return 'bg-vendor-3 font-semibold'
  return share > 0.15 ? 'bg-vendor-2' : 'bg-vendor-1'
}

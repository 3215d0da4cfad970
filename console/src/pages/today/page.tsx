// The start page: what became urgent, what is exploited, and what happened to which CVE.
import { useQueries, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { urgentQuery } from '../../data/urgent-query.ts'
import { useNow } from '../../kit/now.ts'
import { Page } from '../../kit/page.tsx'
import { Loading } from '../../kit/states/loading.tsx'
import { classNames } from '../../text/class-names.ts'
import { toDay } from '../../text/days.ts'
import { shiftDay } from '../../text/months.ts'
import { EventList } from './event-list.tsx'
import { Freshness } from './freshness.tsx'
import { KevChart } from './kev-chart.tsx'
import { isChartEmpty } from './model/beginning.ts'
import { exploitQuery, kevPerDayQuery, unratedNowQuery, unratedQuery } from './queries.ts'
import { parseWeek } from './state.ts'
import { lacksPresent, Tiles } from './tiles.tsx'
import { UrgentChart } from './urgent-chart.tsx'
import { useEvents } from './use-events.ts'
import { Vendors } from './vendors.tsx'

const LONG_DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })
const TWO = 'grid gap-3 sm:gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]'

/** What stands below the list on a phone waits for it, and so does not move when the list arrives. */
const BELOW = 'max-sm:hidden'

export function TodayPage() {
  const now = useNow()
  const chosen = parseWeek(useSearch({ strict: false }))
  const to = chosen ?? toDay(now)
  const statistics = useQueries({ queries: [urgentQuery, kevPerDayQuery, exploitQuery, unratedQuery] })
  const present = useQuery({ ...unratedNowQuery, enabled: lacksPresent(statistics[3].data) })
  const urgent = statistics[0].data
  // A chart without a day would only push the list down. A line above says from when it has one.
  const hasChart = urgent === undefined || !isChartEmpty(urgent)
  const week = { from: shiftDay(to, -6), to }
  const read = useEvents(week, chosen === undefined)
  const events = <EventList week={week} read={read} />
  const below = read.isReading ? BELOW : ''
  // What is known decides how many tiles and charts there are. Nothing that is shown moves when the last answer comes.
  if (present.isLoading || statistics.some(({ isPending }) => isPending))
    return (
      <Page title="Today" note={LONG_DAY.format(now)}>
        <Loading label="Loading the numbers of the week" lines={8} />
      </Page>
    )
  return (
    <Page title="Today" note={LONG_DAY.format(now)}>
      <Tiles />
      {hasChart ? (
        // On a phone, what happened comes before the charts.
        <div className="flex flex-col gap-3 sm:gap-4">
          <div className={classNames(TWO, 'max-sm:order-last', below)}>
            <UrgentChart chosen={chosen} />
            <KevChart />
          </div>
          <div className={`${TWO} xl:items-start`}>
            {events}
            <div className={classNames('min-w-0', below)}>
              <Vendors />
            </div>
          </div>
        </div>
      ) : (
        <div className={`${TWO} xl:items-start`}>
          {events}
          <div className={classNames('space-y-3 sm:space-y-4', below)}>
            <KevChart />
            <Vendors />
          </div>
        </div>
      )}
      <div className={below}>
        <Freshness />
      </div>
    </Page>
  )
}

// The start page: what became urgent, what is exploited, and what happened to which CVE.
import { useSearch } from '@tanstack/react-router'
import { useNow } from '../../kit/now.ts'
import { Page } from '../../kit/page.tsx'
import { toDay } from '../../text/days.ts'
import { shiftDay } from '../../text/months.ts'
import { EventList } from './event-list.tsx'
import { Freshness } from './freshness.tsx'
import { KevChart } from './kev-chart.tsx'
import { parseWeek } from './state.ts'
import { Tiles } from './tiles.tsx'
import { UrgentChart } from './urgent-chart.tsx'
import { Vendors } from './vendors.tsx'

const LONG_DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })
const TWO = 'grid gap-3 sm:gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]'

export function TodayPage() {
  const now = useNow()
  const chosen = parseWeek(useSearch({ strict: false }))
  const to = chosen ?? toDay(now)
  return (
    <Page title="Today" note={LONG_DAY.format(now)}>
      <Tiles />
      {/* On a phone, what happened comes before the charts. */}
      <div className="flex flex-col gap-3 sm:gap-4">
        <div className={`${TWO} max-sm:order-last`}>
          <UrgentChart chosen={chosen} />
          <KevChart />
        </div>
        <div className={`${TWO} xl:items-start`}>
          <EventList week={{ from: shiftDay(to, -6), to }} isNewest={chosen === undefined} />
          <Vendors />
        </div>
      </div>
      <Freshness />
    </Page>
  )
}

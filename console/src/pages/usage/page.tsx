// Credits by day, endpoint and key, with a forecast for the end of the month.
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Download } from 'lucide-react'
import type { Usage, UsageBreakdown } from 'vis-sdk'
import { keysQuery, usageQuery } from '../../data/queries.ts'
import { mayManage } from '../../data/role.ts'
import { useSession } from '../../data/use-session.ts'
import { ChartFrame } from '../../kit/chart-frame.tsx'
import { Button, buttonClasses } from '../../kit/controls/button.tsx'
import { CHOICE, CHOICES } from '../../kit/controls/choices.ts'
import { download } from '../../kit/download.ts'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { formatNumber } from '../../text/format.ts'
import { firstDayOf, formatMonth, lastDayOf, shiftMonth, toMonth } from '../../text/months.ts'
import { toCsv } from './csv.ts'
import { DayChart } from './day-chart.tsx'
import { explainForecast } from './describe-usage.ts'
import { CurrentFigures, PastFigures } from './figures.tsx'
import { GROUPINGS, type Grouping } from './grouping.ts'
import { breakdownQuery } from './queries.ts'
import { parseState, toSearch, type UsageState } from './state.ts'
import { DayTable, GroupTable } from './tables.tsx'
import { toView, type UsageView } from './view.ts'

export function UsagePage() {
  const query = useQuery(usageQuery)
  return (
    <QueryState query={query} label="Loading the usage" lines={8}>
      {(usage) => <MonthPage usage={usage} />}
    </QueryState>
  )
}

function MonthPage({ usage }: { readonly usage: Usage }) {
  const state = parseState(useSearch({ strict: false }))
  // The database clock decides which month is charged, so the current month is the one before the reset.
  const current = shiftMonth(toMonth(usage.reset_at), -1)
  const month = state.month !== undefined && state.month < current ? state.month : current
  const { grouping } = state
  const query = useQuery(breakdownQuery({ month, isCurrent: month === current, grouping }))
  const nameGroup = useGroupNames(grouping)
  const view = query.data && toView({ breakdown: query.data, month, current, grouping, usage })
  return (
    <Page
      title="Usage"
      note={formatMonth(month)}
      actions={
        <>
          <MonthLinks state={state} month={month} current={current} />
          <Button
            disabled={view === undefined}
            onClick={() => view && download(`usage-${month}.csv`, toCsv(view.rows, grouping, nameGroup), 'csv')}
          >
            <Download aria-hidden size={14} /> CSV
          </Button>
        </>
      }
    >
      <QueryState query={query} label="Loading the usage of the month" lines={10}>
        {(breakdown: UsageBreakdown) => (
          <Content
            view={toView({ breakdown, month, current, grouping, usage })}
            usage={usage}
            state={state}
            nameGroup={nameGroup}
          />
        )}
      </QueryState>
    </Page>
  )
}

interface ContentProps {
  readonly view: UsageView
  readonly usage: Usage
  readonly state: UsageState
  readonly nameGroup: (group: string) => string
}

function Content({ view, usage, state, nameGroup }: ContentProps) {
  const { chart, groups, totals, forecast, isCurrent, today, month } = view
  const title = state.grouping === 'endpoint' ? 'Endpoint' : 'Key'
  return (
    <>
      {isCurrent ? (
        <CurrentFigures usage={usage} totals={totals} forecast={forecast} lastDay={lastDayOf(month)} />
      ) : (
        <PastFigures totals={totals} bars={chart.bars} />
      )}
      <GroupingLinks state={state} />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <ChartFrame
          title="Credits by day"
          summary={`Credits of each day of ${formatMonth(month)}, ${formatNumber(totals.credits)} in all`}
          table={<DayTable bars={chart.bars.filter(({ day }) => day <= today)} />}
        >
          {totals.credits > 0 ? (
            <DayChart chart={chart} forecast={forecast} today={today} nameGroup={nameGroup} />
          ) : (
            <Empty title="No credits were used in this month">Calls of the API appear here within seconds.</Empty>
          )}
        </ChartFrame>
        <Panel title={`By ${state.grouping}`} isFlush>
          {groups.length > 0 ? (
            <GroupTable
              caption={`Calls and credits by ${state.grouping}`}
              header={title}
              rows={groups}
              nameGroup={nameGroup}
            />
          ) : (
            <Empty title="No calls in this month" />
          )}
        </Panel>
      </div>
      <p className="max-w-prose text-xs text-ink-3">
        {forecast && `${explainForecast(forecast)} `}
        Reads of the console cost no credits. Days and months are in UTC, from{' '}
        <span className="whitespace-nowrap">{firstDayOf(month)}</span> to{' '}
        <span className="whitespace-nowrap">{lastDayOf(month)}</span>.
      </p>
    </>
  )
}

/** Returns the label of a group: the name of a key if the person may read it, otherwise its number. */
function useGroupNames(grouping: Grouping): (group: string) => string {
  const mayReadKeys = mayManage(useSession()?.role)
  const { data } = useQuery({ ...keysQuery, enabled: grouping === 'key' && mayReadKeys })
  if (grouping === 'endpoint') return (group) => (group === 'console' ? 'console (free)' : group)
  const names = new Map(data?.map(({ id, name, last_four }) => [id, name ?? `…${last_four}`]))
  return (group) => (group === '' || group === '0' ? 'console (free)' : (names.get(group) ?? `key ${group}`))
}

interface MonthLinksProps {
  readonly state: UsageState
  readonly month: string
  readonly current: string
}

function MonthLinks({ state, month, current }: MonthLinksProps) {
  const [before, after] = [shiftMonth(month, -1), shiftMonth(month, 1)]
  return (
    <>
      <Link to="/usage" search={toSearch({ ...state, month: before })} className={buttonClasses()}>
        <ChevronLeft aria-hidden size={14} /> {formatMonth(before)}
      </Link>
      {month < current && (
        <Link
          to="/usage"
          search={toSearch({ ...state, month: after === current ? undefined : after })}
          className={buttonClasses()}
        >
          {formatMonth(after)} <ChevronRight aria-hidden size={14} />
        </Link>
      )}
    </>
  )
}

function GroupingLinks({ state }: { readonly state: UsageState }) {
  return (
    <nav aria-label="Grouping" className={CHOICES}>
      {GROUPINGS.map((grouping) => (
        <Link
          key={grouping}
          to="/usage"
          search={toSearch({ ...state, grouping })}
          activeOptions={{ exact: true, includeSearch: true }}
          className={CHOICE}
        >
          By {grouping}
        </Link>
      ))}
    </nav>
  )
}

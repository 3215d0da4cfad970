// How many CVEs became urgent on each day. Choosing a column chooses its week, which filters the list below.
import { useQuery } from '@tanstack/react-query'
import type { StatsSeries } from 'vis-sdk'
import { urgentQuery } from '../../data/urgent-query.ts'
import { ChartPanel } from '../../kit/charts/chart-panel.tsx'
import { type ChartColumn, ColumnChart } from '../../kit/charts/column-chart.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { Table } from '../../kit/tables/table.tsx'
import { formatLongDay, formatShortDay } from '../../text/months.ts'
import { CHART_WEEKS } from './model/beginning.ts'
import { isIn, listWeeks, type Week } from './model/weeks.ts'

const SERIES = [
  { label: 'P0', className: 'bg-critical-solid' },
  { label: 'P1', className: 'bg-urgent' },
] as const

type Bucket = StatsSeries['buckets'][number]

interface UrgentChartProps {
  /** The last day of the chosen week; undefined for the newest one. */
  readonly chosen: string | undefined
}

export function UrgentChart({ chosen }: UrgentChartProps) {
  const query = useQuery(urgentQuery)
  const { data } = query
  const weeks = data ? listWeeks(data.to, CHART_WEEKS) : []
  const days = data?.buckets.filter(({ from }) => weeks[0] !== undefined && from >= weeks[0].from) ?? []
  return (
    <ChartPanel
      title="Became urgent per day"
      note={describeNote(data)}
      legend={SERIES}
      table={<ValueTable days={days} />}
    >
      <div className="min-h-49">
        <QueryState query={query} label="Loading what became urgent" lines={6}>
          {({ to, complete_since }) => (
            <ColumnChart
              label="CVEs that became urgent per day, by the level that they reached"
              series={SERIES}
              columns={days.map((day) => toColumn(day, weeks, chosen ?? to))}
              hasAxis
              unknown={
                complete_since === null
                  ? 'The service does not record this yet.'
                  : `Not recorded before ${formatLongDay(complete_since.slice(0, 10))}.`
              }
              staysOnPage
            />
          )}
        </QueryState>
      </div>
    </ChartPanel>
  )
}

function describeNote(data: StatsSeries | undefined): string {
  const [first] = data ? listWeeks(data.to, CHART_WEEKS) : []
  const known = data?.complete_since
  if (!data || !first) return 'last four weeks'
  if (known === null) return 'not recorded yet'
  return known !== undefined && known.slice(0, 10) >= first.from
    ? `recorded since ${formatShortDay(known.slice(0, 10))}`
    : 'last four weeks'
}

function toColumn(day: Bucket, weeks: readonly Week[], chosen: string): ChartColumn {
  const week = weeks.find((each) => isIn(day.from, each)) ?? { from: day.from, to: day.from }
  const isNewest = week.to === weeks.at(-1)?.to
  const values = readValues(day)
  return {
    id: day.from,
    name: formatLongDay(day.from),
    // The label of each week's first day has room up to the next one.
    label: day.from === week.from ? formatShortDay(day.from) : '',
    values,
    note: `Shows the week to ${formatShortDay(week.to)} below`,
    isChosen: week.to === chosen,
    isPartial: day.from === weeks.at(-1)?.to,
    to: '/',
    search: isNewest ? {} : { week: week.to },
  }
}

/** P0 and P1: the levels that the CVEs reached. */
function readValues({ count, values = [] }: Bucket): readonly number[] | null {
  if (count === null) return null
  const p0 = values.find(({ value }) => value === 'P0')?.count ?? 0
  return [p0, count - p0]
}

function ValueTable({ days }: { readonly days: readonly Bucket[] }) {
  return (
    <Table
      caption="CVEs that became urgent per day"
      rows={days.toReversed()}
      getKey={({ from }) => from}
      columns={[
        { id: 'day', header: 'Day', cell: ({ from }) => from },
        ...SERIES.map(({ label }, index) => ({
          id: label,
          header: label,
          isNumeric: true,
          cell: (day: Bucket) => readValues(day)?.[index] ?? 'not known',
        })),
      ]}
    />
  )
}

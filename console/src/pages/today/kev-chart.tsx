// Additions to CISA's KEV catalog per month, with the share that ransomware campaigns use.
import { useQuery } from '@tanstack/react-query'
import type { StatsSeries } from 'vis-sdk'
import { ChartPanel } from '../../kit/charts/chart-panel.tsx'
import { type ChartColumn, ColumnChart } from '../../kit/charts/column-chart.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { Table } from '../../kit/tables/table.tsx'
import { formatMonth, formatShortMonth, toMonth } from '../../text/months.ts'
import { kevPerMonthQuery } from './queries.ts'

const SERIES = [
  { label: 'with known ransomware use', className: 'hatched-series' },
  { label: 'others', className: 'bg-series-1' },
] as const

type Bucket = StatsSeries['buckets'][number]

export function KevChart() {
  const query = useQuery(kevPerMonthQuery)
  const months = query.data?.buckets ?? []
  return (
    <ChartPanel
      title="Added to CISA KEV"
      note="per month"
      legend={[{ label: 'ransomware', className: 'hatched-series' }]}
      table={<ValueTable months={months} />}
    >
      <div className="min-h-49">
        <QueryState query={query} label="Loading the additions to KEV" lines={6}>
          {({ buckets, to }) => (
            <ColumnChart
              label="Entries added to CISA KEV per month"
              series={SERIES}
              columns={buckets.map((bucket, index) => toColumn(bucket, index, to))}
            />
          )}
        </QueryState>
      </div>
    </ChartPanel>
  )
}

function toColumn(bucket: Bucket, index: number, lastDay: string): ChartColumn {
  const month = toMonth(bucket.from)
  return {
    id: month,
    name: formatMonth(month),
    label: index % 2 === 0 ? formatShortMonth(month) : '',
    ...(bucket.count === null ? {} : { topLabel: String(bucket.count) }),
    values: readValues(bucket),
    isPartial: bucket.to === lastDay,
    to: '/kev',
    search: { month },
  }
}

function readValues({ count, values = [] }: Bucket): readonly number[] | null {
  if (count === null) return null
  const known = values.find(({ value }) => value === 'true')?.count ?? 0
  return [known, count - known]
}

function ValueTable({ months }: { readonly months: readonly Bucket[] }) {
  return (
    <Table
      caption="Entries added to CISA KEV per month"
      rows={months.toReversed()}
      getKey={({ from }) => from}
      columns={[
        { id: 'month', header: 'Month', cell: ({ from }) => formatMonth(toMonth(from)) },
        { id: 'count', header: 'Added', isNumeric: true, cell: ({ count }) => count ?? 'not known' },
        {
          id: 'ransomware',
          header: 'Ransomware',
          isNumeric: true,
          cell: (month) => readValues(month)?.[0] ?? 'not known',
        },
      ]}
    />
  )
}

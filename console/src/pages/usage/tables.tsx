// The tables next to the chart: totals by endpoint or key, and by day.
import { type Column, Table } from '../../kit/tables/table.tsx'
import { formatNumber } from '../../text/format.ts'
import type { DayBar, GroupAmount } from './series.ts'

interface GroupTableProps {
  readonly caption: string
  readonly header: string
  readonly rows: readonly GroupAmount[]
  readonly nameGroup: (group: string) => string
}

export function GroupTable({ caption, header, rows, nameGroup }: GroupTableProps) {
  const most = Math.max(1, ...rows.map(({ credits }) => credits))
  const columns: readonly Column<GroupAmount>[] = [
    {
      id: 'group',
      header,
      cell: ({ group, credits }) => (
        <>
          <span className="block break-words">{nameGroup(group)}</span>
          <span aria-hidden className="mt-1 block h-1 rounded-full bg-soft">
            <span style={{ width: `${(credits / most) * 100}%` }} className="block h-1 rounded-full bg-series-1" />
          </span>
        </>
      ),
      sortValue: ({ group }) => nameGroup(group),
      className: 'w-full',
    },
    {
      id: 'calls',
      header: 'Calls',
      cell: ({ calls }) => formatNumber(calls),
      sortValue: ({ calls }) => calls,
      isNumeric: true,
    },
    {
      id: 'credits',
      header: 'Credits',
      cell: ({ credits }) => <span className="font-medium">{formatNumber(credits)}</span>,
      sortValue: ({ credits }) => credits,
      isNumeric: true,
    },
  ]
  return <Table caption={caption} columns={columns} rows={rows} getKey={({ group }) => group} />
}

const DAY_COLUMNS: readonly Column<DayBar>[] = [
  { id: 'day', header: 'Day', cell: ({ day }) => day, sortValue: ({ day }) => day, className: 'whitespace-nowrap' },
  {
    id: 'calls',
    header: 'Calls',
    cell: ({ calls }) => formatNumber(calls),
    sortValue: ({ calls }) => calls,
    isNumeric: true,
  },
  {
    id: 'credits',
    header: 'Credits',
    cell: ({ credits }) => formatNumber(credits),
    sortValue: ({ credits }) => credits,
    isNumeric: true,
  },
]

export function DayTable({ bars }: { readonly bars: readonly DayBar[] }) {
  return <Table caption="Calls and credits of each day" columns={DAY_COLUMNS} rows={bars} getKey={({ day }) => day} />
}

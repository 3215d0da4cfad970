// The state of the service and its data sets, from /health. The page needs no sign-in.
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import type { Health } from 'vis-sdk'
import {
  type Dataset,
  describeFreshness,
  describeLoading,
  describeRun,
  formatAge,
  isNotSetUp,
  isOutdated,
  listDatasets,
} from '../../data/datasets.ts'
import { healthQuery } from '../../data/queries.ts'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Absent } from '../../kit/states/absent.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { type Column, Table } from '../../kit/tables/table.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { classNames } from '../../text/class-names.ts'
import { formatDay, formatNumber } from '../../text/format.ts'
import { titleDataset } from '../../text/source-names.ts'

/** Time between two reads of /health while the page is open. */
const REFRESH_MS = 30_000

export function StatusPage() {
  const query = useQuery({ ...healthQuery, refetchInterval: REFRESH_MS, staleTime: 0 })
  return (
    <Page title="Status">
      {query.data && query.error && (
        <p role="status" className="text-sm text-ink-2">
          The service does not answer at the moment. The values below are the last known ones.
        </p>
      )}
      <QueryState query={query} label="Loading the status of the data" lines={12}>
        {(health) => (
          <>
            <Summary health={health} />
            <Datasets health={health} />
          </>
        )}
      </QueryState>
    </Page>
  )
}

/** The rows of data sets that are not set up would all say the same, so their names stand in one line. */
function Datasets({ health }: { readonly health: Health }) {
  const all = listDatasets(health)
  const rows = all.filter((each) => !isNotSetUp(each))
  const missing = all.filter(isNotSetUp)
  return (
    <Panel title="Data sets" note={String(rows.length)} isFlush>
      {rows.length > 0 && (
        <Table caption="State of each data set" columns={COLUMNS} rows={rows} getKey={({ name }) => name} />
      )}
      {missing.length > 0 && (
        <div className="border-t border-line px-3 py-3 sm:px-4">
          <h3 className="font-semibold">{`${formatNumber(missing.length)} not set up`}</h3>
          <p className="mt-0.5 max-w-prose text-sm text-ink-2">
            {`Their last import found no file, and none ever succeeded: ${joinTitles(missing)}.`}
          </p>
        </div>
      )}
    </Panel>
  )
}

function Summary({ health }: { readonly health: Health }) {
  const datasets = listDatasets(health)
  const stale = datasets.filter(isOutdated)
  const missing = datasets.filter(isNotSetUp)
  // Data sets that are not set up also degrade the status.
  const loading = describeLoading(health)
  const isGood = loading === undefined && stale.length === 0 && (health.status === 'ok' || missing.length > 0)
  const Icon = isGood ? CircleCheck : CircleAlert
  return (
    <section
      aria-label="Summary"
      className={classNames(
        'flex items-start gap-3 rounded-[10px] border border-line bg-panel px-4 py-3.5 shadow-panel',
        isGood ? 'text-good' : 'text-high',
      )}
    >
      <Icon aria-hidden size={20} className="mt-px shrink-0" />
      <div>
        <p className="font-semibold">
          {loading === undefined
            ? describeService(health.status, stale.length, missing.length)
            : 'The catalog is loading for the first time'}
        </p>
        {loading !== undefined && <p className="mt-0.5 text-sm text-ink-2">{loading}</p>}
        {health.loading && health.loading.waiting_for.length > 0 && (
          <p className="mt-0.5 text-sm text-ink-2">
            Waiting for: {health.loading.waiting_for.map(titleDataset).join(', ')}
          </p>
        )}
        {stale.length > 0 && <p className="mt-0.5 text-sm text-ink-2">{joinTitles(stale)}</p>}
        {missing.length > 0 && (
          <p className="mt-0.5 text-sm text-ink-2">{`${formatNumber(missing.length)} more are not set up`}</p>
        )}
      </div>
    </section>
  )
}

function joinTitles(datasets: readonly { readonly name: string }[]): string {
  return datasets.map(({ name }) => titleDataset(name)).join(', ')
}

function describeService(status: Health['status'], staleCount: number, missingCount: number): string {
  const stale = staleCount === 1 ? '1 data set is stale' : `${staleCount} data sets are stale`
  const all = missingCount === 0 ? 'all data sets' : 'all data sets that are set up'
  if (staleCount === 0)
    return status === 'ok' || missingCount > 0
      ? `The service works and ${all} are up to date`
      : 'The service is degraded'
  return status === 'ok' ? `The service works; ${stale}` : `The service is degraded: ${stale}`
}

type Row = Dataset & { readonly name: string }

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    header: 'Data set',
    cell: (row) => <Name row={row} />,
    sortValue: ({ name }) => titleDataset(name),
    className: 'min-w-36',
  },
  {
    id: 'state',
    header: 'State',
    cell: (row) => <State row={row} />,
    sortValue: describeFreshness,
    className: 'hidden md:table-cell md:min-w-44',
  },
  {
    id: 'run',
    header: 'Last run',
    cell: ({ last_run_at, last_run_result }) =>
      last_run_at ? (
        <>
          <TimeAgo time={last_run_at} />
          <span className="block text-xs text-ink-3">{describeRun(last_run_result)}</span>
        </>
      ) : (
        <Absent text="never" />
      ),
    sortValue: ({ last_run_at }) => last_run_at,
    firstDirection: 'desc',
    className: 'whitespace-nowrap max-sm:hidden',
  },
  {
    id: 'upstream',
    header: 'Newest data',
    cell: ({ upstream_at, data_age_seconds }) =>
      upstream_at && data_age_seconds !== null ? (
        <>
          {formatDay(upstream_at)}
          <span className="block text-xs text-ink-3">{formatAge(data_age_seconds)} old</span>
        </>
      ) : (
        <Absent text="not stated" />
      ),
    sortValue: ({ upstream_at }) => upstream_at,
    firstDirection: 'desc',
    className: 'whitespace-nowrap',
  },
  {
    id: 'rejected',
    header: 'Rejected records',
    cell: ({ rejected_count }) => formatNumber(rejected_count),
    sortValue: ({ rejected_count }) => rejected_count,
    isNumeric: true,
    className: 'max-md:hidden',
  },
  {
    id: 'count',
    header: 'Records',
    cell: ({ table_count, state }) =>
      state === 'never_loaded' ? <Absent text="never loaded" /> : formatNumber(table_count),
    sortValue: ({ table_count, state }) => (state === 'never_loaded' ? null : table_count),
    isNumeric: true,
    className: 'max-sm:hidden',
  },
]

function Name({ row }: { readonly row: Row }) {
  return (
    <>
      <span className="font-medium">{titleDataset(row.name)}</span>
      <span className="block md:hidden">
        <State row={row} />
      </span>
      {row.last_run_at && (
        <span className="block text-xs text-ink-3 sm:hidden">
          ran <TimeAgo time={row.last_run_at} />, {describeRun(row.last_run_result)}
        </span>
      )}
      {row.rejected_count > 0 && (
        <span className="block text-xs text-ink-3 md:hidden">{formatNumber(row.rejected_count)} records rejected</span>
      )}
    </>
  )
}

function State({ row }: { readonly row: Row }) {
  const tone = isNotSetUp(row) ? 'text-ink-3' : row.stale ? 'text-high' : row.complete ? 'text-good' : 'text-ink-2'
  return <span className={classNames('text-sm', tone)}>{describeFreshness(row)}</span>
}

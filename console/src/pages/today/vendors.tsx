// The vendors with the most urgent CVEs of 90 days, as a map of areas.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { StatsTop } from 'vis-sdk'
import { urgentQuery } from '../../data/urgent-query.ts'
import { ChartPanel } from '../../kit/charts/chart-panel.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { Table } from '../../kit/tables/table.tsx'
import { classNames } from '../../text/class-names.ts'
import { toDisplayName } from '../../text/display-name.ts'
import { formatLongDay } from '../../text/months.ts'
import { layOutCells } from './model/treemap.ts'
import { type VendorMetric, vendorsQuery } from './queries.ts'

/** Width of the map divided by its height, on a wide page. */
const RATIO = 0.9

const WORDS: Readonly<Record<VendorMetric, { readonly note: string; readonly happened: string }>> = {
  became_urgent: { note: 'became P0 or P1, 90 days', happened: 'became P0 or P1' },
  kev_added: { note: 'added to CISA KEV, 90 days', happened: 'were added to CISA KEV' },
}

export function Vendors() {
  const urgent = useQuery(urgentQuery)
  const metric = urgent.data ? chooseMetric(urgent.data) : undefined
  const query = useQuery({
    ...vendorsQuery(metric ?? 'became_urgent'),
    enabled: metric !== undefined || urgent.isError,
  })
  const words = WORDS[metric ?? 'became_urgent']
  return (
    <ChartPanel title="Vendors" note={words.note} table={<VendorTable names={query.data?.names ?? []} />}>
      <div className="min-h-95">
        <QueryState query={query} label="Loading the vendors" lines={12}>
          {(top) => <VendorMap top={top} words={words} />}
        </QueryState>
      </div>
    </ChartPanel>
  )
}

/**
 * The service records what becomes urgent from its first day on. Until that is the whole window, the days of CISA's catalog
 * say more.
 */
function chooseMetric({ buckets }: { readonly buckets: readonly { readonly count: number | null }[] }): VendorMetric {
  return buckets.some(({ count }) => count === null) ? 'kev_added' : 'became_urgent'
}

interface VendorMapProps {
  readonly top: StatsTop
  readonly words: (typeof WORDS)[VendorMetric]
}

function VendorMap({ top: { names, total, without_name, from }, words }: VendorMapProps) {
  if (names.length === 0)
    return <Empty title="No vendor">{`No CVE ${words.happened} since ${formatLongDay(from)}.`}</Empty>
  const cells = layOutCells(
    names.map(({ count }) => count),
    RATIO,
  )
  const largest = names[0]?.count ?? 1
  return (
    <>
      <ul
        aria-label={`Vendors of the CVEs that ${words.happened} in 90 days`}
        className="relative h-95 max-lg:h-72 max-sm:h-110"
      >
        {names.map(({ value, count }, index) => {
          const { left = 0, top = 0, width = 0, height = 0 } = cells[index] ?? {}
          return (
            <li
              key={value}
              className="absolute p-px"
              style={{ left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }}
            >
              <Link
                to="/cves"
                search={{ product_vendor: value, priority: 'P0,P1' }}
                title={`${toDisplayName(value)}: ${count} ${words.happened} in 90 days. Opens its P0 and P1.`}
                className={classNames(
                  'block h-full overflow-hidden rounded-sm px-2 py-1.5 text-xs leading-4 text-ink -outline-offset-2 hover:outline-2 hover:outline-accent',
                  toTint(count / largest),
                )}
              >
                <span className="block font-semibold break-words">{toDisplayName(value)}</span>
                {count}
              </Link>
            </li>
          )
        })}
      </ul>
      <p className="mt-2 text-xs text-ink-3">
        {`${total} CVEs ${words.happened}${without_name > 0 ? `, ${without_name} without a known vendor` : ''}. A CVE counts for each of its vendors.`}
      </p>
    </>
  )
}

function toTint(share: number): string {
  if (share > 0.66) return 'bg-vendor-3'
  return share > 0.33 ? 'bg-vendor-2' : 'bg-vendor-1'
}

function VendorTable({ names }: Pick<StatsTop, 'names'>) {
  return (
    <Table
      caption="Vendors"
      rows={names}
      getKey={({ value }) => value}
      columns={[
        { id: 'vendor', header: 'Vendor', cell: ({ value }) => toDisplayName(value) },
        { id: 'count', header: 'CVEs', isNumeric: true, cell: ({ count }) => count },
      ]}
    />
  )
}

// The list of CVEs: search, filters, columns, and pages that are appended one by one.
import { useRef } from 'react'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { ErrorState } from '../../kit/error-state.tsx'
import { Loading } from '../../kit/loading.tsx'
import { Page } from '../../kit/page.tsx'
import { classNames } from '../../text/class-names.ts'
import { formatNumber, formatTimeAgo } from '../../text/format.ts'
import { COLUMNS, type ColumnId, DEFAULT_COLUMNS } from './columns.ts'
import { FilterBar, HiddenNote } from './filter-bar.tsx'
import type { FilterProps } from './filter-controls.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { ListActions } from './list-actions.tsx'
import { QueryPanel } from './query-panel.tsx'
import { PAGE_SIZE } from './request.ts'
import { ResultsTable, type TableLayout } from './results-table.tsx'
import { useElementWidth } from './use-element-width.ts'
import { useCves, useExplorerState } from './use-explorer.ts'

/** The API counts up to this number exactly and estimates above. */
const MAX_EXACT_TOTAL = 1000

export function ExplorerPage() {
  const [state, setState] = useExplorerState()
  const list = useCves(state)
  const listRef = useRef<HTMLDivElement>(null)
  const width = useElementWidth(listRef)
  const layout = chooseLayout(width, state.columns)
  const minWidth = layout === 'wide' ? measureColumns(state.columns) : 0
  const note = list.total === undefined ? '' : describeTotal(list.total)
  return (
    <Page
      title="CVEs"
      note={note}
      actions={<ListActions state={state} setState={setState} rows={list.rows} hasColumns={layout === 'wide'} />}
    >
      <FilterBar state={state} setState={setState} />
      <div className="grid gap-4 xl:grid-cols-[13.5rem_minmax(0,1fr)] xl:items-start">
        <aside
          aria-label="Filters"
          className="sticky top-18 hidden max-h-[calc(100dvh-5rem)] overflow-y-auto rounded-xl border border-line bg-panel p-4 xl:block"
        >
          <FilterPanel state={state} setState={setState} />
        </aside>
        <div ref={listRef} className="min-w-0 space-y-4">
          <Results
            list={list}
            layout={layout}
            minWidth={minWidth > width ? minWidth : undefined}
            state={state}
            setState={setState}
          />
          <QueryPanel state={state} />
        </div>
      </div>
    </Page>
  )
}

type CveList = ReturnType<typeof useCves>

interface ResultsProps extends FilterProps {
  readonly list: CveList
  readonly layout: TableLayout
  /** Width of a table that is wider than the page and scrolls sideways. */
  readonly minWidth: number | undefined
}

function Results({ list, layout, minWidth, state, setState }: ResultsProps) {
  const { rows, total, error, isPending, isPlaceholderData, refetch } = list
  const panel = 'rounded-xl border border-line bg-panel'
  if (rows.length === 0) {
    return (
      <div className={panel}>
        {error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : isPending || isPlaceholderData ? (
          <Loading label="Loading CVEs" lines={12} />
        ) : (
          <Empty title="No CVE matches">
            Remove a filter or search for fewer words. <HiddenNote state={state} setState={setState} />
          </Empty>
        )}
      </div>
    )
  }
  return (
    <>
      <div
        aria-busy={isPlaceholderData}
        className={classNames(
          panel,
          'transition-opacity',
          isPlaceholderData && 'opacity-50',
          minWidth !== undefined && 'overflow-x-auto',
        )}
      >
        <ResultsTable
          rows={rows}
          total={total}
          columns={state.columns}
          layout={layout}
          minWidth={minWidth}
          sort={state.sort}
          onSort={(sort) => setState({ ...state, sort })}
        />
      </div>
      <More list={list} isByPriority={state.sort === 'priority_desc'} />
    </>
  )
}

function More({ list, isByPriority }: { readonly list: CveList; readonly isByPriority: boolean }) {
  const { rows, total, error, hasNextPage, isFetchingNextPage, fetchNextPage, dataUpdatedAt } = list
  return (
    <div>
      <div className="flex flex-wrap items-center gap-3">
        {hasNextPage && (
          <Button onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
            {isFetchingNextPage ? 'Loading' : `Load ${PAGE_SIZE} more`}
          </Button>
        )}
        <p role="status" className="text-xs text-ink-2">
          {`${formatNumber(rows.length)} of ${describeTotal(total ?? rows.length)} loaded`}
        </p>
        {/* Both times are of the browser's clock, which may differ from that of the service. */}
        <p className="text-xs text-ink-2">
          {`as of ${formatTimeAgo(new Date(dataUpdatedAt).toISOString(), new Date())}`}
        </p>
        <p className="ml-auto text-xs text-ink-3">R: used in ransomware campaigns</p>
      </div>
      {isByPriority && (
        <p className="mt-1 text-xs text-ink-2">
          Within a level, CVEs used in ransomware campaigns come first, then those whose exploitation can be automated,
          then those that give total control, then those with a higher score.
        </p>
      )}
      {error && <ErrorState error={error} onRetry={() => void fetchNextPage()} />}
    </div>
  )
}

function describeTotal(total: number): string {
  return total > MAX_EXACT_TOTAL ? `about ${formatNumber(total)}` : formatNumber(total)
}

const PX_PER_SPACING = 4
const CVE_PX = 144
const MIN_SUMMARY_PX = 150
const MIN_MEDIUM_PX = 600

/** Returns the width that a table with these columns needs. */
function measureColumns(columns: readonly ColumnId[]): number {
  const widths = columns.map((id) => Number(COLUMNS[id].width.slice(2)) * PX_PER_SPACING || MIN_SUMMARY_PX)
  return widths.reduce((sum, each) => sum + each, CVE_PX)
}

/**
 * A page that is too narrow for the default columns shows the same facts in fewer columns. A page that is wide enough for
 * them shows further columns too, and the table scrolls sideways: otherwise a further column would remove all columns.
 */
function chooseLayout(width: number, columns: readonly ColumnId[]): TableLayout {
  const needed = Math.min(measureColumns(columns), measureColumns(DEFAULT_COLUMNS))
  return width >= needed ? 'wide' : width >= MIN_MEDIUM_PX ? 'medium' : 'narrow'
}

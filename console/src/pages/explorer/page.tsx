// The list of CVEs: search, filters, columns, and pages that are appended one by one.
import { useRef } from 'react'
import type { Sort } from 'vis-sdk'
import { Button } from '../../kit/controls/button.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { ErrorState } from '../../kit/states/error-state.tsx'
import { Loading } from '../../kit/states/loading.tsx'
import { classNames } from '../../text/class-names.ts'
import { formatNumber, formatTimeAgo } from '../../text/format.ts'
import { COLUMNS, type ColumnId, DEFAULT_COLUMNS } from './columns.ts'
import { useFacets } from './facets/use-facets.ts'
import { FilterBar, HiddenNote } from './filter-bar.tsx'
import type { FilterProps } from './filter-controls.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { ListActions } from './list-actions.tsx'
import { QueryPanel } from './query-panel.tsx'
import { PAGE_SIZE } from './request.ts'
import { ResultsTable, type TableLayout } from './results-table.tsx'
import { SimilarNames } from './similar-names.tsx'
import { getSort } from './state.ts'
import { describeTotal, findTotal, type Total } from './total.ts'
import { useElementWidth } from './use-element-width.ts'
import { useCves, useExplorerState } from './use-explorer.ts'

export function ExplorerPage() {
  const [state, setState] = useExplorerState()
  const list = useCves(state)
  const facets = useFacets(state)
  const total = findTotal(list, facets.total)
  const listRef = useRef<HTMLDivElement>(null)
  const width = useElementWidth(listRef)
  const layout = chooseLayout(width, state.columns)
  const minWidth = layout === 'wide' ? measureColumns(state.columns) : 0
  const note = total === undefined ? '' : describeTotal(total)
  return (
    <Page
      title="CVEs"
      note={note}
      actions={
        <ListActions
          state={state}
          setState={setState}
          facets={facets}
          rows={list.rows}
          hasColumns={layout === 'wide'}
        />
      }
    >
      <FilterBar state={state} setState={setState} />
      <div className="grid gap-4 xl:grid-cols-[14rem_minmax(0,1fr)] xl:items-start">
        <aside
          aria-label="Filters"
          className="sticky top-18 hidden max-h-[calc(100dvh-5rem)] overflow-y-auto rounded-xl border border-line bg-panel p-3 xl:block"
        >
          <a
            href="#list"
            className="sr-only z-10 rounded-md bg-accent px-2 py-1 text-xs text-accent-ink focus:not-sr-only focus:absolute"
          >
            Skip the filters
          </a>
          <FilterPanel state={state} setState={setState} facets={facets} />
        </aside>
        <div ref={listRef} id="list" tabIndex={-1} className="min-w-0 space-y-4 outline-none">
          <Results
            list={list}
            total={total}
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
  readonly total: Total | undefined
  readonly layout: TableLayout
  /** Width of a table that is wider than the page and scrolls sideways. */
  readonly minWidth: number | undefined
}

function Results({ list, total, layout, minWidth, state, setState }: ResultsProps) {
  const { rows, error, isPending, isPlaceholderData, refetch } = list
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
            <SimilarNames state={state} unknownNames={list.unknownNames} />
            Remove a filter or search for fewer words.
            <div className="mt-1 flex justify-center">
              <HiddenNote state={state} setState={setState} />
            </div>
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
          total={total?.count}
          columns={state.columns}
          layout={layout}
          minWidth={minWidth}
          sort={getSort(state)}
          onSort={(sort) => setState({ ...state, sort })}
        />
      </div>
      <More list={list} total={total} sort={getSort(state)} />
    </>
  )
}

/** Sort orders whose name needs an explanation. */
const SORT_EXPLANATIONS: Readonly<Partial<Record<Sort, string>>> = {
  priority_desc:
    'Within a level, CVEs used in ransomware campaigns come first, then those whose exploitation can be automated, then those that give total control, then those with a higher score.',
  relevance:
    'A CVE whose id you search for comes first, then CVEs with a well-known name that has the words, then CVEs of products and vendors with such names, then all others.',
}

interface MoreProps {
  readonly list: CveList
  readonly total: Total | undefined
  readonly sort: Sort
}

function More({ list, total, sort }: MoreProps) {
  const explanation = SORT_EXPLANATIONS[sort]
  const { rows, error, hasNextPage, isFetchingNextPage, fetchNextPage, dataUpdatedAt } = list
  return (
    <div>
      <div className="flex flex-wrap items-center gap-3">
        {hasNextPage && (
          <Button onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
            {isFetchingNextPage ? 'Loading' : `Load ${PAGE_SIZE} more`}
          </Button>
        )}
        <p role="status" className="text-xs text-ink-2">
          {`${formatNumber(rows.length)} of ${total ? describeTotal(total) : formatNumber(rows.length)} loaded`}
        </p>
        {/* Both times come from the browser's clock, which may differ from the service's. */}
        <p className="text-xs text-ink-2">
          {`as of ${formatTimeAgo(new Date(dataUpdatedAt).toISOString(), new Date())}`}
        </p>
      </div>
      {explanation && <p className="mt-1 text-xs text-ink-2">{explanation}</p>}
      {error && <ErrorState error={error} onRetry={() => void fetchNextPage()} />}
    </div>
  )
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
 * A page that is too narrow for the default columns shows the same facts in fewer columns. A page that is wide enough
 * for them keeps additional columns and scrolls sideways: otherwise one more column would hide them all.
 */
function chooseLayout(width: number, columns: readonly ColumnId[]): TableLayout {
  const needed = Math.min(measureColumns(columns), measureColumns(DEFAULT_COLUMNS))
  return width >= needed ? 'wide' : width >= MIN_MEDIUM_PX ? 'medium' : 'narrow'
}

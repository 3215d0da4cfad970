// The list of CVEs: search, filters, columns, a preview, and pages that are appended one by one.
import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useRef } from 'react'
import { rememberList } from '../../data/list-position.ts'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { ErrorState } from '../../kit/states/error-state.tsx'
import { useElementWidth } from '../../kit/use-element-width.ts'
import { classNames } from '../../text/class-names.ts'
import { suggestName } from './chips.ts'
import { FacetStrip } from './facets/facet-strip.tsx'
import { useFacets } from './facets/use-facets.ts'
import { FilterBar, HiddenNote } from './filter-bar.tsx'
import type { FilterProps } from './filter-controls.tsx'
import { chooseLayout, type ListLayout } from './list/layout.ts'
import { ListFooter } from './list/list-footer.tsx'
import { ListSkeleton } from './list/skeleton.tsx'
import { ListTable, type RowFocus } from './list/table.tsx'
import { useListKeys } from './list/use-list-keys.ts'
import { type Selection, useSelection } from './list/use-selection.ts'
import { CsvMenu, ListControls } from './list-actions.tsx'
import { OmittedLine } from './omitted/omitted-line.tsx'
import { useUrgentRecord } from './omitted/urgent-record.ts'
import type { Row } from './row.ts'
import { SearchHintLine } from './search-hint-line.tsx'
import { type ExplorerState, getSort } from './state.ts'
import { describeTotal, findTotal, type Total } from './total.ts'
import { PeekState } from './triage/peek-state.tsx'
import { useTriage } from './triage/use-triage.tsx'
import { VexMenu } from './triage/vex-menu.tsx'
import { useCurrentRow, useCves, useExplorerState } from './use-explorer.ts'
import { ViewMenu } from './views/view-menu.tsx'
import { WatchButton } from './watch/watch-button.tsx'

/** Loaded after the list, or when they are needed for the first time. */
const BulkBar = lazy(async () => ({ default: (await import('./triage/bulk-bar.tsx')).BulkBar }))
const QueryPanel = lazy(async () => ({ default: (await import('./query-panel.tsx')).QueryPanel }))
const SimilarNames = lazy(async () => ({ default: (await import('./similar-names.tsx')).SimilarNames }))
const PeekDrawer = lazy(async () => ({ default: (await import('./peek/drawer.tsx')).PeekDrawer }))

const GRID = 'grid grid-cols-[minmax(0,1fr)] items-start gap-4'

export function ExplorerPage() {
  const address = useExplorerState()
  const { state, isKnown } = address
  const read = useCves(state, isKnown)
  const urgent = useUrgentRecord(state)
  if (isKnown && urgent.isKnown) return <Explorer address={address} read={read} urgent={urgent.sentence} />
  // What the view contains decides what stands above the list. Nothing that is shown moves when it is known.
  return (
    <Page title="CVEs" note="">
      <div className={PANEL}>
        <ListSkeleton />
      </div>
    </Page>
  )
}

interface ExplorerProps {
  readonly address: ReturnType<typeof useExplorerState>
  readonly read: ReturnType<typeof useCves>
  /** About the days of a filter that were not recorded. */
  readonly urgent: string | undefined
}

function Explorer({ address: { state, setState, view, views }, read, urgent }: ExplorerProps) {
  const triage = useTriage(read.rows)
  const list = { ...read, rows: triage.rows }
  const facets = useFacets(state)
  const total = findTotal(list, facets.total)
  const [listRef, width] = useElementWidth()
  const sort = getSort(state)
  const { rows } = list
  const { columns: chosen } = state
  const layout = useMemo(() => chooseLayout({ width, chosen, rows, sort }), [width, chosen, rows, sort])
  const { preview, ...current } = useCurrentRow(rows)
  const isBeside = preview !== undefined || (current.isOpen && read.isPending)
  const selection = useSelection(triage.ids)
  const { canChange, edit } = triage
  /** The chosen rows, or else the current one. */
  const editState = () => edit(selection.ids.size > 0 ? selection.ids : [rows[current.index]?.cve_id ?? ''])
  useRememberedList(view?.name ?? 'CVEs', rows, total)
  return (
    <Page
      title={view?.name ?? 'CVEs'}
      note={total === undefined ? '' : `${describeTotal(total)}${urgent === undefined ? '' : ' in the recorded time'}`}
      actions={
        <>
          <WatchButton state={state} view={view} />
          <ViewMenu state={state} view={view} list={views} suggestedName={suggestName(state)} />
          <CsvMenu state={state} rows={rows} total={total} />
          <VexMenu canImport={canChange} />
        </>
      }
    >
      <FilterBar state={state} setState={setState} facets={facets}>
        <ListControls state={state} setState={setState} hasColumns={layout.kind === 'table'} />
      </FilterBar>
      <SearchHintLine state={state} />
      <OmittedLine state={state} setState={setState} urgent={urgent} />
      <FacetStrip state={state} setState={setState} facets={facets} />
      <div className={classNames(GRID, isBeside && 'min-[1380px]:grid-cols-[minmax(0,1fr)_25.5rem]')}>
        <div ref={listRef} id="list" tabIndex={-1} className="min-w-0 space-y-4 outline-none">
          <Results
            list={list}
            total={total}
            layout={layout}
            state={state}
            setState={setState}
            hasPreview={preview !== undefined}
            selection={selection}
            onState={canChange ? editState : undefined}
            urgent={urgent}
            {...current}
          />
          <Message text={triage.message} />
          {/* Below grey rows, it would jump up when fewer rows take their place. */}
          {!read.isPending && !read.isPlaceholderData && <Query state={state} />}
        </div>
        {preview && <Peek row={preview} current={current} total={total} triage={triage} />}
      </div>
      {triage.editor}
    </Page>
  )
}

const Message = ({ text }: { readonly text: ReturnType<typeof useTriage>['message'] }) => (
  <p role="status" className="text-sm text-ink-2 empty:hidden">
    {text}
  </p>
)

interface PeekProps {
  readonly row: Row
  readonly current: { readonly index: number; readonly setPreview: (isOpen: boolean) => void }
  readonly total: Total | undefined
  readonly triage: Pick<ReturnType<typeof useTriage>, 'canChange' | 'edit'>
}

function Query({ state }: { readonly state: ExplorerState }) {
  return (
    <Suspense>
      <QueryPanel state={state} />
    </Suspense>
  )
}

function Peek({ row, current, total, triage: { canChange, edit } }: PeekProps) {
  return (
    <Suspense>
      <PeekDrawer
        row={row}
        position={`${current.index + 1}${total ? ` of ${describeTotal(total)}` : ''}`}
        onClose={() => current.setPreview(false)}
        triage={<PeekState entries={row.triage ?? []} onChange={canChange ? () => edit([row.cve_id]) : undefined} />}
      />
    </Suspense>
  )
}

/** Remembers the list, so that a CVE opened from it leads to the previous and the next one. */
function useRememberedList(title: string, rows: readonly Row[], total: Total | undefined): void {
  // The address changes to that of an opened CVE while the list is still shown.
  const path = useLocation({ select: ({ href, pathname }) => (pathname === '/cves' ? href : undefined) })
  const count = total?.isExact ? total.count : undefined
  useEffect(() => {
    if (path !== undefined && rows.length > 0)
      rememberList({ title, path, ids: rows.map(({ cve_id }) => cve_id), total: count })
  }, [title, path, rows, count])
}

interface ResultsProps extends FilterProps, Omit<ReturnType<typeof useCurrentRow>, 'preview'> {
  readonly list: ReturnType<typeof useCves>
  readonly total: Total | undefined
  readonly layout: ListLayout
  readonly hasPreview: boolean
  readonly selection: Selection
  /** Sets the state of the chosen rows. Undefined if the person may not. */
  readonly onState: (() => void) | undefined
  readonly urgent: string | undefined
}

const PANEL = 'rounded-[10px] border border-line bg-panel shadow-panel'

function Results(props: ResultsProps) {
  const { list, total, layout, state, setState, hasPreview, index, setIndex, setPreview, selection, onState } = props
  const { rows, isPlaceholderData } = list
  const sort = getSort(state)
  const focusRef = useRef<RowFocus>(null)
  useListKeys({ rows, index, isPreviewOpen: hasPreview, setPreview, selection, onState, focusRef })
  if (rows.length === 0) return <NoRows {...props} />
  const isScrolling = layout.kind === 'table' && layout.minWidth !== undefined
  return (
    <>
      <div
        aria-busy={isPlaceholderData}
        className={classNames(
          PANEL,
          'transition-opacity',
          isPlaceholderData && 'opacity-50',
          isScrolling && 'relative overflow-x-auto',
        )}
      >
        <ListTable
          rows={rows}
          total={total?.count}
          layout={layout}
          sort={sort}
          onSort={(next) => setState({ ...state, sort: next })}
          current={index}
          onCurrent={setIndex}
          selection={selection}
          hasPreview={hasPreview}
          focusRef={focusRef}
        />
      </div>
      {selection.ids.size > 0 && (
        <Suspense>
          <BulkBar selection={selection} onState={onState} />
        </Suspense>
      )}
      <ListFooter list={list} total={total} sort={sort} />
    </>
  )
}

/** Stands in place of the table: while it is loading, after an error, or if no CVE matches. */
function NoRows({ list, state, setState, urgent }: ResultsProps) {
  const { error, isPending, isPlaceholderData, refetch, unknownNames } = list
  return (
    <div className={PANEL}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : isPending || isPlaceholderData ? (
        <ListSkeleton />
      ) : (
        <Empty title={urgent === undefined ? 'No CVE matches' : 'None in the recorded time'}>
          <Suspense>
            <SimilarNames state={state} unknownNames={unknownNames} />
          </Suspense>
          {urgent === undefined
            ? 'Remove a filter or search for fewer words.'
            : 'This does not say that none became urgent: see the line above the list.'}
          <div className="mt-1 flex justify-center">
            <HiddenNote state={state} setState={setState} />
          </div>
        </Empty>
      )}
    </div>
  )
}

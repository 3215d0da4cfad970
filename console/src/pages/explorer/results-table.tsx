// The list as a table. Wide pages show the chosen columns; narrow ones show the same facts in one or three columns.
import { Fragment, type ReactNode, useRef } from 'react'
import type { Sort } from 'vis-sdk'
import { SeverityBadge } from '../../kit/badge.tsx'
import { CveLink } from '../../kit/cve-link.tsx'
import { type SortState, toggleSort } from '../../kit/tables/sort-rows.ts'
import { HeaderCell } from '../../kit/tables/table.tsx'
import { classNames } from '../../text/class-names.ts'
import { findScoreVersion } from '../../text/severity.ts'
import { toSummary } from '../../text/summary.ts'
import { CELLS, Epss, Exploited, Priority, Products, Reasons } from './cells.tsx'
import { COLUMNS, type ColumnId, type ColumnSpec, type Row } from './columns.ts'
import type { ChosenSort } from './state.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

export type TableLayout = 'wide' | 'medium' | 'narrow'

const ROW_PX: Readonly<Record<TableLayout, number>> = { wide: 49, medium: 61, narrow: 117 }

interface ResultsTableProps {
  readonly rows: readonly Row[]
  readonly total: number | undefined
  readonly columns: readonly ColumnId[]
  readonly layout: TableLayout
  /** Width of a table that is wider than its panel. */
  readonly minWidth: number | undefined
  readonly sort: Sort
  readonly onSort: (sort: ChosenSort) => void
}

export function ResultsTable({ rows, total, columns, layout, minWidth, sort, onSort }: ResultsTableProps) {
  const bodyRef = useRef<HTMLTableSectionElement>(null)
  const { virtualizer, scrollMargin, onFocus, onKeyDown } = useVirtualRows({
    bodyRef,
    count: rows.length,
    rowPx: ROW_PX[layout],
  })
  const shown = layout === 'wide' ? columns : layout === 'medium' ? MEDIUM : NARROW
  const items = virtualizer.getVirtualItems()
  const end = virtualizer.getTotalSize()
  return (
    <table
      aria-rowcount={(total ?? rows.length) + 1}
      style={{ minWidth }}
      className="w-full table-fixed border-collapse text-sm"
    >
      <caption className="sr-only">CVEs. Up and down arrows move between the rows.</caption>
      {layout === 'medium' && (
        <colgroup>
          <col className="w-60" />
          <col />
          <col className="w-63" />
        </colgroup>
      )}
      <TableHead layout={layout} columns={columns} minWidth={minWidth} sort={sort} onSort={onSort} />
      <tbody ref={bodyRef} onFocus={onFocus} onKeyDown={onKeyDown}>
        {items.map((item, position) => {
          const row = rows[item.index]
          if (!row) return null
          const gap = item.start - (items[position - 1]?.end ?? scrollMargin)
          return (
            <Fragment key={row.cve_id}>
              <Spacer height={gap} columns={shown.length + 1} />
              <tr
                ref={virtualizer.measureElement}
                data-index={item.index}
                aria-rowindex={item.index + 2}
                className="border-t border-line first:border-t-0 hover:bg-soft/60"
              >
                {layout === 'wide' ? (
                  <WideCells row={row} columns={columns} />
                ) : (
                  <CompactCells row={row} columns={columns} layout={layout} />
                )}
              </tr>
            </Fragment>
          )
        })}
        <Spacer height={end - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin)} columns={shown.length + 1} />
      </tbody>
    </table>
  )
}

const MEDIUM = ['summary', 'severity'] as const
const NARROW = [] as const

/** A placeholder with the height of the rows that are not rendered. */
function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0.5) return null
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height }} />
    </tr>
  )
}

const CELL = 'px-2 py-2 first:pl-3 last:pr-3'
/** All rows have the same height, whether their text needs one line or two. */
const WIDE_CELL = `h-12 ${CELL}`

function WideCells({ row, columns }: { readonly row: Row; readonly columns: readonly ColumnId[] }) {
  return (
    <>
      <td className={WIDE_CELL}>
        <CveLink id={row.cve_id} />
      </td>
      {columns.map((id) => (
        <td key={id} className={WIDE_CELL}>
          {CELLS[id](row)}
        </td>
      ))}
    </>
  )
}

interface CompactCellsProps {
  readonly row: Row
  readonly columns: readonly ColumnId[]
  readonly layout: TableLayout
}

function CompactCells({ row, columns, layout }: CompactCellsProps) {
  // A person who selected the reasons column also wants the reasons on a narrow page.
  const hasReasons = columns.includes('reasons')
  const summary = hasReasons ? (
    <Reasons row={row} className="line-clamp-4 text-sm" />
  ) : (
    <span className="line-clamp-2 text-sm break-words text-ink-2">{toSummary(row.description)}</span>
  )
  if (layout === 'narrow') return <NarrowCell row={row} summary={summary} />
  return (
    <>
      <td className={classNames(CELL, 'align-top')}>
        <CveLink id={row.cve_id} />
        <span className="block text-sm">
          <Products row={row} />
        </span>
      </td>
      <td className={classNames(CELL, 'align-top')}>{summary}</td>
      <td className={classNames(CELL, 'align-top')}>
        <span className="flex flex-col items-end gap-1 text-xs">
          <span className="flex flex-row-reverse items-center gap-2">
            <Levels row={row} />
            <Labelled label="EPSS">
              <Epss score={row.epss?.score} isBarHidden />
            </Labelled>
          </span>
          {row.kev && (
            <Labelled label="KEV">
              <Exploited kev={row.kev} />
            </Labelled>
          )}
        </span>
      </td>
    </>
  )
}

/** A single cell, so that the text gets the full width of a phone. */
function NarrowCell({ row, summary }: { readonly row: Row; readonly summary: ReactNode }) {
  return (
    <td className={classNames(CELL, 'align-top')}>
      <span className="flex flex-wrap items-center justify-between gap-1">
        <CveLink id={row.cve_id} />
        <Levels row={row} />
      </span>
      <span className="block text-sm">
        <Products row={row} />
      </span>
      {summary}
      <span className="mt-1 flex flex-wrap items-center gap-x-4 text-xs">
        <Labelled label="EPSS">
          <Epss score={row.epss?.score} isBarHidden />
        </Labelled>
        {row.kev && (
          <Labelled label="KEV">
            <Exploited kev={row.kev} />
          </Labelled>
        )}
      </span>
    </td>
  )
}

function Levels({ row }: { readonly row: Row }) {
  return (
    <span className="flex gap-1">
      <Priority priority={row.priority} />
      <SeverityBadge score={row.severity} version={findScoreVersion(row.cvss)} />
    </span>
  )
}

function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <span className="flex items-center gap-1 whitespace-nowrap">
      <span className="text-ink-3">{label}</span> {children}
    </span>
  )
}

type TableHeadProps = Pick<ResultsTableProps, 'layout' | 'columns' | 'minWidth' | 'sort' | 'onSort'>

/**
 * Keeps the table header visible. Its upper edge is below the page header, so that no row shows between them. In a
 * panel that scrolls sideways, it would stick to the top of that panel instead.
 */
const STICKY = 'sticky top-13 z-10 shadow-[0_1px_0_var(--line)]'

function TableHead({ layout, columns, minWidth, sort, onSort }: TableHeadProps) {
  const current = toSortState(sort)
  if (layout !== 'wide') {
    return (
      <thead className="sr-only">
        <tr>
          <th scope="col">CVE</th>
          {layout === 'medium' && <th scope="col">Summary</th>}
          {layout === 'medium' && <th scope="col">Risk</th>}
        </tr>
      </thead>
    )
  }
  return (
    <thead
      className={classNames(
        minWidth === undefined && STICKY,
        '[&_th]:bg-panel [&_th:first-child]:rounded-tl-xl [&_th:last-child]:rounded-tr-xl',
      )}
    >
      <tr>
        <HeaderCell id="cve" header="CVE" className="w-36 py-2 pl-3" sort={undefined} onSort={undefined} />
        {columns.map((id) => {
          const { label, sort: name, width }: ColumnSpec = COLUMNS[id]
          const change = () => name && onSort(toSort(toggleSort(current, name, 'desc')))
          return (
            <HeaderCell
              key={id}
              id={name ?? id}
              header={label}
              className={classNames(width, 'py-2')}
              isNumeric={id === 'epss'}
              sort={current}
              onSort={name && change}
            />
          )
        })}
      </tr>
    </thead>
  )
}

/** `epss_desc` is the column epss, descending. */
function toSortState(sort: Sort): SortState {
  const [column = '', direction] = sort.split('_')
  return { column, direction: direction === 'asc' ? 'asc' : 'desc' }
}

function toSort({ column, direction }: SortState): ChosenSort {
  // The cast is safe: only columns that the API can sort by have a button.
  return `${column}_${direction}` as ChosenSort
}

// The list as a table, or as cards on a phone. Only the rows near the visible part of the page are rendered.
import { type ComponentProps, Fragment, type MouseEvent, type Ref, useImperativeHandle, useRef } from 'react'
import type { Sort } from 'vis-sdk'
import { type SortState, toggleSort } from '../../../kit/tables/sort-rows.ts'
import { HeaderCell } from '../../../kit/tables/table.tsx'
import { classNames } from '../../../text/class-names.ts'
import { COLUMNS, type ColumnSpec } from '../columns.ts'
import type { Row } from '../row.ts'
import type { ChosenSort } from '../state.ts'
import { CELLS, LevelCell } from './cells.tsx'
import { type ListLayout, SELECT_PX, type TableColumn, type TableLayout } from './layout.ts'
import { CardCell, NameCell } from './name-cell.tsx'
import type { Selection } from './use-selection.ts'
import { readIndex, useVirtualRows } from './use-virtual-rows.ts'

const ROW_PX = 53
const CARD_PX = 84

/** Moves the focus to a row, for the keys of the page. */
export interface RowFocus {
  readonly focusRow: (index: number) => void
}

interface ListTableProps {
  readonly rows: readonly Row[]
  readonly total: number | undefined
  readonly layout: ListLayout
  readonly sort: Sort
  readonly onSort: (sort: ChosenSort) => void
  /** Position of the current row; -1 if there is none. */
  readonly current: number
  readonly onCurrent: (index: number) => void
  readonly selection: Selection
  readonly hasPreview: boolean
  readonly focusRef: Ref<RowFocus>
}

export function ListTable(props: ListTableProps) {
  const { rows, total, layout, current, onCurrent, selection, hasPreview, focusRef } = props
  const bodyRef = useRef<HTMLTableSectionElement>(null)
  const isTable = layout.kind === 'table'
  const { virtualizer, scrollMargin, focusRow, ...events } = useVirtualRows({
    bodyRef,
    count: rows.length,
    rowPx: isTable ? ROW_PX : CARD_PX,
    current,
    onCurrent,
  })
  useImperativeHandle(focusRef, () => ({ focusRow }))
  const items = virtualizer.getVirtualItems()
  const end = virtualizer.getTotalSize()
  const columnCount = isTable ? layout.columns.length + 2 : 1
  return (
    <table
      aria-rowcount={(total ?? rows.length) + 1}
      style={{ minWidth: isTable ? layout.minWidth : undefined }}
      className="w-full table-fixed border-collapse text-sm"
    >
      <caption className="sr-only">CVEs. Up and down arrows move between the rows.</caption>
      {isTable ? <TableHead {...props} layout={layout} /> : <CardHead />}
      <tbody ref={bodyRef} {...events}>
        {items.map((item, position) => {
          const row = rows[item.index]
          if (!row) return null
          const gap = item.start - (items[position - 1]?.end ?? scrollMargin)
          return (
            <Fragment key={row.cve_id}>
              <Spacer height={gap} columns={columnCount} />
              <ListRow
                ref={virtualizer.measureElement}
                data-index={item.index}
                aria-rowindex={item.index + 2}
                isCurrent={item.index === current}
                onClick={(event) => onCurrent(findClickedRow(event, current))}
              >
                {isTable ? (
                  <TableCells
                    row={row}
                    layout={layout}
                    selection={selection}
                    hasPreview={hasPreview}
                    isTabStop={item.index === Math.max(0, current)}
                  />
                ) : (
                  <CardCell row={row} />
                )}
              </ListRow>
            </Fragment>
          )
        })}
        <Spacer height={end - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin)} columns={columnCount} />
      </tbody>
    </table>
  )
}

function ListRow({ isCurrent, ...props }: ComponentProps<'tr'> & { readonly isCurrent: boolean }) {
  return (
    <tr
      {...props}
      data-current={isCurrent || undefined}
      className={classNames(
        'border-t border-line-2 first:border-t-0',
        isCurrent ? '[&_.text-ink-3]:text-ink-2 bg-accent-soft shadow-[inset_3px_0_0_var(--accent)]' : 'hover:bg-hover',
      )}
    />
  )
}

/** A click on a link or a checkbox has its own effect. */
function findClickedRow({ target }: MouseEvent, current: number): number {
  if (target instanceof HTMLElement && target.closest('a, input, button')) return current
  return readIndex(target)
}

/** A placeholder with the height of the rows that are not rendered. */
function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0.5) return null
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height }} />
    </tr>
  )
}

const CELL = 'h-13 overflow-hidden px-2 py-1 last:pr-4'

interface TableCellsProps {
  readonly row: Row
  readonly layout: TableLayout
  readonly selection: Selection
  readonly hasPreview: boolean
  /** Whether the checkbox is reached by the Tab key. That of another row is reached from its row. */
  readonly isTabStop: boolean
}

function TableCells({ row, layout, selection, hasPreview, isTabStop }: TableCellsProps) {
  const [first, ...others] = layout.columns
  const hasLevel = first?.id === 'priority'
  return (
    <>
      <td className="h-13 pl-3">
        <input
          type="checkbox"
          aria-label={`Choose ${row.cve_id}`}
          tabIndex={isTabStop ? 0 : -1}
          checked={selection.ids.has(row.cve_id)}
          onChange={() => selection.toggle(row.cve_id)}
          onClick={(event) => {
            if (event.shiftKey) selection.extendTo(row.cve_id)
          }}
          className="block size-4 accent-accent"
        />
      </td>
      {hasLevel && (
        <td className={CELL}>
          <LevelCell row={row} />
        </td>
      )}
      <td className={classNames(CELL, 'relative')}>
        <NameCell row={row} hasProduct={layout.hasProductInName} opensOnClick={!hasPreview} />
      </td>
      {(hasLevel ? others : layout.columns).map(({ id }) => (
        <td key={id} className={classNames(CELL, findSpec(id).isNumeric && 'text-right')}>
          {CELLS[id](row, layout.isNarrow)}
        </td>
      ))}
    </>
  )
}

const findSpec = (id: TableColumn['id']): ColumnSpec => COLUMNS[id]

type TableHeadProps = Pick<ListTableProps, 'rows' | 'sort' | 'onSort' | 'selection'> & { readonly layout: TableLayout }

/**
 * Keeps the table header visible. Its upper edge is below the page header, so that no row shows between them. In a
 * panel that scrolls sideways, it would stick to the top of that panel instead.
 */
const STICKY = 'sticky top-13 z-10 shadow-[0_1px_0_var(--line)]'

function TableHead({ rows, layout, sort, onSort, selection }: TableHeadProps) {
  const [first, ...others] = layout.columns
  const hasLevel = first?.id === 'priority'
  const header = (column: TableColumn) => (
    <SortHeader key={column.id} column={column} isNarrow={layout.isNarrow} sort={sort} onSort={onSort} />
  )
  return (
    <thead
      className={classNames(
        layout.minWidth === undefined && STICKY,
        '[&_th]:bg-panel [&_th:first-child]:rounded-tl-[10px] [&_th:last-child]:rounded-tr-[10px]',
      )}
    >
      <tr>
        <th scope="col" style={{ width: SELECT_PX }} className="pl-3 text-left">
          <input
            type="checkbox"
            aria-label="Choose all loaded CVEs"
            checked={selection.ids.size === rows.length}
            onChange={({ target }) => selection.setAll(target.checked)}
            className="block size-4 accent-accent"
          />
        </th>
        {hasLevel && header(first)}
        <HeaderCell id="name" header="Name" className="py-2" sort={undefined} onSort={undefined} />
        {(hasLevel ? others : layout.columns).map(header)}
      </tr>
    </thead>
  )
}

interface SortHeaderProps extends Pick<ListTableProps, 'sort' | 'onSort'> {
  readonly column: TableColumn
  readonly isNarrow: boolean
}

function SortHeader({ column: { id, width }, isNarrow, sort, onSort }: SortHeaderProps) {
  const { label, header = label, sort: name, isInverse = false, isNumeric = false } = findSpec(id)
  const current = toSortState(sort)
  const change = () => name && onSort(toSort(toggleSort(current, name, 'desc')))
  return (
    <HeaderCell
      id={name ?? id}
      header={isNarrow ? label : header}
      className="py-2 last:pr-4"
      width={width}
      isNumeric={isNumeric}
      sort={isInverse ? invert(current) : current}
      onSort={name && change}
    />
  )
}

/** `epss_desc` is the column epss, descending. */
function toSortState(sort: Sort): SortState {
  const [column = '', direction] = sort.split('_')
  return { column, direction: direction === 'asc' ? 'asc' : 'desc' }
}

function invert({ column, direction }: SortState): SortState {
  return { column, direction: direction === 'asc' ? 'desc' : 'asc' }
}

function toSort({ column, direction }: SortState): ChosenSort {
  // The cast is safe: only columns that the API can sort by have a button.
  return `${column}_${direction}` as ChosenSort
}

function CardHead() {
  return (
    <thead className="sr-only">
      <tr>
        <th scope="col">CVE</th>
      </tr>
    </thead>
  )
}

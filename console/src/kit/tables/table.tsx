// An HTML table. Headers of sortable columns are buttons and have aria-sort.
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { classNames } from '../../text/class-names.ts'
import { type SortState, type SortValue, sortRows, toggleSort } from './sort-rows.ts'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Makes the column sortable in the browser. */
  readonly sortValue?: (row: Row) => SortValue
  /** Sort direction after the first click on the header. Default: descending for numbers, otherwise ascending. */
  readonly firstDirection?: 'asc' | 'desc'
  /** Aligns the column to the right. */
  readonly isNumeric?: boolean
  /** Classes for the header and the cells, such as a width or `hidden md:table-cell`. */
  readonly className?: string
}

interface TableProps<Row> {
  /** Title of the table, which screen readers read before the table. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly getKey: (row: Row) => string
}

export function Table<Row>({ caption, columns, rows, getKey }: TableProps<Row>) {
  const [sort, setSort] = useState<SortState>()
  const getValue = columns.find(({ id }) => id === sort?.column)?.sortValue
  const sorted = sort && getValue ? sortRows(rows, getValue, sort.direction) : rows
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full border-collapse">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell
                key={column.id}
                {...column}
                sort={sort}
                onSort={
                  column.sortValue &&
                  (() =>
                    setSort(toggleSort(sort, column.id, column.firstDirection ?? (column.isNumeric ? 'desc' : 'asc'))))
                }
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={getKey(row)} className="border-t border-line hover:bg-soft/60">
              {columns.map(({ id, cell, isNumeric, className }) => (
                <td
                  key={id}
                  className={classNames(
                    'px-2 py-1.5 align-top first:pl-3 last:pr-3 sm:first:pl-4 sm:last:pr-4',
                    isNumeric && 'text-right',
                    className,
                  )}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeaderCellProps {
  readonly id: string
  readonly header: string
  readonly isNumeric?: boolean
  readonly className?: string
  /** Width in pixels, in a table with fixed layout. */
  readonly width?: number | undefined
  readonly sort: SortState | undefined
  /** Sorts by this column. Without it, the header is plain text. */
  readonly onSort: (() => void) | undefined
}

/** A column header, also used by tables that the service sorts. */
export function HeaderCell({ id, header, isNumeric = false, className, width, sort, onSort }: HeaderCellProps) {
  const direction = sort?.column === id ? sort.direction : undefined
  const Icon = direction === undefined ? ChevronsUpDown : direction === 'asc' ? ArrowUp : ArrowDown
  const ariaSort = direction === undefined ? 'none' : direction === 'asc' ? 'ascending' : 'descending'
  return (
    <th
      scope="col"
      style={{ width }}
      {...(onSort ? { 'aria-sort': ariaSort } : {})}
      className={classNames(
        'px-2 py-1.5 text-xs font-medium whitespace-nowrap text-ink-3 first:pl-3 last:pr-3 sm:first:pl-4 sm:last:pr-4',
        isNumeric ? 'text-right' : 'text-left',
        className,
      )}
    >
      {onSort ? (
        <button
          type="button"
          onClick={onSort}
          className={classNames(
            'inline-flex items-center gap-1 rounded hover:text-ink',
            direction && 'font-semibold text-ink',
          )}
        >
          {header}
          <Icon aria-hidden size={12} className={direction ? '' : 'opacity-60'} />
        </button>
      ) : (
        header
      )}
    </th>
  )
}

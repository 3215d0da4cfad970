// Chooses how the list is shown in the space that it has: which columns, how wide, and when as cards.
import type { Sort } from 'vis-sdk'
import { COLUMN_IDS, COLUMNS, type ColumnId, type ColumnSpec, DEFAULT_COLUMNS } from '../columns.ts'
import type { Row } from '../row.ts'

export interface TableColumn {
  readonly id: ColumnId
  /** Undefined for a column that shares the space that the others leave. */
  readonly width: number | undefined
}

export interface TableLayout {
  readonly kind: 'table'
  readonly columns: readonly TableColumn[]
  /** Whether the product is in the line below the name instead of in a column of its own. */
  readonly hasProductInName: boolean
  readonly isNarrow: boolean
  /** Width of a table that is wider than the page and scrolls sideways. */
  readonly minWidth: number | undefined
}

export type ListLayout = TableLayout | { readonly kind: 'cards' }

/** Width of the column with the checkboxes. */
export const SELECT_PX = 40
const MIN_TABLE_PX = 700
/** With less space for the name, the product moves into the line below it. */
const MIN_NAME_PX = 340
const MIN_NARROW_NAME_PX = 230
const MIN_FLEXIBLE_PX = 220

interface LayoutOptions {
  /** Width of the list in pixels. */
  readonly width: number
  readonly chosen: readonly ColumnId[]
  readonly rows: readonly Row[]
  readonly sort: Sort
}

export function chooseLayout({ width, chosen, rows, sort }: LayoutOptions): ListLayout {
  if (width < MIN_TABLE_PX) return { kind: 'cards' }
  const shown = listShownColumns(chosen, rows, sort)
  if (measure(shown, false) + MIN_NAME_PX <= width) return toTable(shown, { isNarrow: false, minWidth: undefined })
  const isCustom = chosen.join() !== DEFAULT_COLUMNS.join()
  const folded = shown.filter((id) => id !== 'products')
  const needed = measure(folded, true) + MIN_NARROW_NAME_PX
  // A chosen column never disappears: the table scrolls sideways instead.
  return toTable(folded, { isNarrow: true, minWidth: isCustom && needed > width ? needed : undefined })
}

/** Leaves out the columns without a value, and adds the one by which the list is sorted. */
function listShownColumns(chosen: readonly ColumnId[], rows: readonly Row[], sort: Sort): readonly ColumnId[] {
  const sorted = findSortColumn(sort)
  return COLUMN_IDS.filter((id) => id === sorted || (chosen.includes(id) && rows.some(COLUMNS[id].hasValue)))
}

/** Returns the column by which the list is sorted; undefined for an order by relevance. */
function findSortColumn(sort: Sort): ColumnId | undefined {
  const [name] = sort.split('_')
  return COLUMN_IDS.find((id) => findSpec(id).sort === name || id === name)
}

const findSpec = (id: ColumnId): ColumnSpec => COLUMNS[id]

function findWidth(id: ColumnId, isNarrow: boolean): number | undefined {
  const { width, narrowWidth = width } = findSpec(id)
  return isNarrow ? narrowWidth : width
}

function measure(columns: readonly ColumnId[], isNarrow: boolean): number {
  return columns.reduce((sum, id) => sum + (findWidth(id, isNarrow) ?? MIN_FLEXIBLE_PX), SELECT_PX)
}

function toTable(ids: readonly ColumnId[], layout: Pick<TableLayout, 'isNarrow' | 'minWidth'>): TableLayout {
  const columns = ids.map((id) => ({ id, width: findWidth(id, layout.isNarrow) }))
  return { kind: 'table', columns, hasProductInName: !ids.includes('products'), ...layout }
}

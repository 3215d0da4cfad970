// Renders a table that fits the terminal: the last column gets the remaining width and is truncated. Output to a file
// or another program is not truncated.
import type { Style, Terminal } from './terminal.ts'
import { cleanLine, measureWidth, pad, truncate } from './text.ts'

export interface Column<Item> {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Maximum width on a terminal. */
  readonly maxWidth?: number
  /** Narrower tables leave this column out. */
  readonly minTableWidth?: number
  readonly text: (item: Item) => string
  readonly style?: (item: Item) => Style | undefined
}

const GAP = '  '
const MIN_LAST_WIDTH = 12

export function renderTable<Item>(
  terminal: Terminal,
  allColumns: readonly Column<Item>[],
  items: readonly Item[],
): string {
  const columns = allColumns.filter(({ minTableWidth = 0 }) => terminal.tableWidth >= minTableWidth)
  const cells = items.map((item) => columns.map(({ text }) => cleanLine(text(item))))
  const widths = measureColumns(terminal, columns, cells)
  const heading = columns.map(({ title, align }, at) => pad(title, widths[at] ?? 0, getPaddingSide(align))).join(GAP)
  const body = items.map((item, index) =>
    columns
      .map((column, at) => renderCell(terminal, column, item, fitToWidth(cells[index]?.[at], widths[at], column.align)))
      .join(GAP),
  )
  return [terminal.paint('bold', heading.trimEnd()), ...body.map((line) => line.trimEnd()), ''].join('\n')
}

function renderCell<Item>({ paint }: Terminal, { style }: Column<Item>, item: Item, text: string): string {
  const applied = style?.(item)
  return applied === undefined ? text : paint(applied, text)
}

function fitToWidth(text = '', width = 0, align?: 'left' | 'right'): string {
  return pad(truncate(text, width), width, getPaddingSide(align))
}

/** Returns the side to pad: left-aligned text is padded on the right, right-aligned text on the left. */
function getPaddingSide(align: 'left' | 'right' = 'left'): 'left' | 'right' {
  return align === 'left' ? 'right' : 'left'
}

function measureColumns<Item>(
  terminal: Terminal,
  columns: readonly Column<Item>[],
  cells: readonly (readonly string[])[],
) {
  const isTerminal = Number.isFinite(terminal.tableWidth)
  const natural = columns.map(({ title, maxWidth = Number.POSITIVE_INFINITY }, at) => {
    const width = Math.max(measureWidth(title), ...cells.map((row) => measureWidth(row[at] ?? '')))
    return isTerminal ? Math.min(width, maxWidth) : width
  })
  const taken = natural.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0)
  const last = Math.min(natural.at(-1) ?? 0, Math.max(MIN_LAST_WIDTH, terminal.tableWidth - taken))
  return [...natural.slice(0, -1), last]
}

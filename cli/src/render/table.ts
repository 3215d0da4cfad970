// A table as wide as the terminal: the last column gets what the others leave.
import type { Style, Terminal } from '../terminal.ts'
import { cleanLine, cut, pad, widthOf } from './text.ts'

export interface Column<Item> {
  readonly title: string
  readonly side?: 'left' | 'right'
  readonly text: (item: Item) => string
  readonly style?: (item: Item) => Style | undefined
}

const GAP = '  '
const MIN_LAST = 12

export function table<Item>(terminal: Terminal, columns: readonly Column<Item>[], items: readonly Item[]): string {
  const cells = items.map((item) => columns.map(({ text }) => cleanLine(text(item))))
  const widths = widthsOf(terminal, columns, cells)
  const heading = columns.map(({ title, side }, at) => pad(title, widths[at] ?? 0, opposite(side))).join(GAP)
  const body = items.map((item, index) =>
    columns
      .map((column, at) => cell(terminal, column, item, fitted(cells[index]?.[at], widths[at], column.side)))
      .join(GAP),
  )
  return [terminal.paint('bold', heading.trimEnd()), ...body.map((line) => line.trimEnd()), ''].join('\n')
}

function cell<Item>({ paint }: Terminal, { style }: Column<Item>, item: Item, text: string): string {
  const wanted = style?.(item)
  return wanted === undefined ? text : paint(wanted, text)
}

function fitted(text = '', width = 0, side?: 'left' | 'right'): string {
  return pad(cut(text, width), width, opposite(side))
}

/** Space goes to the other side of where the text stands. */
function opposite(side: 'left' | 'right' = 'left'): 'left' | 'right' {
  return side === 'left' ? 'right' : 'left'
}

function widthsOf<Item>(terminal: Terminal, columns: readonly Column<Item>[], cells: readonly (readonly string[])[]) {
  const natural = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[at] ?? ''))),
  )
  const taken = natural.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0)
  const last = Math.min(natural.at(-1) ?? 0, Math.max(MIN_LAST, terminal.width - taken))
  return [...natural.slice(0, -1), last]
}

// Who says what. The matrix scrolls inside itself; on a phone it is a list of values.
import { Check, TriangleAlert } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Cve } from 'vis-sdk'
import { Button } from '../../../kit/controls/button.tsx'
import { Panel } from '../../../kit/panel.tsx'
import { UpstreamText } from '../../../kit/upstream-text.tsx'
import { useElementWidth } from '../../../kit/use-element-width.ts'
import { classNames } from '../../../text/class-names.ts'
import { formatNumber } from '../../../text/format.ts'
import { ExternalLink } from '../parts/external-link.tsx'
import { Missing } from '../parts/missing.tsx'
import { useCveState } from '../use-cve-state.ts'
import { buildMatrix, type Matrix, type MatrixCell, type MatrixColumn, type MatrixRow } from './matrix.ts'

/** More columns make a table that nobody can compare; a button shows the others. */
const MAX_COLUMNS = 6
/** Widths in pixels of the column with the names of the values, and of a source. */
const VALUE_PX = 140
const SOURCE_PX = 176

/** Returns how many sources fit beside the names, so that none is cut at the edge. */
function countFitting(width: number): number {
  return Math.max(2, Math.min(MAX_COLUMNS, Math.floor((width - VALUE_PX) / SOURCE_PX)))
}

export function SourceMatrix({ cve }: { readonly cve: Cve }) {
  const matrix = useMemo(() => buildMatrix(cve), [cve])
  const [{ onlyDifferences }, change] = useCveState()
  if (matrix.rows.length === 0)
    return (
      <Panel title="Who says what">
        <Missing>The record names no sources.</Missing>
      </Panel>
    )
  const rows = matrix.rows.filter(({ isDiffering }) => isDiffering || !onlyDifferences)
  return (
    <Panel
      title="Who says what"
      note={<Legend />}
      actions={
        <Button
          aria-pressed={onlyDifferences}
          onClick={() => change({ onlyDifferences: !onlyDifferences })}
          className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
        >
          Only differences
        </Button>
      }
    >
      <Summary matrix={matrix} />
      {!matrix.columns.some(({ id }) => id === 'nvd') && (
        <p className="mb-3 text-sm text-ink-2">NVD is not compared: no NVD record of the CVE is loaded.</p>
      )}
      {rows.length > 0 && <MatrixTable columns={matrix.columns} rows={rows} />}
    </Panel>
  )
}

function Legend() {
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1 text-ink-2">
      <span className="inline-flex items-center gap-1">
        <i aria-hidden className="inline-block h-3 w-1 rounded-sm bg-accent" />
        used by us, with the rule
      </span>
      <span className="inline-flex items-center gap-1">
        <i aria-hidden className="inline-block size-3 rounded-sm border border-high bg-high-soft" />
        differs
      </span>
      <span>– says nothing, or not compared</span>
    </span>
  )
}

function Summary({ matrix: { rows, differing } }: { readonly matrix: Matrix }) {
  const total = formatNumber(rows.length)
  const stated = rows.flatMap(({ name, disagreement }) => (disagreement === undefined ? [] : [{ name, disagreement }]))
  if (differing === 0)
    return <p className="mb-3 text-sm text-ink-2">No source contradicts another on any of {total} values.</p>
  return (
    <div className="mb-3 flex gap-2 rounded-md bg-high-soft px-3 py-2 text-sm text-high">
      <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <p className="font-semibold">
          Sources differ on {formatNumber(differing)} of {total} values.
        </p>
        {stated.map(({ name, disagreement }) => (
          <p key={name} className="[overflow-wrap:anywhere]">
            <UpstreamText text={disagreement} first={400} />
          </p>
        ))}
      </div>
    </div>
  )
}

interface MatrixTableProps {
  readonly columns: readonly MatrixColumn[]
  readonly rows: readonly MatrixRow[]
}

function MatrixTable({ columns, rows }: MatrixTableProps) {
  const [isWide, setIsWide] = useState(false)
  const used = columns.filter(({ name }) => rows.some(({ cells }) => cells.has(name)))
  const [ref, width] = useElementWidth()
  const fitting = countFitting(width)
  const shown = isWide ? used : used.slice(0, fitting)
  const hidden = used.length - shown.length
  // A row of which only the hidden sources say something would be a row of dashes.
  const visible = rows.filter(({ cells }) => shown.some(({ name }) => cells.has(name)))
  return (
    <>
      <section
        ref={ref}
        aria-label="Sources compared"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse, only a focused area can be scrolled.
        tabIndex={0}
        className="-mx-4 relative overflow-x-auto max-sm:hidden"
      >
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">What each source states about each value</caption>
          <thead>
            <tr className="border-b border-line text-left align-bottom">
              <th scope="col" className="sticky left-0 z-10 min-w-32 bg-panel px-4 py-2">
                <span className="sr-only">Value</span>
              </th>
              {shown.map(({ id, name, count }) => (
                <th key={name} scope="col" title={id} className="min-w-44 px-3 py-2 font-semibold">
                  {name}
                  <span className="block text-xs font-normal text-ink-3">
                    {formatNumber(count)} {count === 1 ? 'value' : 'values'}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {visible.map((row) => (
              <tr key={row.name} className="border-b border-line align-top last:border-b-0">
                <th scope="row" className="sticky left-0 z-10 bg-panel px-4 py-2 text-left font-semibold">
                  {row.label}
                  <RowNote row={row} />
                </th>
                {shown.map(({ name }) => (
                  <Cell key={name} cell={row.cells.get(name)} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {(hidden > 0 || isWide) && used.length > fitting && (
        <Button className="mt-2 max-sm:hidden" onClick={() => setIsWide(!isWide)}>
          {isWide
            ? 'Show fewer sources'
            : `Show ${formatNumber(hidden)} more ${hidden === 1 ? 'source' : 'sources'}${describeHiddenRows(rows.length - visible.length)}`}
        </Button>
      )}
      <RowList rows={rows} />
    </>
  )
}

function describeHiddenRows(count: number): string {
  return count === 0 ? '' : `, and ${formatNumber(count)} more ${count === 1 ? 'value' : 'values'}`
}

/** The matrix on a phone. */
function RowList({ rows }: Pick<MatrixTableProps, 'rows'>) {
  return (
    <ul className="space-y-4 sm:hidden">
      {rows.map((row) => (
        <li key={row.name}>
          <h3 className="text-sm font-semibold">
            {row.label} <RowNote row={row} />
          </h3>
          <ul className="mt-1 space-y-1">
            {[...row.cells].map(([name, cell]) => (
              <li key={name} className={classNames('rounded-md px-2.5 py-1.5 text-sm', CELL_STYLES[cell.kind])}>
                <span className="text-xs text-ink-2">{name}</span>
                <CellContent cell={cell} row={row} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

function RowNote({ row: { isDiffering, omitted, note } }: { readonly row: MatrixRow }) {
  return (
    <>
      {note && (
        <span className={classNames('block text-xs font-normal', isDiffering ? 'text-high' : 'text-ink-3')}>
          {note}
        </span>
      )}
      {omitted > 0 && (
        <span className="block text-xs font-normal text-ink-3">{formatNumber(omitted)} more left out</span>
      )}
    </>
  )
}

const CELL_STYLES = {
  chosen: 'bg-accent-soft border-l-2 border-l-accent',
  differs: 'bg-high-soft',
  agrees: '',
} as const

interface CellProps {
  readonly cell: MatrixCell | undefined
  readonly row: MatrixRow
}

function Cell({ cell, row }: CellProps) {
  if (cell === undefined)
    return (
      <td className="px-3 py-2 text-ink-3">
        <span aria-hidden>–</span>{' '}
        <span className={row.absent === 'says nothing' ? 'sr-only' : 'text-xs'}>{row.absent}</span>
      </td>
    )
  return (
    <td className={classNames('px-3 py-2', CELL_STYLES[cell.kind])}>
      <CellContent cell={cell} row={row} />
    </td>
  )
}

/** More statements of one source about one value are counted. */
const MAX_TEXTS = 4

function CellContent({
  cell: { kind, texts, day, difference },
  row,
}: {
  readonly cell: MatrixCell
  readonly row: MatrixRow
}) {
  const more = texts.length - MAX_TEXTS
  const isSame = texts.length === 0
  // A text such as "CVSS 3.1" does not repeat the value of the record.
  const isValueMissing = kind === 'chosen' && !isSame && !texts.some((text) => text.includes(row.value))
  return (
    <div className="[overflow-wrap:anywhere]">
      {isSame && <p className={kind === 'chosen' ? 'font-semibold' : ''}>{describeSame(kind, row.value)}</p>}
      {isValueMissing && <p className="font-semibold">{row.value}</p>}
      {texts.slice(0, MAX_TEXTS).map((text) => (
        <Statement key={text} text={text} />
      ))}
      {more > 0 && <p className="text-xs text-ink-2">and {formatNumber(more)} more</p>}
      {day && <p className="text-xs text-ink-2">{day}</p>}
      {difference !== undefined && (
        <p className="mt-0.5 flex items-center gap-1 text-xs font-semibold text-high">
          <TriangleAlert aria-hidden size={12} className="shrink-0" /> {difference}
        </p>
      )}
      {kind === 'chosen' && row.cells.size > 1 && (
        <p className="mt-0.5 flex items-start gap-1 text-xs font-medium text-accent">
          <Check aria-hidden size={12} className="mt-0.5 shrink-0" /> <span>{row.rule}</span>
        </p>
      )}
    </div>
  )
}

/** Statements that agree leave out what the record shows. */
function describeSame(kind: MatrixCell['kind'], value: string): string {
  if (value === '') return 'states it'
  return kind === 'chosen' ? value : 'the same'
}

/** A statement may end with an address, such as "Patch https://…". */
function Statement({ text }: { readonly text: string }) {
  const last = text.lastIndexOf(' ') + 1
  const at = /^https?:\/\//.test(text.slice(last)) ? last : -1
  return (
    <p>
      <UpstreamText text={at < 0 ? text : text.slice(0, at)} first={100} />
      {at >= 0 && <ExternalLink url={text.slice(at)} />}
    </p>
  )
}

// Prints the output of commands: results go to stdout and notes go to stderr, so that scripts read only the results.
import { styleText } from 'node:util'
import { formatInstant } from '../../domain/instant.ts'
import type { CommandIo } from '../io.ts'

const NUMBER_FORMAT = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

export interface Table {
  readonly headings: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** Table cell. Numbers are formatted with separators and aligned to the right. */
type Cell = string | number

type Output = Pick<CommandIo, 'stdout'>

export function printLine({ stdout }: Output, line: string): void {
  stdout.write(`${line}\n`)
}

export function printNote({ stderr }: Pick<CommandIo, 'stderr'>, line: string): void {
  stderr.write(`${line}\n`)
}

export function printJson(io: Output, value: unknown): void {
  printLine(io, JSON.stringify(value))
}

export function printHeading(io: Output, text: string): void {
  printLine(io, formatHeading(io, text))
}

export function formatHeading({ stdout }: Output, text: string): string {
  return styleText('bold', text, { stream: stdout })
}

export function printTable(io: Output, { headings, rows }: Table): void {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? formatNumber(cell) : cell)))
  const widths = headings.map((text, column) => Math.max(text.length, ...cells.map((row) => row[column]?.length ?? 0)))
  const isNumeric = headings.map((_, column) => rows.some((row) => typeof row[column] === 'number'))
  const formatRow = (row: readonly string[]) =>
    row
      .map((text, column) =>
        isNumeric[column] ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  printHeading(io, formatRow(headings.map((text) => text.toUpperCase())))
  for (const row of cells) printLine(io, formatRow(row))
}

export function formatFields(fields: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${value.replaceAll('\n', `\n${' '.repeat(width + 2)}`)}`)
    .join('\n')
}

/** Formats a database row as JSON, with names in snake case and times as text. */
export function renderRow(row: object): Readonly<Record<string, unknown>> {
  const members = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value instanceof Date ? formatInstant(value) : value,
  ])
  return Object.fromEntries(members)
}

export function formatNumber(value: number): string {
  return NUMBER_FORMAT.format(value)
}

export function formatCredits(halves: number): string {
  return `${formatNumber(halves / 2)} ${halves === 2 ? 'credit' : 'credits'}`
}

export function formatInstantOr(instant: Date | null, fallback: string): string {
  return instant ? formatInstant(instant) : fallback
}

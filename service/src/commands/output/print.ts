// How commands speak: results on stdout, remarks on stderr, so that a script reads only what it asked for.
import { styleText } from 'node:util'
import { formatInstant } from '../../domain/instant.ts'

const NUMBERS = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function remark(line: string): void {
  process.stderr.write(`${line}\n`)
}

export function sayJson(value: unknown): void {
  say(JSON.stringify(value))
}

export type Cell = string | number

/** Columns as wide as they must be; numbers to the right. */
export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? number(cell) : cell)))
  const widths = heads.map((head, column) => Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)))
  const isNumeric = heads.map((_, column) => rows.some((row) => typeof row[column] === 'number'))
  const line = (row: readonly string[]) =>
    row
      .map((text, column) =>
        isNumeric[column] ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [heading(line(heads.map((head) => head.toUpperCase()))), ...cells.map(line)].join('\n')
}

export function heading(text: string): string {
  // Plain where stdout is no terminal, or NO_COLOR is set.
  return styleText('bold', text, { stream: process.stdout })
}

/** Names to the left, what is to be said of them beside, in one line or more. */
export function facts(entries: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length))
  return Object.entries(entries)
    .map(([name, fact]) => `${name.padEnd(width)}  ${fact.replaceAll('\n', `\n${' '.repeat(width + 2)}`)}`)
    .join('\n')
}

export function number(value: number): string {
  return NUMBERS.format(value)
}

/** Exact to the half. */
export function credits(halves: number): string {
  return `${number(halves / 2)} ${halves === 2 ? 'credit' : 'credits'}`
}

export function instantOr(instant: Date | null, otherwise: string): string {
  return instant ? formatInstant(instant) : otherwise
}

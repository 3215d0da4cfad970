// Who says what: a row for each value of the record, a column for each source, and in each cell what the source states.
import type { Cve } from 'vis-sdk'
import { SOURCE_RULES } from 'vis-sdk/vocabulary'
import { describeRecordValue } from '../model/record-values.ts'
import { listSourcedValues, type SourcedValue, type SourcedValueName, type StatementLine } from '../model/statements.ts'

export interface MatrixCell {
  /** `chosen`: the record's value is the statement of this source. */
  readonly kind: 'chosen' | 'agrees' | 'differs'
  /** What the source states; empty if it states the value of the record. */
  readonly texts: readonly string[]
  readonly day: string | undefined
  /** How the statement differs from the record; undefined if it does not. */
  readonly difference: string | undefined
}

export interface MatrixRow {
  readonly name: SourcedValueName
  readonly label: string
  /** The value of the record; empty if it is too long for a cell. */
  readonly value: string
  /** How the service chooses between sources. */
  readonly rule: string
  /** Whether any source states something else. */
  readonly isDiffering: boolean
  /** How the statements relate, in a few words; undefined if only one source says something. */
  readonly note: string | undefined
  /** How the sources disagree in words, if that is more than another value. */
  readonly disagreement: string | undefined
  readonly omitted: number
  /** Cells by the name of the source. */
  readonly cells: ReadonlyMap<string, MatrixCell>
  /** What is known of a source without a cell. */
  readonly absent: 'says nothing' | 'not compared'
}

export interface MatrixColumn {
  /** Id of the source in answers of the API. */
  readonly id: string
  readonly name: string
  /** Number of values that the source states. */
  readonly count: number
}

export interface Matrix {
  readonly columns: readonly MatrixColumn[]
  readonly rows: readonly MatrixRow[]
  readonly differing: number
}

/**
 * Values that every source has of its own, such as the day on which it changed its record. That they are not equal is no
 * disagreement.
 */
const OWN_VALUES: readonly SourcedValueName[] = ['modified', 'published', 'description', 'source_tag']

/** The value of such a statement is its own day, so it has no other content. */
const DAY_VALUES: readonly SourcedValueName[] = ['modified']

/** Values that the record joins from all sources: a source that states less does not contradict. */
const JOINED_VALUES: readonly string[] = Object.entries(SOURCE_RULES).flatMap(([name, rule]) =>
  rule === SOURCE_RULES.references ? name : [],
)

/**
 * Values whose statements do not show what each source states: an item that several sources list counts for one of them,
 * and the score is that of one source.
 */
const NOT_COMPARED: readonly SourcedValueName[] = ['products', 'references', 'severity']

export function buildMatrix(cve: Cve): Matrix {
  const rows = listSourcedValues(cve.sources).map((value) => toRow(cve, value))
  // What differs comes first, and what only one source states last.
  const rank = ({ isDiffering, cells }: MatrixRow) => (isDiffering ? 0 : cells.size > 1 ? 1 : 2)
  rows.sort((a, b) => rank(a) - rank(b))
  return { columns: listColumns(rows), rows, differing: rows.filter(({ isDiffering }) => isDiffering).length }
}

interface NamedCell extends MatrixCell {
  readonly source: string
  readonly sourceName: string
}

function toRow(cve: Cve, value: SourcedValue): MatrixRow & { readonly named: readonly NamedCell[] } {
  const { name, label, agreeing, others, omitted, disagreement } = value
  const isOwn = OWN_VALUES.includes(name)
  const isJoined = JOINED_VALUES.includes(name)
  const statements = [
    ...agreeing.map((line, index) => ({
      line,
      kind: index === 0 && !isJoined ? ('chosen' as const) : ('agrees' as const),
    })),
    ...others.map((line) => ({ line, kind: isOwn ? ('agrees' as const) : ('differs' as const) })),
  ]
  const bySource = Map.groupBy(statements, ({ line }) => line.sourceName)
  const found = [...bySource].map(([sourceName, found]) => {
    const day = newestDay(found.map(({ line }) => line))
    const isDay = DAY_VALUES.includes(name) && day !== undefined
    return {
      source: found[0]?.line.source ?? '',
      sourceName,
      kind:
        (['chosen', 'differs', 'agrees'] as const).find((kind) => found.some((each) => each.kind === kind)) ?? 'agrees',
      texts: isDay ? [day] : [...new Set(found.map(({ line }) => line.content).filter((content) => content !== ''))],
      day: isDay ? undefined : day,
    }
  })
  const used = found.find(({ kind }) => kind !== 'differs')?.texts.join()
  const named = found.map((cell) => ({
    ...cell,
    difference: cell.kind === 'differs' ? describeDifference(name, cell.texts.join(), used) : undefined,
  }))
  const hasOtherCell = named.some(({ kind }) => kind === 'differs')
  return {
    name,
    label,
    value: describeRecordValue(cve, name),
    rule: SOURCE_RULES[name],
    isDiffering: disagreement !== undefined || hasOtherCell,
    note: hasOtherCell ? 'differ' : disagreement === undefined ? compare(name, named) : 'differ, as said above',
    disagreement,
    omitted,
    cells: new Map(named.map((cell) => [cell.sourceName, cell])),
    absent: NOT_COMPARED.includes(name) || omitted > 0 ? 'not compared' : 'says nothing',
    named,
  }
}

/** A count such as that of CPE matches can be equal although what is counted is not. */
function describeDifference(name: SourcedValueName, text: string, used: string | undefined): string {
  if (text === '' || text !== used) return 'differs from the record'
  return name === 'cpe'
    ? 'as many as in the record, but other products or versions'
    : 'as many as in the record, but others'
}

/** Without a contradiction, sources can still state different things: each its own, or more and less. */
function compare(name: SourcedValueName, cells: readonly Pick<MatrixCell, 'texts'>[]): string | undefined {
  if (cells.length < 2) return undefined
  if (NOT_COMPARED.includes(name)) return 'joined; each item counts for one source'
  const texts = new Set(cells.map((cell) => cell.texts.join()).filter((text) => text !== ''))
  if (texts.size < 2) return 'no difference'
  return OWN_VALUES.includes(name) ? 'each source has its own' : 'no contradiction; some state more'
}

function newestDay(lines: readonly StatementLine[]): string | undefined {
  return lines
    .flatMap(({ day }) => day ?? [])
    .sort()
    .at(-1)
}

/** Sources with the most statements first, so that the columns at the left are the fullest. */
function listColumns(rows: readonly { readonly named: readonly NamedCell[] }[]): readonly MatrixColumn[] {
  const counts = new Map<string, { id: string; name: string; count: number }>()
  for (const { sourceName, source } of rows.flatMap(({ named }) => named)) {
    const column = counts.get(sourceName) ?? { id: source, name: sourceName, count: 0 }
    column.count += 1
    counts.set(sourceName, column)
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count).map(({ id, name, count }) => ({ id, name, count }))
}

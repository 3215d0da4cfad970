// Compares the rows of catalog.affected with the statements of their sources.
import { compareRange, type ServedRange } from './compare-range.ts'
import { type DifferenceKind, isIntended } from './kinds.ts'
import { toCpeKey, toPurlKey } from './name-keys.ts'
import { isSaidBy, RULES, type StatedRange, type Statement } from './statement.ts'
import { says } from './version-words.ts'

export interface AffectedRow extends ServedRange {
  readonly kind: 'cpe' | 'purl'
  readonly vendor: string
  readonly product: string
  readonly target: string
  readonly source: string
  readonly fixed: string | null
}

const DERIVED = 'derived:'
/** `rows`: all rows of the CVE. */
export function compareRows(rows: readonly AffectedRow[], statements: readonly Statement[]) {
  return rows.map((row) => ({
    source: row.source,
    kind: row.source === RULES ? compareConclusion(row, rows, statements) : compareRow(row, statements),
  }))
}

/** A conclusion stands beside the row of a source about the same product, and names versions that a source names. */
function compareConclusion(
  row: AffectedRow,
  rows: readonly AffectedRow[],
  statements: readonly Statement[],
): DifferenceKind | undefined {
  const isBeside = rows.some((each) => each.source !== RULES && toKey(each) === toKey(row))
  const texts = statements.flatMap(({ ranges }) => ranges.flatMap(listTexts))
  const versions = [row.low, row.high, ...(row.versions ?? [])].filter((each) => each !== null)
  return isBeside && versions.every((each) => texts.some((text) => says(text, each, true))) ? undefined : 'rules'
}

function listTexts({ only, from, after, before, through, changes }: StatedRange): readonly string[] {
  return [only, from, after, before, through, ...changes].filter((each) => each !== null)
}

function compareRow(row: AffectedRow, statements: readonly Statement[]): DifferenceKind | undefined {
  const isDerived = row.source.startsWith(DERIVED)
  const source = isDerived ? row.source.slice(DERIVED.length) : row.source
  const bySource = statements.filter((each) => isSaidBy(each, source))
  if (bySource.length === 0) return 'source'
  // Derived names come from the dictionary of NVD's names, so the raw record does not contain them.
  const named = isDerived ? bySource : bySource.filter(({ names }) => names.includes(toKey(row)))
  if (named.length === 0) return 'product'
  const released =
    row.kind === 'purl' ? named.filter(({ release }) => release === null || release === row.target) : named
  if (released.length === 0) return 'release'
  const found = compareRange(row, released)
  return found === undefined || isIntended(found) ? (compareFix(row, released) ?? found) : found
}

function toKey({ kind, vendor, product }: AffectedRow): string {
  return kind === 'cpe' ? toCpeKey(vendor, product) : toPurlKey(vendor, product)
}

function compareFix({ fixed }: AffectedRow, statements: readonly Statement[]): DifferenceKind | undefined {
  if (fixed === null) return undefined
  return statements.some((each) => namesFix(each, fixed)) ? undefined : 'fix'
}

/** The first version after an affected range, or the first one of an unaffected range. */
export function namesFix({ ranges, isProse }: Statement, version: string): boolean {
  return ranges.some(({ status, only, from, before, through, changes }) => {
    if (status === 'unaffected') return [only, from].some((text) => says(text, version, isProse))
    // Some CNAs write the end into `version`, and only `<` into the member for the end.
    const end = before?.trim() === '<' ? from : before
    const texts = [end, ...changes, ...(isProse ? [only, through] : [])]
    // The first version after a series such as `5.x` may be affected, too.
    return texts.some((text) => ![undefined, 'series'].includes(says(text, version, isProse)))
  })
}

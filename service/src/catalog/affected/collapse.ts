// Merges equal rows from one source, and puts single versions of the same product and source into one row. Rows from
// different sources stay separate, because an answer names every source.
import { SCHEMES } from '../../domain/version/schemes.ts'
import type { AffectedRow } from '../../record/affected-row.ts'
import { toStorableText } from '../model/storable-text.ts'
import { compareText } from '../resolve/precedence.ts'

/** Rows beyond this limit become one vague row per product and source: a match is then uncertain, but not lost. */
export const MAX_ROWS = 5000
/** Longer texts are prose, not versions. */
const MAX_VERSION_LENGTH = 128

/** The order of the result does not depend on the order of the sources' lists. */
export function collapse(rows: readonly AffectedRow[]): readonly AffectedRow[] {
  if (rows.length === 0) return rows
  const groups = new Map<string, { first: AffectedRow; versions: Set<string> }>()
  for (const row of rows.map(toStorableRow)) {
    const key = buildKey(row)
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { first: row, versions: new Set(row.versions) })
    else for (const version of row.versions ?? []) known.versions.add(version)
  }
  const sorted = [...dropConditional(groups)].sort(([a], [b]) => compareText(a, b))
  const collapsed = sorted.map(([, { first, versions }]) =>
    first.versions === null ? first : { ...first, versions: [...versions].sort(compareText) },
  )
  return collapsed.length <= MAX_ROWS ? collapsed : limitRows(collapsed)
}

type Groups = ReadonlyMap<string, { readonly first: AffectedRow; readonly versions: ReadonlySet<string> }>

/** Drops a range with a condition if the same source also lists it without one. */
function dropConditional(groups: Groups): Groups {
  if (![...groups.values()].some(({ first }) => first.condition !== null && first.versions === null)) return groups
  const isNeeded = ({ first }: { readonly first: AffectedRow }) =>
    first.condition === null || first.versions !== null || !groups.has(buildKey({ ...first, condition: null }))
  return new Map([...groups].filter(([, group]) => isNeeded(group)))
}

/** Rows with equal keys are merged. Single versions are not part of the key. */
function buildKey(row: AffectedRow): string {
  const name = `${row.kind}\n${row.vendor}\n${row.product}\n${row.target}\n${row.edition ?? ''}\n${row.source}\n${row.scheme}`
  const flags = `${row.isAffected}${row.isVague}${row.versions === null}${row.isLowIncluded}${row.isHighIncluded}`
  const limits = `${row.low ?? ''}\n${row.high ?? ''}\n${row.fixed ?? ''}`
  const condition = row.condition === null ? '' : JSON.stringify(row.condition)
  return `${name}\n${flags}\n${limits}\n${condition}${buildReachKey(row)}`
}

/** Empty for nearly all rows. */
function buildReachKey({ streams, known, urgency, state, statedOn, justification }: AffectedRow): string {
  const reach = [streams, known, urgency, state, statedOn, justification]
  return reach.every((each) => (each ?? null) === null) ? '' : `\n${JSON.stringify(reach)}`
}

function toStorableRow(row: AffectedRow): AffectedRow {
  const texts = [row.low, row.high, row.fixed, ...(row.versions ?? [])]
  const isLong = texts.some((each) => each !== null && each.length > MAX_VERSION_LENGTH)
  const known = isLong ? { ...row, low: null, high: null, fixed: null, versions: null, isVague: true } : row
  const usable = isEmpty(known) ? { ...known, fixed: null, isVague: true } : known
  return hasUnstorableText(usable) ? cleanRow(usable) : usable
}

/** True if no version is in the range: its start is after its end, or both are equal and one is excluded. */
function isEmpty({ scheme, low, isLowIncluded, high, isHighIncluded }: AffectedRow): boolean {
  if (low === null || high === null || scheme === 'commit') return false
  const order = low === high ? 0 : SCHEMES[scheme].compare(low, high)
  return order !== undefined && (order > 0 || (order === 0 && !(isLowIncluded && isHighIncluded)))
}

function hasUnstorableText(row: AffectedRow): boolean {
  const texts = [row.vendor, row.product, row.target, row.low, row.high, row.fixed, ...(row.versions ?? [])]
  return texts.some((each) => each !== null && (each.includes('\0') || !each.isWellFormed()))
}

function cleanRow(row: AffectedRow): AffectedRow {
  const clean = (text: string | null) => text && toStorableText(text)
  return {
    ...row,
    vendor: toStorableText(row.vendor),
    product: toStorableText(row.product),
    target: toStorableText(row.target),
    low: clean(row.low),
    high: clean(row.high),
    fixed: clean(row.fixed),
    versions: row.versions === null ? null : row.versions.map(toStorableText),
  }
}

function limitRows(rows: readonly AffectedRow[]): readonly AffectedRow[] {
  const vague = rows
    .slice(MAX_ROWS)
    .filter((row) => row.isAffected)
    .map(toVagueRow)
  const distinct = new Map(
    [...rows.slice(0, MAX_ROWS), ...vague].map((row) => [`${buildKey(row)}${row.versions?.join() ?? ''}`, row]),
  )
  return [...distinct.values()]
}

function toVagueRow(row: AffectedRow): AffectedRow {
  const open = { low: null, isLowIncluded: false, high: null, isHighIncluded: false, fixed: null, versions: null }
  return { ...row, ...open, isVague: true, condition: null }
}

// The rows that name a product, prepared once for all its versions. They are grouped by CVE or advisory, and each
// version that they name is an index into a list of distinct texts.

import type { ComponentVersion } from '../../domain/component/component.ts'
import type { StoredRow } from '../../record/affected-row.ts'
import { findDividing } from './vendor-hotfixes.ts'
import { createVersionTexts, type TextProbe, type VersionTexts } from './version-texts.ts'

export interface ProductRows {
  readonly rows: readonly PreparedRow[]
  readonly subjects: readonly PreparedSubject[]
  readonly texts: VersionTexts
}

export interface PreparedSubject {
  readonly key: string
  readonly rows: readonly PreparedRow[]
}

export interface PreparedRow {
  readonly row: StoredRow
  /** Position among all rows of the product. */
  readonly position: number
  /** Index of the version text, or NO_TEXT. */
  readonly low: number
  readonly high: number
  readonly fixed: number
  /** The newest version that the source knew. */
  readonly known: number
  /** Single versions, encoded as the index of the text times LISTED_KINDS, plus the kind. */
  readonly listed: Int32Array | undefined
  /** Another range from the same source may end this one. */
  readonly mayEndEarlier: boolean
  /** Rows of the vendor that name fixes inside the range (vendor-hotfixes.ts). */
  readonly dividedBy?: readonly PreparedRow[]
  /** The ranks inside the range (VersionTexts); undefined for lists and commits, and if an end cannot be sorted. */
  readonly ranks: { readonly first: number; readonly last: number } | undefined
}

export const NO_TEXT = -1

/**
 * An update follows its version after a blank: `11.1.2 h1`. The release itself is `11.1.2 -`, stored without the ` -`.
 */
export const LISTED_KINDS = 4
export const [PLAIN, WITH_UPDATE, WITHOUT_UPDATE] = [0, 1, 2] as const

const NO_UPDATE = ' -'
const CNA = /^(?:derived:)?cna:/

/** True for a CNA's range without an end (open-range.ts). */
function mayEndEarlier({ versions, low, high, source }: StoredRow): boolean {
  return versions === null && low !== null && high === null && CNA.test(source)
}

/**
 * Drops commit ranges if the same source also gives a version range. Commits have no order, so they count only if there
 * is nothing else to compare (judge.ts), and they are more than a quarter of the Linux kernel's rows.
 */
function leaveOutCommits(rows: readonly StoredRow[]): readonly StoredRow[] {
  if (!rows.some(({ scheme }) => scheme === 'commit')) return rows
  const toStatement = ({ subjectKey, source }: StoredRow) => `${subjectKey} ${source}`
  const ordered = new Set(rows.filter(isFirmlyOrdered).map(toStatement))
  return rows.filter((row) => row.scheme !== 'commit' || !row.isAffected || !ordered.has(toStatement(row)))
}

/** True if the row can be compared, applies to every release, and is not ended by another row. */
export function isFirmlyOrdered(row: StoredRow): boolean {
  return row.isAffected && row.scheme !== 'commit' && row.target === '' && !mayEndEarlier(row)
}

export function prepareRows(allRows: readonly StoredRow[]): ProductRows {
  const rows = leaveOutCommits(allRows)
  const texts = createVersionTexts()
  const addText = (text: string | null) => (text === null ? NO_TEXT : texts.add(text))
  const indexed = rows.map((row, position) => ({
    row,
    position,
    low: addText(row.low),
    high: addText(row.high),
    fixed: addText(row.fixed),
    known: addText(row.known ?? null),
    listed: row.versions === null ? undefined : Int32Array.from(row.versions, (each) => encodeListed(each, texts)),
    mayEndEarlier: mayEndEarlier(row),
  }))
  // Ranks are computed last, because they depend on all texts.
  const ranked = indexed.map((each) => ({ ...each, ranks: findRanks(each, texts) }))
  const prepared = findDividing(ranked, texts)
  const bySubject = Map.groupBy(prepared, ({ row }) => row.subjectKey)
  return { rows: prepared, subjects: [...bySubject].map(([key, ofSubject]) => ({ key, rows: ofSubject })), texts }
}

/** Every rank lies between these. */
const [LOWEST, HIGHEST] = [-(2 ** 31), 2 ** 31 - 1]

function findRanks({ row, low, high, listed }: Omit<PreparedRow, 'ranks'>, texts: VersionTexts): PreparedRow['ranks'] {
  if (row.scheme === 'commit' || listed !== undefined) return undefined
  const first = low === NO_TEXT ? LOWEST : texts.findFirstRank(row.scheme, low, row.isLowIncluded)
  const last = high === NO_TEXT ? HIGHEST : texts.findLastRank(row.scheme, high, row.isHighIncluded)
  return first === undefined || last === undefined ? undefined : { first, last }
}

function encodeListed(listed: string, texts: VersionTexts): number {
  if (listed.endsWith(NO_UPDATE)) return texts.add(listed.slice(0, -NO_UPDATE.length)) * LISTED_KINDS + WITHOUT_UPDATE
  return texts.add(listed) * LISTED_KINDS + (listed.includes(' ') ? WITH_UPDATE : PLAIN)
}

/** A component's version, ready to be compared with the version texts of a product. */
export interface VersionProbe {
  readonly version: ComponentVersion
  /** The version with its update. */
  readonly whole: TextProbe
  /** The version without its update. */
  readonly base: TextProbe
  /** The prefix of listed versions that are updates of this one. */
  readonly prefix: string
  readonly texts: VersionTexts
}

export function probeVersion({ texts }: ProductRows, version: ComponentVersion): VersionProbe {
  return {
    version,
    whole: texts.probe(version.text),
    base: texts.probe(version.base),
    prefix: `${version.base} `,
    texts,
  }
}

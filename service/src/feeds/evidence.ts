// Public evidence that a vulnerability can be exploited, as several feeds bring it: where it is and what it is called,
// never what it does.
import { hash } from 'node:crypto'
import { type CveId, parseCanonicalCveId } from '../domain/cve-id.ts'
import { parseDate } from '../domain/instant.ts'
import { printable } from './reading/printable.ts'

export interface EvidenceRow extends Evidence {
  readonly contentHash: Buffer
  /** It was dated later than now, and is cut to now. */
  readonly isFuture: boolean
}

export interface Evidence {
  /** As upstream calls it. */
  readonly id: string
  readonly kind: 'exploit' | 'module' | 'template' | 'repository'
  /** Upstream's short name. */
  readonly title: string
  readonly url: string
  /** A day as `YYYY-MM-DD`. */
  readonly published: string | null
  /** In upstream's own word. */
  readonly rank: string | null
  readonly cveIds: readonly CveId[]
}

const LONGEST_TITLE = 300
/** Hyphens and dashes that look like the one in an id: editors put them there. */
const DASHES = /[\u2010-\u2015\u2212]/g

export function evidenceRow(said: Evidence, now: Date): EvidenceRow {
  const today = now.toISOString().slice(0, 10)
  const isFuture = said.published !== null && said.published > today
  const neat = { ...said, title: printable(said.title, LONGEST_TITLE).trim() }
  // Of what upstream says, not of what we make of it: a day that is cut to today would be another one tomorrow.
  const contentHash = hash('sha256', JSON.stringify({ ...neat, isFuture }), 'buffer')
  return { ...neat, published: isFuture ? today : said.published, contentHash, isFuture }
}

/** Each CVE once and in order. What is none is left out: an item is evidence for the others all the same. */
export function cveIdsAmong(references: readonly string[]): CveId[] {
  const ids = references.flatMap((each) => parseCanonicalCveId(each.trim().replaceAll(DASHES, '-')) ?? [])
  return [...new Set(ids)].sort()
}

/** The day of a date, with or without a time behind it. Null when nothing is said, undefined when it is no day. */
export function parseDay(said: string | null | undefined): string | null | undefined {
  if (!said) return null
  const day = said.slice(0, 10)
  return parseDate(day) ? day : undefined
}

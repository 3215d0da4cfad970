// Who is believed first, one table for each value. What is not in a table does not speak on that value.

import type { Rating, Speaker, Statement } from '../model/claim.ts'
import type { Chosen, Said } from '../model/resolved.ts'
import type { RecordSource } from '../model/source-data.ts'

/** Decision C3: first by version, then by who says it. */
export const SCORE_BY_VERSION = ['3.1', '3.0', '4.0', '2.0'] as const satisfies readonly Rating['version'][]
/** Kinds of speakers: `cna:apache` is a `cna`. */
const SCORE_BY_SPEAKER: readonly string[] = ['nvd', 'cna', 'cisa-adp', 'redhat', 'ghsa', 'msrc', 'adp']

export const DESCRIPTION: readonly RecordSource[] = ['nvd', 'cve', 'ghsa', 'msrc', 'redhat']
/** A rejection is explained best by who pronounced it; NVD only repeats it. */
export const REJECTION: readonly RecordSource[] = ['cve', 'nvd', 'ghsa', 'msrc', 'redhat']

/** Vendors publish advisories, not CVEs: their dates are not when a CVE was published. */
export const PUBLISHED: readonly RecordSource[] = ['nvd', 'cve']

export const REFERENCES: readonly RecordSource[] = ['nvd', 'cve', 'ghsa', 'redhat', 'msrc']
export const FIX: readonly RecordSource[] = ['nvd', 'cve', 'overrides', 'ghsa', 'redhat', 'msrc']
/** NVD repeats what the CVE List has, so the original comes first. */
export const AFFECTED: readonly RecordSource[] = ['cve', 'nvd', 'ghsa', 'redhat', 'msrc']

/**
 * Affected products in CPE: as configurations, as names beside products, or derived by us from a vendor, a product and
 * versions in other words.
 */
export const CPE: readonly { readonly source: RecordSource; readonly form: 'configurations' | 'cpes' | 'words' }[] = [
  { source: 'nvd', form: 'configurations' },
  { source: 'overrides', form: 'configurations' },
  { source: 'cve', form: 'configurations' },
  { source: 'cve', form: 'cpes' },
  { source: 'nvd', form: 'cpes' },
  { source: 'cve', form: 'words' },
  { source: 'nvd', form: 'words' },
  { source: 'redhat', form: 'cpes' },
  { source: 'ghsa', form: 'cpes' },
  { source: 'msrc', form: 'cpes' },
]

/** In the order of the table; of one source in the order given, which is the newest first. */
export function inOrder(statements: readonly Statement[], table: readonly RecordSource[]): readonly Statement[] {
  return table.flatMap((source) => statements.filter((each) => each.source === source))
}

export function choose<T>(candidates: readonly Said<T>[]): Chosen<T> | null {
  const [first, ...runnersUp] = candidates
  return first === undefined ? null : { value: first.value, by: first.by, runnersUp }
}

/** The place in SCORE_BY_SPEAKER; whoever is not in it comes last. */
export function speakerRank(speaker: Speaker): number {
  const colon = speaker.indexOf(':')
  const kind = colon < 0 ? speaker : speaker.slice(0, colon)
  const place = SCORE_BY_SPEAKER.indexOf(kind)
  return place < 0 ? SCORE_BY_SPEAKER.length : place
}

export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

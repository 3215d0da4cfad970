// A row of the list.
import type { Field, ListedCve, TriageEntry } from 'vis-sdk'
import { chooseFixWord } from '../../text/verdict/fix-word.ts'

/** A listed CVE with the members that the list requests. */
export type Row = Partial<ListedCve<Field>> & {
  readonly cve_id: string
  /** What the account decided about the CVE. */
  readonly triage?: readonly TriageEntry[]
}

/** The members that a column, the preview or the card of a phone may show: choosing a column needs no further read. */
export const ROW_FIELDS: readonly Field[] = [
  'cve_id',
  'published',
  'modified',
  'description',
  'severity',
  'cvss',
  'status',
  'cpe',
  'kev',
  'epss',
  'enrichment',
  'priority',
  'fixes',
  'epss_trend',
]

/** Whether a source names a fixed version, a patch, or another fix. */
export function hasNamedFix({ fixes = [], enrichment }: Row): boolean {
  return chooseFixWord({ fixes, enrichment }) !== 'none named'
}

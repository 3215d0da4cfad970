// Collects the rows of records, and formats them for comparison.
import { collectAffected } from '../../../src/catalog/affected/collect.ts'
import type { SourceData, SourceRecord } from '../../../src/catalog/model/source-data.ts'
import type { AffectedRow } from '../../../src/record/affected-row.ts'
import { cve, resolved } from '../builders.ts'

export const collect = (records: readonly SourceRecord[], known: Partial<SourceData> = {}) =>
  collectAffected({ debian: [], kev: null, euKev: null, ...known }, resolved(records))

/** Formats a row as one line: who says what about which versions of which product, and how far it reaches. */
export function format(row: AffectedRow): string {
  const name = `${row.kind === 'purl' ? 'pkg:' : ''}${row.vendor}/${row.product}`
  const target = row.target === '' ? '' : `[${row.target}]`
  const low = row.low === null ? '' : `${row.isLowIncluded ? '>=' : '>'}${row.low}`
  const high = row.high === null ? '' : `${row.isHighIncluded ? '<=' : '<'}${row.high}`
  const versions = row.versions?.join(',') ?? ''
  const { streams, known, state, urgency, statedOn } = row
  const reach = [
    streams ? `of ${streams.join(' and ') || 'a module'}` : '',
    known ? `known ${known}` : '',
    ...[state, urgency, statedOn].map((each) => each ?? ''),
  ]
  const flags = [row.isVague ? 'vague' : '', row.isAffected ? '' : 'unaffected', row.fixed ? `fixed ${row.fixed}` : '']
  return [`${row.source}:`, `${name}${target}`, low, high, versions, ...flags, ...reach]
    .filter((each) => each !== '')
    .join(' ')
}

export const list = (...records: readonly SourceRecord[]) => collect(records).map(format)

export const cna = (...affected: readonly object[]) => cve({ cna: { affected } })
export const said = (status: string, version: string, limits: object = {}) => ({ status, version, ...limits })

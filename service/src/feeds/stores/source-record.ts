// Store of feeds with one record per CVE. The whole record is stored in the table `source.source_record`. Most feeds
// replace stored records and never remove them: NVD and the CVE List do not delete records, they mark them as rejected.
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { CveId } from '../../domain/cve-id.ts'
import { clampToNow, isFutureTime } from '../clock-skew.ts'
import type { Store } from '../store.ts'
import { extractCveIds } from './extract-ids.ts'
import { stagedStore } from './staged-store.ts'

export interface SourceRow {
  readonly cveId: CveId
  readonly modified: Date
  /** True if upstream's modification time was later than now; `modified` is then replaced by the current time. */
  readonly isFuture: boolean
  readonly score: number | null
  readonly record: string
}

/** A modification time in the future becomes the time of the import (decision C22). */
export function toSourceRow(
  cveId: CveId,
  modified: Date,
  content: { readonly value: unknown; readonly score: number | null },
  now: Date,
): SourceRow {
  return {
    cveId,
    modified: clampToNow(modified, now),
    isFuture: isFutureTime(modified, now),
    score: content.score,
    record: JSON.stringify(content.value),
  }
}

/** `missing` says what happens to a stored record that a snapshot (a delivery of all records) lacks. */
export function sourceRecordStore(source: string, missing: 'keep' | 'delete' = 'keep'): Store<SourceRow> {
  return stagedStore<SourceRow>({
    table: 'source_record',
    feedColumn: { name: 'source', value: source },
    key: ['cve_id'],
    columns: {
      cve_id: (row) => row.cveId,
      modified: (row) => row.modified,
      record: (row) => row.record,
    },
    contentHash: (row) => hash('sha256', row.record, 'buffer'),
    readTime: (row) => row.modified,
    stagingColumns: {
      is_future: { type: 'boolean not null', value: (row) => row.isFuture },
      score: { type: 'real', value: (row) => row.score },
    },
    isVersioned: true,
    removal: { rule: missing, rejected: { column: sql`held.cve_id`, ids: extractCveIds } },
    queueAs: source,
  })
}

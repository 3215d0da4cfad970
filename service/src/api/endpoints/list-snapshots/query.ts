import { sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import { POSITION } from '../../../record/change-log/position-text.ts'

export interface SnapshotRow {
  readonly id: string
  readonly since: string
  readonly createdAt: Date
  readonly records: number
  readonly bytes: number
  readonly sha256: readonly string[]
  readonly schemaVersion: string
}

/**
 * Reads the snapshots without their bytes: PostgreSQL can tell the length of a value stored outside the row without
 * reading it.
 */
export async function readSnapshots(db: Database): Promise<readonly SnapshotRow[]> {
  const { rows } = await sql<SnapshotRow>`
    select id,
           ${POSITION} as since,
           created_at as "createdAt",
           records,
           part.bytes::double precision as bytes,
           part.sha256,
           schema_version as "schemaVersion"
      from catalog.snapshot,
           lateral (select coalesce(sum(octet_length(bytes)), 0) as bytes,
                           coalesce(array_agg(encode(sha256, 'hex') order by nr), '{}') as sha256
                      from catalog.snapshot_part
                     where snapshot_id = snapshot.id) as part
     order by created_at desc, id desc
  `.execute(db)
  return rows
}

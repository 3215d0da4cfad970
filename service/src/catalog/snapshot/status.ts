import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'

export interface SnapshotStatus {
  readonly createdAt: Date
  readonly records: number
  readonly bytes: number
}

export async function readNewestSnapshot(db: Database): Promise<SnapshotStatus | undefined> {
  const { rows } = await sql<SnapshotStatus>`
    select created_at as "createdAt",
           records,
           (select coalesce(sum(octet_length(bytes)), 0)::float8
              from catalog.snapshot_part
             where snapshot_id = snapshot.id) as bytes
      from catalog.snapshot
     order by created_at desc
     limit 1
  `.execute(db)
  return rows[0]
}

/** Reads the positions in the change log from which readers of the kept snapshots continue. */
export async function readSnapshotPositions(db: Database): Promise<readonly bigint[]> {
  const { rows } = await sql<{ seq: string }>`select seq from catalog.snapshot`.execute(db)
  return rows.map(({ seq }) => BigInt(seq))
}

import { sql } from 'kysely'
import { noSuchPart, snapshotGone, unavailable } from '../../../contract/response/errors.ts'
import type { Database } from '../../../database/postgres.ts'
import { NEWEST_SNAPSHOT } from '../../../record/change-log/newest-snapshot.ts'

/** A part is read in slices, because the node decodes each database reply in one go. */
const SLICE_BYTES = 512 * 1024

interface FoundPart {
  readonly bytes: number
  /** The digest in hexadecimal. */
  readonly sha256: string
}

interface State {
  readonly newest: string | null
  readonly isReplica: boolean
  readonly parts: number
  readonly bytes: number | null
  readonly sha256: string | null
}

/** Finds a part, without its bytes. Throws 404 or 410 if it does not exist. */
export async function findPart(db: Database, id: string, part: number): Promise<FoundPart> {
  const { rows } = await sql<State>`
    select (${NEWEST_SNAPSHOT}) as newest,
           pg_is_in_recovery() as "isReplica",
           (select count(*)::integer from catalog.snapshot_part where snapshot_id = ${id}) as parts,
           octet_length(part.bytes) as bytes,
           encode(part.sha256, 'hex') as sha256
      from (values (true)) as always
           left join catalog.snapshot_part as part on part.snapshot_id = ${id} and part.nr = ${part}
  `.execute(db)
  const [state] = rows
  if (!state) throw new Error('the query of a part returned no row')
  const { bytes, sha256 } = state
  if (bytes === null || sha256 === null) throw explainAbsence(id, part, state)
  return { bytes, sha256 }
}

function explainAbsence(id: string, part: number, { newest, isReplica, parts }: State): Error {
  if (parts > 0) return noSuchPart(part, parts)
  // An id starts with the time of the snapshot. A replica may not have received the snapshot yet.
  if (isReplica && id > (newest ?? '')) return unavailable('This node has not received this snapshot yet.')
  return snapshotGone(id, newest)
}

export async function readPart(
  db: Database,
  { id, part, bytes }: { readonly id: string; readonly part: number; readonly bytes: number },
): Promise<Buffer[]> {
  const slices: Buffer[] = []
  for (let start = 0; start < bytes; start += SLICE_BYTES) {
    const { rows } = await sql<{ slice: Buffer }>`
      select substring(bytes from ${start + 1} for ${SLICE_BYTES}) as slice
        from catalog.snapshot_part
       where snapshot_id = ${id}
         and nr = ${part}
    `.execute(db)
    const [read] = rows
    // The snapshot has been deleted since its first slice was read.
    if (!read) throw snapshotGone(id, null)
    slices.push(read.slice)
  }
  return slices
}

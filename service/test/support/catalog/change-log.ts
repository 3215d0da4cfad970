// Writes rows to the change log, as the publisher does.
import { type Kysely, sql } from 'kysely'
import { requireCveKey } from './cve-builder.ts'

export interface LoggedChange {
  readonly id?: string | null
  readonly kind?: string
  readonly types?: readonly string[]
  readonly cause?: string
  readonly fields?: readonly string[]
  readonly diff?: object | null
}

export async function logChange(
  db: Kysely<unknown>,
  { id = null, types = ['updated'], cause = 'data', fields = [], diff = null, ...row }: LoggedChange,
): Promise<void> {
  const { kind = id === null ? 'epss' : 'changed' } = row
  await sql`
    insert into catalog.change (cve_key, kind, types, cause, fields, diff)
    values (${id === null ? null : requireCveKey(id)}, ${kind}, ${types}::text[], ${cause},
            ${fields}::text[], ${diff === null ? null : JSON.stringify(diff)}::jsonb)
  `.execute(db)
}

export async function emptyChangeLog(db: Kysely<unknown>): Promise<void> {
  await sql`truncate catalog.change restart identity`.execute(db)
  await sql`update catalog.change_floor set data_seq = 0, complete_seq = 0`.execute(db)
}

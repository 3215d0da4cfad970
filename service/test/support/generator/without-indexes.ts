// Fills tables without indexes and keys, which is several times faster, and creates the indexes and keys again
// afterwards.
import type { Client } from 'pg'

interface Definition {
  readonly drop: string
  readonly create: string
}

/** Must be called inside a transaction: if filling a table fails, the rollback restores indexes and keys. */
export async function withoutIndexes(
  client: Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  // Key definitions are read before anything is dropped, because only an existing constraint distinguishes a key from a
  // plain index.
  const definitions = [...(await readKeys(client, tables)), ...(await readIndexes(client, tables))]
  // Foreign keys come last, so in reverse order they are dropped before the keys that they refer to.
  for (const { drop } of definitions.toReversed()) await client.query(drop)
  await work()
  for (const { create } of definitions) await client.query(create)
}

/** Reads the keys of the tables, and the foreign keys of other tables that refer to them. */
async function readKeys(client: Client, tables: readonly string[]): Promise<readonly Definition[]> {
  const { rows } = await client.query<Definition>(
    `
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
      from pg_constraint
     where conrelid = any ($1::regclass[]) and contype in ('p', 'u', 'f')
        or confrelid = any ($1::regclass[]) and contype = 'f'
     order by contype desc, conrelid, conname
    `,
    [tables],
  )
  return rows
}

async function readIndexes(client: Client, tables: readonly string[]): Promise<readonly Definition[]> {
  const { rows } = await client.query<Definition>(
    `
    select format('drop index %I.%I', schemaname, indexname) as drop,
           indexdef as create
      from pg_indexes
     where format('%I.%I', schemaname, tablename)::regclass = any ($1::regclass[])
       and not exists (
             select from pg_constraint where conindid = format('%I.%I', schemaname, indexname)::regclass
           )
     order by indexname
    `,
    [tables],
  )
  return rows
}

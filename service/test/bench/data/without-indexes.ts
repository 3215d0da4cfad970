// Filling a table is several times as fast without its indexes and foreign keys: both are then made in one go.
import type { Client } from 'pg'

interface Definition {
  readonly drop: string
  readonly create: string
}

/** For whoever is in a transaction: should the work fail, everything is as before. */
export async function withoutIndexes(
  client: Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  // Keys first: they are told apart from the other indexes while they are there.
  const definitions = [...(await keysOf(client, tables)), ...(await indexesOf(client, tables))]
  for (const { drop } of definitions) await client.query(drop)
  await work()
  for (const { create } of definitions) await client.query(create)
}

async function keysOf(client: Client, tables: readonly string[]): Promise<readonly Definition[]> {
  const { rows } = await client.query<Definition>(
    `
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
      from pg_constraint
     where conrelid = any ($1::regclass[]) and contype in ('p', 'u', 'f')
     order by contype desc, conrelid, conname
    `,
    [tables],
  )
  return rows
}

async function indexesOf(client: Client, tables: readonly string[]): Promise<readonly Definition[]> {
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

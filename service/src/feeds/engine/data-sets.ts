import { sql } from 'kysely'
import { openSession } from '../../database/session.ts'
import { DATA_SOURCES, SOURCE_IDS } from '../../domain/source/sources.ts'

/** Lets `/health` list a data set before its feed first runs. The login must be a member of vis_migrate. */
export async function storeDataSets(url: string): Promise<readonly string[]> {
  const session = openSession(url, 'data-sets')
  try {
    const { rows } = await session.db.transaction().execute(async (tx) => {
      await sql`set local role vis_migrate`.execute(tx)
      return sql<{ name: string }>`
        insert into catalog.dataset (name, stale_after_seconds, is_required)
        select *
          from unnest(
                 ${SOURCE_IDS}::text[],
                 ${SOURCE_IDS.map((id) => DATA_SOURCES[id].staleAfterSeconds)}::integer[],
                 ${SOURCE_IDS.map((id) => DATA_SOURCES[id].isRequired === true)}::boolean[]
               )
            on conflict (name) do update
           set stale_after_seconds = excluded.stale_after_seconds,
               is_required = excluded.is_required
         where (dataset.stale_after_seconds, dataset.is_required) <> (excluded.stale_after_seconds, excluded.is_required)
        returning name
      `.execute(tx)
    })
    return rows.map(({ name }) => name)
  } finally {
    await session.close()
  }
}

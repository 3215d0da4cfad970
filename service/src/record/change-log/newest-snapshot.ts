// SQL of the newest snapshot of the catalog, with which a new full copy begins.
import { sql } from 'kysely'

/** SQL query for the id of the newest snapshot. It has no row if there is no snapshot. */
export const NEWEST_SNAPSHOT = sql<{
  id: string
}>`select id from catalog.snapshot order by created_at desc, id desc limit 1`

// Selects the newest snapshot, with which a new full copy of the catalog begins.
import { sql } from 'kysely'

export const NEWEST_SNAPSHOT = sql<{
  id: string
}>`select id from catalog.snapshot order by created_at desc, id desc limit 1`

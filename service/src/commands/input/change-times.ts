// Changes the times of changes after a command with --now, such as in the demo. PostgreSQL dates changes by its own clock,
// but the command's clock starts on another day: the newest change would be in the future, and no earlier day could be
// requested.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'

/** Sets the time of all later changes to this time. */
export async function dateChanges(db: Database, time: string): Promise<void> {
  await sql`update catalog.change set at = ${time} where at > ${time}`.execute(db)
  await sql`update catalog.change_time set at = ${time} where at > ${time}`.execute(db)
  await sql`update catalog.cve_past set until_at = ${time} where until_at > ${time}`.execute(db)
  await sql`
    update catalog.past_start
       set complete_since = least(complete_since, ${time}),
           kev_since = least(kev_since, ${time})
  `.execute(db)
}

// Deletes what is no longer needed to sign people in.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'

/** Deletes old console sessions, expired links and mails, and counts whose window is over. */
export async function deleteOldSignInData(accounts: Database): Promise<void> {
  await sql`select accounts.delete_old_sign_in_data()`.execute(accounts)
  await sql`select accounts.delete_old_sessions()`.execute(accounts)
}

// Admissions for tests that charge without looking up a key.
import { readRows } from '../support/run-statements.ts'

/** Issues an admission for an account and a key, valid for a day. Only the owner of the schema can do this. */
export async function issueAdmission(databaseUrl: string, accountId: string, keyId = '1'): Promise<string> {
  const [row] = await readRows(
    databaseUrl,
    "select accounts.issue_admission($1, $2, now() + interval '1 day') as admission",
    [accountId, keyId],
  )
  return String(row?.admission)
}

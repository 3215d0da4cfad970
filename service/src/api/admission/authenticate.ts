import { readKey } from '../../accounts/api-key.ts'
import { type Caller, findKey } from '../../accounts/find-key.ts'
import { badKey } from '../../contract/errors.ts'
import type { Database } from '../../database/postgres.ts'

/** Who is calling, or the 401 of decision A2. `sent`: every X-API-Key header of the request. */
export async function authenticate(accounts: Database, sent: readonly string[] = []): Promise<Caller> {
  const [text = '', second] = sent
  if (second !== undefined) throw badKey('invalid')
  if (text.trim() === '') throw badKey('missing')
  const digest = readKey(text)
  const found = digest && (await findKey(accounts, digest))
  if (found === undefined) throw badKey('invalid')
  if (typeof found === 'string') throw badKey(found)
  return found
}

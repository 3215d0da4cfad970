import { readKey } from '../../accounts/api-key.ts'
import type { Callers } from '../../accounts/caller-cache.ts'
import type { Caller } from '../../accounts/find-caller.ts'
import { badKey } from '../../contract/errors.ts'

/** Who is calling, or the 401 of decision A2. `sent`: every X-API-Key header of the request. */
export async function authenticate(callers: Callers, sent: readonly string[]): Promise<Caller> {
  const [text = '', second] = sent
  if (second !== undefined) throw badKey('invalid')
  if (text.trim() === '') throw badKey('missing')
  const digest = readKey(text)
  const found = digest && (await callers.find(digest))
  if (!found) throw badKey('invalid')
  if (found.refusal) throw badKey(found.refusal)
  return found.caller
}

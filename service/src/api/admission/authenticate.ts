import { toKeyDigest } from '../../accounts/api-key.ts'
import type { CallerCache } from '../../accounts/caller-cache.ts'
import type { Caller } from '../../accounts/find-caller.ts'
import { badKey } from '../../contract/errors.ts'

/**
 * Returns the caller, or throws the 401 error of decision A2. `keys` holds the values of all X-API-Key headers of the
 * request.
 */
export async function authenticate(callers: CallerCache, keys: readonly string[]): Promise<Caller> {
  const [text = '', second] = keys
  if (second !== undefined) throw badKey('invalid')
  if (text.trim() === '') throw badKey('missing')
  const digest = toKeyDigest(text)
  const found = digest && (await callers.find(digest))
  if (!found) throw badKey('invalid')
  if (found.refusal) throw badKey(found.refusal)
  return found.caller
}

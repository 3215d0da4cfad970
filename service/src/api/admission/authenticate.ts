import { toKeyDigest } from '../../accounts/keys/api-key.ts'
import type { CallerCache } from '../../accounts/keys/caller-cache.ts'
import type { FoundKey, KeyCaller } from '../../accounts/keys/find-caller.ts'
import { badKey, unavailable } from '../../contract/response/errors.ts'
import { isServerUnreachable } from '../../database/classify-error.ts'
import { TooManyLookupsError } from './limit-lookups.ts'

export interface AuthenticationRule {
  /** Whether keys that were valid within the last minute are accepted while the accounts database is unreachable. */
  readonly acceptsLastKnownKeys: boolean
  /** Undefined if the connection was reset. */
  readonly address: string | undefined
}

/** Throws 401 according to decision A2. `keys` holds the values of all X-API-Key headers. */
export async function authenticate(
  callers: CallerCache,
  keys: readonly string[],
  { acceptsLastKnownKeys, address }: AuthenticationRule,
): Promise<KeyCaller> {
  const [text = '', second] = keys
  if (second !== undefined) throw badKey('invalid')
  if (text.trim() === '') throw badKey('missing')
  const digest = toKeyDigest(text)
  if (!digest) throw badKey('invalid')
  try {
    return requireValid(await callers.find(digest, address))
  } catch (error) {
    const isBusy = error instanceof TooManyLookupsError
    const canUseLastKnown = acceptsLastKnownKeys && (isBusy || isServerUnreachable(error))
    const lastKnown = canUseLastKnown ? callers.findLastKnown(digest) : undefined
    if (lastKnown) return lastKnown
    if (isBusy) throw unavailable(`Too many ${error.tasks} are being checked right now.`, error)
    throw error
  }
}

function requireValid(found: FoundKey | undefined): KeyCaller {
  if (!found) throw badKey('invalid')
  if (found.refusal) throw badKey(found.refusal)
  return found.caller
}

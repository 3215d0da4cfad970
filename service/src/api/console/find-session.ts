import type { FastifyRequest } from 'fastify'
import type { CallerCache } from '../../accounts/caller-cache.ts'
import type { ConsoleReads } from '../../accounts/console-reads.ts'
import { SemaphoreFullError } from '../../accounts/semaphore.ts'
import { type FoundSession, type SessionCaller, type SessionRefusal, toSessionDigest } from '../../accounts/sessions.ts'
import { unavailable } from '../../contract/errors.ts'
import { readSessionCookie } from './cookie.ts'

export interface ConsoleContext {
  readonly sessions: CallerCache<FoundSession>
  readonly reads: ConsoleReads
  readonly allowsKeySignIn: boolean
  readonly publicUrl: string | null
}

/** The valid session of a request, or the reason why the request has none. */
type SessionState =
  | { readonly digest: string; readonly caller: SessionCaller }
  | { readonly problem: 'missing' | 'invalid' | SessionRefusal }

export async function findRequestSession(
  request: FastifyRequest,
  { sessions, publicUrl }: ConsoleContext,
): Promise<SessionState> {
  const id = readSessionCookie(request, publicUrl)
  if (id === undefined || id === '') return { problem: 'missing' }
  const digest = id === null ? undefined : toSessionDigest(id)
  if (digest === undefined) return { problem: 'invalid' }
  const found = await sessions.find(digest).catch((error: unknown) => {
    if (error instanceof SemaphoreFullError) throw unavailable('Too many sessions are being checked right now.', error)
    throw error
  })
  if (!found) return { problem: 'invalid' }
  return found.refusal === undefined ? { digest, caller: found.caller } : { problem: found.refusal }
}

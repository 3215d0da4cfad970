// The session of the person: `GET`, `POST` and `DELETE /console/api/session`.
import { callService } from './call.ts'

const ADDRESS = '/console/api/session'

interface Session {
  readonly account: { readonly name: string; readonly plan: string }
  readonly role: string
}

interface SessionState {
  /** Null if nobody is signed in. */
  readonly session: Session | null
  /** Why nobody is signed in, such as `expired`. */
  readonly reason?: string
  /** Ways to sign in that the operator permits. */
  readonly sign_in: { readonly api_key: boolean }
}

interface Answer<Data> {
  readonly data: Data
  readonly meta: { readonly timestamp: string }
}

/** Returns the session, and how far the clock of the service is ahead of the clock of the browser. */
export async function readSession(signal: AbortSignal): Promise<SessionState & { readonly clockOffsetMs: number }> {
  const { data, meta } = await callService<Answer<SessionState>>(ADDRESS, { method: 'GET', signal })
  const offsetMs = Date.parse(meta.timestamp) - Date.now()
  return { ...data, clockOffsetMs: Number.isNaN(offsetMs) ? 0 : offsetMs }
}

/** Exchanges an API key for a session cookie. The key is sent once and kept nowhere. */
export function signIn(apiKey: string): Promise<unknown> {
  return callService(ADDRESS, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey }),
  })
}

export function signOut(): Promise<unknown> {
  // The service accepts changes only with this type, because no form of another site can send it.
  return callService(ADDRESS, { method: 'DELETE', headers: { 'Content-Type': 'application/json' } })
}

// The session of the person: `GET`, `POST` and `DELETE /console/api/session`.
import { VisError, type VisErrorCode } from 'vis-sdk'

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
  const { data, meta } = await callSession<Answer<SessionState>>({ method: 'GET', signal })
  const offsetMs = Date.parse(meta.timestamp) - Date.now()
  return { ...data, clockOffsetMs: Number.isNaN(offsetMs) ? 0 : offsetMs }
}

/** Exchanges an API key for a session cookie. The key is sent once and kept nowhere. */
export function signIn(apiKey: string): Promise<unknown> {
  return callSession({
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey }),
  })
}

export function signOut(): Promise<unknown> {
  // The service accepts changes only with this type, because no form of another site can send it.
  return callSession({ method: 'DELETE', headers: { 'Content-Type': 'application/json' } })
}

async function callSession<Body>(init: RequestInit): Promise<Body> {
  const response = await fetch(ADDRESS, { ...init, credentials: 'same-origin', redirect: 'error' }).catch(
    (cause: unknown) => {
      throw new VisError({ code: 'NETWORK_ERROR', message: 'The service could not be reached', cause })
    },
  )
  const text = await response.text()
  if (!response.ok) throw toError(response, text)
  // The cast is safe: the service declares the body of a session, and its tests check it.
  return (text === '' ? undefined : JSON.parse(text)) as Body
}

function toError({ status, headers }: Response, text: string): VisError {
  const retryAfter = Number(headers.get('Retry-After') ?? Number.NaN)
  const metadata = {
    status,
    correlationId: headers.get('X-Correlation-Id') ?? undefined,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  }
  try {
    const { error } = JSON.parse(text) as { error: { code: VisErrorCode; message: string } }
    return new VisError({ ...metadata, code: error.code, message: error.message })
  } catch {
    return new VisError({
      ...metadata,
      code: 'INVALID_RESPONSE',
      message: `The service answered with status ${status}`,
    })
  }
}

// Calls to the console's own routes (`/console/api/…`), which are not part of the public API.
import { VisError, type VisErrorCode } from 'vis-sdk'
import { fetchAnswer } from './fetch-answer.ts'

interface ConsoleCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal
}

interface Answer<Data> {
  readonly data: Data
  readonly meta: { readonly timestamp: string }
}

/** Calls a route such as `session` and returns its answer, or undefined if the answer has no body. */
export async function callConsole<Data>(path: string, call: ConsoleCall): Promise<Answer<Data> | undefined> {
  const { method, body, signal } = call
  const response = await fetchAnswer(`/console/api/${path}`, {
    method,
    credentials: 'same-origin',
    redirect: 'error',
    // The service accepts changes only with this content type, because a form on another site cannot send it.
    ...(method === 'GET' ? {} : { headers: { 'Content-Type': 'application/json' } }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    throw new VisError({ code: 'NETWORK_ERROR', message: 'The service could not be reached', cause })
  })
  const text = await response.text()
  if (!response.ok) throw toError(response, text)
  // The cast is safe: the service declares the response bodies of these routes, and its tests check them.
  return text === '' ? undefined : (JSON.parse(text) as Answer<Data>)
}

function toError({ status, headers }: Response, text: string): VisError {
  const retryAfter = Number(headers.get('Retry-After') ?? Number.NaN)
  const metadata = {
    status,
    correlationId: headers.get('X-Correlation-Id') ?? undefined,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  }
  try {
    const { error } = JSON.parse(text) as {
      error: { code: VisErrorCode; message: string; details?: Record<string, unknown> }
    }
    return new VisError({ ...metadata, code: error.code, message: error.message, details: error.details })
  } catch {
    return new VisError({
      ...metadata,
      code: 'INVALID_RESPONSE',
      message: `The service answered with status ${status}`,
    })
  }
}

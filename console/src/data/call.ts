// Calls of the service that the sdk does not have. Like the sdk, they fail with a VisError.
import { VisError, type VisErrorCode } from 'vis-sdk'

/** Sends a call with the session cookie of the page and returns the body of the response. */
export async function callService<Body>(address: string, init: RequestInit): Promise<Body> {
  const response = await fetch(address, { ...init, credentials: 'same-origin', redirect: 'error' }).catch(
    (cause: unknown) => {
      throw new VisError({ code: 'NETWORK_ERROR', message: 'The service could not be reached', cause })
    },
  )
  const text = await response.text()
  if (!response.ok) throw toError(response, text)
  // The cast is safe: the service declares the body, and its tests check it.
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

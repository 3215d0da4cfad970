// Clients for the service. The console calls it with the session cookie and never holds an API key.
import { createClient, createSessionClient } from 'vis-sdk'
import { fetchAnswer } from './fetch-answer.ts'

// TanStack Query already retries. Retries inside the client would delay the message about a 429 by up to a minute.
const RETRIES = 0

/** Calls `/console/api/v1/…` with the page's session cookie. */
export const client = createSessionClient({ url: `${location.origin}/console`, retries: RETRIES, fetch: fetchAnswer })

/** Like `client`, for calls that go on after the page was closed. */
export const leavingClient = createSessionClient({
  url: `${location.origin}/console`,
  retries: RETRIES,
  fetch: (input, init) => fetchAnswer(input, { ...init, keepalive: true }),
})

/** Calls endpoints that need no sign-in, such as `/health`. */
export const publicClient = createClient({ url: location.origin, apiKey: '', retries: RETRIES, fetch: fetchAnswer })

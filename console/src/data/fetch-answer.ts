// Reads the service's answers. They contain text from upstream sources and other people, such as key names, member
// addresses and session user agents. None of it may change the direction of the surrounding text.
import { neutralizeDirection } from '../text/direction.ts'

/**
 * Like `fetch`, for JSON answers. JSON contains the replaced characters literally and does not use them in its own
 * syntax.
 */
export const fetchAnswer: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') ?? false
  if (!isJson || response.body === null) return response
  const { status, statusText, headers } = response
  return new Response(neutralizeDirection(await response.text()), { status, statusText, headers })
}

// Reads answers of the service. Texts in them come from upstream sources and from other people: names of keys, addresses
// of members, programs of sessions. None of them may turn the text around it.
import { neutralizeDirection } from '../text/direction.ts'

/** As `fetch`, for answers in JSON. JSON writes the replaced characters as they are, and uses none of them itself. */
export const fetchAnswer: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') ?? false
  if (!isJson || response.body === null) return response
  const { status, statusText, headers } = response
  return new Response(neutralizeDirection(await response.text()), { status, statusText, headers })
}

// Reads the service's answers. They contain text from upstream sources and other people, such as key names, member
// addresses and session user agents. None of it may change the direction of the surrounding text.
import { neutralizeDirection } from '../text/direction.ts'
import { getPageId } from './page-id.ts'
import { getStart, PAGE_ID_HEADER } from './start.ts'

/**
 * Like `fetch`, for JSON answers. JSON contains the replaced characters literally and does not use them in its own
 * syntax.
 */
export const fetchAnswer: typeof fetch = async (input, init) => {
  const response = await (takeEarlyAnswer(input, init) ?? send(input, init))
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') ?? false
  if (!isJson || response.body === null) return response
  const { status, statusText } = response
  return new Response(neutralizeDirection(await response.text()), { status, statusText, headers: response.headers })
}

function send(input: FetchInput, init: RequestInit | undefined): Promise<Response> {
  const headers = new Headers(init?.headers)
  headers.set(PAGE_ID_HEADER, getPageId())
  return fetch(input, { ...init, headers })
}

type FetchInput = Parameters<typeof fetch>[0]

/** The answer to a read that the start script has sent. */
function takeEarlyAnswer(input: FetchInput, init: RequestInit | undefined): Promise<Response> | undefined {
  const start = getStart()
  if (start === undefined || input instanceof Request || (init?.method ?? 'GET') !== 'GET') return undefined
  const { pathname, search, origin } = new URL(input, location.href)
  return origin === location.origin ? start.takeAnswer(`${pathname}${search}`) : undefined
}

// The path of the console to which the browser returns after a sign-in.

const START_PATH = '/console/'
const MAX_LENGTH = 2000
/** Any origin: only used to parse paths. */
const BASE = 'http://console.invalid'

/**
 * Returns the path and query if they are those of a page of the console, otherwise the start page. An address of another
 * host must never pass: the sign-in would send people to a page that looks like the console (open redirect).
 */
export function toReturnPath(asked: string): string {
  if (asked.length > MAX_LENGTH || !asked.startsWith(START_PATH)) return START_PATH
  const url = URL.parse(asked, BASE)
  if (!url || url.origin !== BASE || !url.pathname.startsWith(START_PATH)) return START_PATH
  if (url.pathname.startsWith('/console/api')) return START_PATH
  return url.pathname + url.search
}

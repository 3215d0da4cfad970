// The path of the console to which the browser returns after a sign-in.
import { CONSOLE_PATH } from '../serve-files.ts'

const MAX_LENGTH = 2000
/** Any origin: only used to parse paths. */
const BASE = 'http://console.invalid'

/**
 * Returns the path and query if they are those of a page of the console, otherwise the start page. An address of another
 * host must never pass: the sign-in would send people to a page that looks like the console (open redirect).
 */
export function toReturnPath(asked: string): string {
  if (asked.length > MAX_LENGTH || !asked.startsWith(CONSOLE_PATH)) return CONSOLE_PATH
  const url = URL.parse(asked, BASE)
  if (!url || url.origin !== BASE || !url.pathname.startsWith(CONSOLE_PATH)) return CONSOLE_PATH
  if (url.pathname.startsWith('/console/api')) return CONSOLE_PATH
  return url.pathname + url.search
}

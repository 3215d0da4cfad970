// The address to which the sign-in page returns. It comes from the URL, so it may have been written by anyone.

const BASE = '/console/'
const START = BASE
/** Any origin will do: it only shows whether an address leaves it. */
const ORIGIN = 'http://console.invalid'

/** Returns the path if it is an address below `/console/` of this site, else the start page. */
export function toReturnPath(text: unknown): string {
  if (typeof text !== 'string' || !text.startsWith(BASE) || !URL.canParse(text, ORIGIN)) return START
  const { origin, pathname, search, hash } = new URL(text, ORIGIN)
  const isInside =
    origin === ORIGIN && pathname.startsWith(BASE) && !/^(?:sign-in|enter)(?:$|\/)/.test(pathname.slice(BASE.length))
  return isInside ? `${pathname}${search}${hash}` : START
}

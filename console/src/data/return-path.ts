// The address to return to after sign-in. It comes from the URL, so anyone may have written it.

const BASE = '/console/'
const START = BASE
/** Any origin will do: it only serves to detect addresses that leave it. */
const ORIGIN = 'http://console.invalid'

/** Returns the path if it is an address below `/console/` on this site, or else the start page. */
export function toReturnPath(text: unknown): string {
  if (typeof text !== 'string' || !text.startsWith(BASE) || !URL.canParse(text, ORIGIN)) return START
  const { origin, pathname, search, hash } = new URL(text, ORIGIN)
  const isInside =
    origin === ORIGIN && pathname.startsWith(BASE) && !/^(?:sign-in|enter)(?:$|\/)/.test(pathname.slice(BASE.length))
  return isInside ? `${pathname}${search}${hash}` : START
}

// The token of a sign-in link, which is in the fragment of the address: `/console/enter#<token>`. A fragment is sent
// neither to the service nor in a Referer header. It would stay in the browser history, so it is removed immediately.

const PATH = '/console/enter'

let token: string | undefined
const listeners = new Set<() => void>()

/** The part of the browser's window that holds the address. */
interface AddressBar {
  readonly location: { readonly pathname: string; readonly hash: string }
  readonly history: Pick<History, 'state' | 'replaceState'>
}

/** Removes the token from the address, if there is one, and remembers it. The address keeps only its path. */
export function captureEntryToken({ location, history }: AddressBar): void {
  if (location.pathname.replace(/\/$/, '') !== PATH || location.hash.length <= 1) return
  setToken(location.hash.slice(1))
  history.replaceState(history.state, '', PATH)
}

/** Returns the token of the last link that was opened in this page. */
export function getEntryToken(): string | undefined {
  return token
}

/** Forgets the token. A token works only once, so it is useless after it was sent. */
export function dropEntryToken(): void {
  setToken(undefined)
}

/** Calls a function whenever the token changes. Returns a function that unsubscribes it. */
export function onEntryToken(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setToken(next: string | undefined): void {
  token = next
  for (const listener of listeners) listener()
}

/** Removes credentials, query and fragment, which may contain secrets, from a URL for messages. */
export function redactUrl(address: string): string {
  const url = URL.parse(address)
  if (!url) return address.replace(/[?#].*$/s, '').replace(/^.*@/s, '')
  return `${url.protocol}//${url.host}${url.pathname}`
}

/** Without what may be secret: credentials and everything behind the path. */
export function shownAddress(address: string): string {
  const url = URL.parse(address)
  if (!url) return address.replace(/[?#].*$/s, '').replace(/^.*@/s, '')
  return `${url.protocol}//${url.host}${url.pathname}`
}

// Addresses from upstream sources are untrusted text. Only http and https addresses become links.

/** Returns undefined for any text that is not an http or https address. */
export function toSafeUrl(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  // An address with a user name can make a hostile host look like a known one.
  return url.username === '' && url.password === '' && url.hostname !== '' ? url : undefined
}

/** Returns the host without `www.`, or undefined if the text is not an address that may become a link. */
export function readHost(text: string): string | undefined {
  return toSafeUrl(text)?.hostname.replace(/^www\./, '')
}

import type { IncomingMessage } from 'node:http'

/**
 * Returns every value of a header, so that callers can reject repeated ones. `name` is in lower case. Node's
 * `headersDistinct` would build lists for all headers.
 */
export function readHeaderValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const each = rawHeaders[at] ?? ''
    if (each.length === name.length && each.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}

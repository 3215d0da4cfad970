import type { IncomingMessage } from 'node:http'

/** Every value of one header, as sent: of some there may be only one. Node's headersDistinct sorts all the others too. */
export function sentValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const each = rawHeaders[at] ?? ''
    if (each.length === name.length && each.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}

// The part of the contract for feeds of watches.
import { Type } from 'typebox'
import type { ValueType } from '../request/value-types.ts'
import { closedObject, textSchema } from '../response/schemas.ts'

export type FeedFormat = 'atom' | 'json'

export const feedAddressesSchema = closedObject(
  {
    atom: textSchema('Address of the feed as Atom.'),
    json: textSchema('Address of the same feed as JSON Feed 1.1.'),
  },
  'The addresses, shown once. Whoever knows one reads the feed: treat it like a password. Without a host if this server does not know its own address.',
  'FeedAddresses',
)

/** Any text: an address that is not well-formed is as unknown as any other, and no error repeats it. */
export function feedTokenType(): ValueType<string> {
  return {
    schema: Type.String({ maxLength: 27, examples: ['kJ8s-1vQ2uYx0aT4mZr7WcEoHbN'] }),
    expects: 'the secret part of the address of a feed',
    example: 'kJ8s-1vQ2uYx0aT4mZr7WcEoHbN',
    parse: (sent) => sent,
  }
}

// The id of an event: the same for the same watch, change and CVE, so that a reader of several channels, or of a restored
// database, recognises it.
import { createHash } from 'node:crypto'

/** Namespace of the ids (RFC 9562, section 5.5). It never changes. */
const NAMESPACE = Buffer.from('6f1d3b1e5a3c4f0e9b7d2c8a4e60f5d1', 'hex')

export interface EventKey {
  readonly watchId: string | null
  /** Number of the change in the log; for an event about several changes, of the last one. */
  readonly seq: string | null
  /** Id of the CVE, or the type of an event about no single one. */
  readonly subject: string
}

/** Returns a UUID of version 5. */
export function toEventId({ watchId, seq, subject }: EventKey): string {
  const name = `${watchId ?? ''}/${seq ?? ''}/${subject}`
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

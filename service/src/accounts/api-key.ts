// The form of a key (decision A1): vis_live_ or vis_test_, 43 characters of randomness, 6 of checksum.
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
const FORM = /^vis_(?:live|test)_[0-9A-Za-z]{49}$/

export type KeyEnvironment = 'live' | 'test'

export interface IssuedKey {
  /** The only copy there will ever be. */
  readonly key: string
  readonly digest: Buffer
  readonly prefix: string
  readonly lastFour: string
}

export function issueKey(environment: KeyEnvironment, random: Buffer = randomBytes(32)): IssuedKey {
  const prefix = `vis_${environment}_`
  const body = prefix + base62(BigInt(`0x${random.toString('hex')}`), RANDOM_LENGTH)
  const key = body + checksum(body)
  return { key, digest: Buffer.from(digestText(key), 'hex'), prefix, lastFour: key.slice(-4) }
}

/**
 * The digest to look up, in hexadecimal digits, or nothing when the text cannot be a key: typos and guesses never reach
 * the database.
 */
export function readKey(text: string): string | undefined {
  if (!FORM.test(text)) return undefined
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return checksum(body) === text.slice(-CHECKSUM_LENGTH) ? digestText(text) : undefined
}

/** Of every call: as text it costs a third of what it costs as bytes. */
function digestText(key: string): string {
  return hash('sha256', key, 'hex')
}

/** Of every call, so without BigInt: a checksum has 32 bits. */
function checksum(body: string): string {
  let [digits, rest] = ['', crc32(body)]
  while (digits.length < CHECKSUM_LENGTH) {
    digits = (ALPHABET[rest % ALPHABET.length] ?? '') + digits
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}

function base62(value: bigint, length: number): string {
  let digits = ''
  for (let rest = value; digits.length < length; rest /= 62n) digits = (ALPHABET[Number(rest % 62n)] ?? '') + digits
  return digits
}

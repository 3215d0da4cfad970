// Random 256-bit tokens that prove a person's identity: session ids and the tokens of one-time links. The database
// stores only their SHA-256 digests, which need no salt.
import { hash, randomBytes } from 'node:crypto'

/** 32 bytes in base64url. */
const TOKEN_PATTERN = /^[\w-]{43}$/

export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

export function toTokenDigest(token: string): string | undefined {
  return TOKEN_PATTERN.test(token) ? hash('sha256', token, 'hex') : undefined
}

export function createTokenWithDigest(): { readonly token: string; readonly digest: string } {
  const token = createToken()
  return { token, digest: hash('sha256', token, 'hex') }
}

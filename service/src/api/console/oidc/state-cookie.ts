// The cookie that ties a sign-in at an OpenID Connect provider to the browser that began it. It is encrypted, so that a
// node keeps nothing in memory and every node can finish what another one began.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { FlowSecrets } from './provider.ts'

/** Time that a person has to sign in at the provider. */
export const MAX_AGE_SECONDS = 600

const NONCE_BYTES = 12
const TAG_BYTES = 16
const MAX_LENGTH = 4096

export interface PendingSignIn extends FlowSecrets {
  /** Path of the console to which the browser returns. */
  readonly returnPath: string
}

/** Derives the key of the cookie from a secret that all nodes share. */
export function deriveCookieKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'vis console sign-in cookie', 32))
}

export function sealPending(pending: PendingSignIn, key: Buffer, nowMs: number): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const text = JSON.stringify({ ...pending, endsMs: nowMs + MAX_AGE_SECONDS * 1000 })
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Returns undefined for a cookie that has expired or that this server did not seal. */
export function openPending(sealed: string, keys: readonly Buffer[], nowMs: number): PendingSignIn | undefined {
  if (sealed.length > MAX_LENGTH) return undefined
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined
  for (const key of keys) {
    const text = decrypt(bytes, key)
    if (text === undefined) continue
    // The cast is safe: only sealPending knows the key.
    const pending = JSON.parse(text) as PendingSignIn & { readonly endsMs: number }
    return pending.endsMs > nowMs ? pending : undefined
  }
  return undefined
}

function decrypt(bytes: Buffer, key: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    return text.toString('utf8')
  } catch {
    return undefined
  }
}

// The encrypted state, nonce and verifier that tie a sign-in at an OpenID Connect provider to the browser that began
// it. The browser keeps them in a cookie and the API node passes them on; neither can read them. So no process or table
// stores pending sign-ins, and every process can finish a sign-in that another one began.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { FlowSecrets } from './oidc-provider.ts'

/** Time that a person has to sign in at the provider. */
const MAX_AGE_SECONDS = 600

const NONCE_BYTES = 12
const TAG_BYTES = 16
const MAX_LENGTH = 4096

export interface PendingSignIn extends FlowSecrets {
  readonly returnPath: string
}

/** Derives the key from the client secret, which all sign-in processes have and API nodes do not need. */
export function deriveFlowKey(clientSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', clientSecret, '', 'vis sign-in at the provider', 32))
}

export function sealPending(pending: PendingSignIn, key: Buffer, nowMs: number): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const text = JSON.stringify({ ...pending, endsMs: nowMs + MAX_AGE_SECONDS * 1000 })
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Returns undefined for text that has expired or was not encrypted with this key. */
export function openPending(sealed: string, key: Buffer, nowMs: number): PendingSignIn | undefined {
  if (sealed.length > MAX_LENGTH) return undefined
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined
  const text = decrypt(bytes, key)
  if (text === undefined) return undefined
  // The cast is safe: only sealPending has the key.
  const pending = JSON.parse(text) as PendingSignIn & { readonly endsMs: number }
  return pending.endsMs > nowMs ? pending : undefined
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

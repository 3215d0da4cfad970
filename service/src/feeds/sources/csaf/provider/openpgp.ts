// Verifies detached OpenPGP signatures with the keys whose fingerprints are pinned in our table of providers. A key that
// only the provider's own site vouches for proves nothing that TLS does not prove.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMessage, type PublicKey, readKeys, readSignature, verify } from 'openpgp'
import type { DownloadContext } from '../../../download.ts'
import { FeedError } from '../../../feed.ts'
import { sanitizeText } from '../../../sanitize-text.ts'
import type { ProviderMetadata } from './metadata.ts'
import type { ProviderOptions } from './provider-url.ts'

const MAX_KEY_BYTES = 256 * 1024

/** Returns no keys if none is pinned. Throws if keys are pinned and the provider offers none of them. */
export async function fetchTrustedKeys(
  { keyUrls }: Pick<ProviderMetadata, 'keyUrls'>,
  { fingerprints, hosts, url }: ProviderOptions,
  context: DownloadContext,
): Promise<readonly PublicKey[]> {
  if (fingerprints.length === 0) return []
  const trusted: PublicKey[] = []
  for (const [index, { href }] of keyUrls.entries()) {
    const path = join(context.spool, `key-${index}.asc`)
    await context.download.file({ url: href, maxBytes: MAX_KEY_BYTES, redirectHosts: hosts }, path)
    const keys = await parseKeys(await readFile(path, 'utf8'), href, context)
    trusted.push(...keys.filter((key) => fingerprints.includes(key.getFingerprint().toUpperCase())))
  }
  if (trusted.length > 0) return trusted
  throw new FeedError(
    `${url} offers no key with a trusted fingerprint (${fingerprints.join(', ')}), so no signature can be verified. If the provider has changed its key, compare the fingerprint of the new key with one that the provider publishes elsewhere.`,
  )
}

async function parseKeys(armored: string, url: string, context: DownloadContext): Promise<readonly PublicKey[]> {
  try {
    return await readKeys({ armoredKeys: armored })
  } catch (error) {
    context.notice(`The key ${url} cannot be read: ${describe(error)}`)
    return []
  }
}

/** Returns the reason why the signature does not prove that a trusted key signed the document. */
export async function findSignatureIssue(
  document: Uint8Array,
  armoredSignature: string,
  keys: readonly PublicKey[],
  now: Date,
): Promise<string | undefined> {
  try {
    const [message, signature] = [await createMessage({ binary: document }), await readSignature({ armoredSignature })]
    const { signatures } = await verify({
      message,
      signature,
      verificationKeys: [...keys],
      format: 'binary',
      date: now,
    })
    if (signatures.length === 0) return 'the signature file contains no signature'
    const results = await Promise.allSettled(signatures.map(({ verified }) => verified))
    if (results.some(({ status }) => status === 'fulfilled')) return undefined
    const [first] = results
    return first?.status === 'rejected' ? describe(first.reason) : 'it is not valid'
  } catch (error) {
    return describe(error)
  }
}

function describe(error: unknown): string {
  return sanitizeText(error instanceof Error ? error.message : String(error), 150)
}

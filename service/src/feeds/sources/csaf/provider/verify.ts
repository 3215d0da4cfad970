// Downloads one document with its hash and its signature, and verifies both.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PublicKey } from 'openpgp'
import { DownloadError } from '../../../../outbound/request-error.ts'
import type { DownloadContext } from '../../../download.ts'
import { FeedError, MissingFileError } from '../../../feed.ts'
import { MAX_DOCUMENT_BYTES } from '../read-documents.ts'
import type { ListedDocument } from './listing.ts'
import { findSignatureIssue } from './openpgp.ts'
import type { ProviderOptions } from './provider-url.ts'

/** What proves that the document is the one that the provider published. */
interface Verification {
  readonly hash: boolean
  readonly signature: boolean
}

export interface VerifiedDocument {
  readonly document: ListedDocument
  readonly path: string
  readonly verification: Verification
}

export interface FailedDocument {
  readonly document: ListedDocument
  readonly reason: string
  /** The server did not answer as it should, which says nothing about the document. */
  readonly error: FeedError | undefined
}

export interface Verifier {
  readonly options: ProviderOptions
  readonly context: DownloadContext
  /** Keys whose fingerprint is pinned. If there are any, a document without a valid signature is rejected. */
  readonly keys: readonly PublicKey[]
  /** Documents in a row for which a directory had no hash. */
  missingHashes: number
  wait(): Promise<void>
}

const MAX_HASH_BYTES = 4096
const MAX_SIGNATURE_BYTES = 64 * 1024
/** A directory that has no hashes for so many documents has none at all. */
const MAX_MISSING_HASHES = 3
const HASH = /^\s*([0-9a-f]{64}|[0-9a-f]{128})(?![0-9a-f])/i

export async function downloadDocument(
  verifier: Verifier,
  document: ListedDocument,
  name: string,
): Promise<VerifiedDocument | FailedDocument> {
  const path = join(verifier.context.spool, `${name}.json`)
  try {
    await download(verifier, document.url, path, MAX_DOCUMENT_BYTES)
    const bytes = await readFile(path)
    const hash = await checkHash(verifier, document, bytes, name)
    if (typeof hash === 'string') return { document, reason: hash, error: undefined }
    const signature = await checkSignature(verifier, document, bytes, name)
    if (typeof signature === 'string') return { document, reason: signature, error: undefined }
    return { document, path, verification: { hash, signature } }
  } catch (error) {
    verifier.context.signal.throwIfAborted()
    if (!(error instanceof FeedError)) throw error
    const isTransient = error.cause instanceof DownloadError && error.cause.isTransient
    return { document, reason: error.message, error: isTransient ? error : undefined }
  }
}

async function download(verifier: Verifier, url: URL, path: string, maxBytes: number): Promise<void> {
  const { options, context } = verifier
  await verifier.wait()
  await context.download.file({ url: url.href, maxBytes, redirectHosts: options.hosts }, path)
}

/** Returns whether there was a hash, or the reason for rejecting the document. */
async function checkHash(
  verifier: Verifier,
  { hashes, areNamed }: ListedDocument,
  bytes: Buffer,
  name: string,
): Promise<boolean | string> {
  if (!areNamed && verifier.missingHashes >= MAX_MISSING_HASHES) return false
  for (const url of hashes) {
    const text = await downloadText(verifier, url, `${name}.hash`, { maxBytes: MAX_HASH_BYTES, isRequired: areNamed })
    if (text === undefined) continue
    verifier.missingHashes = 0
    const [, expected] = HASH.exec(text) ?? []
    if (expected === undefined) return 'the file with the hash contains no SHA-256 or SHA-512 hash'
    const algorithm = expected.length === 64 ? 'sha256' : 'sha512'
    const actual = createHash(algorithm).update(bytes).digest('hex')
    return actual === expected.toLowerCase() || `the ${algorithm === 'sha256' ? 'SHA-256' : 'SHA-512'} hash differs`
  }
  verifier.missingHashes += 1
  return false
}

/** Returns whether the signature was verified, or the reason for rejecting the document. */
async function checkSignature(
  verifier: Verifier,
  { signature: url }: ListedDocument,
  bytes: Buffer,
  name: string,
): Promise<boolean | string> {
  const { keys, context } = verifier
  if (keys.length === 0) return false
  const text =
    url && (await downloadText(verifier, url, `${name}.asc`, { maxBytes: MAX_SIGNATURE_BYTES, isRequired: false }))
  if (text === undefined) return 'the document has no signature'
  const issue = await findSignatureIssue(bytes, text, keys, context.now)
  return issue === undefined || `the signature is not valid: ${issue}`
}

async function downloadText(
  verifier: Verifier,
  url: URL,
  name: string,
  { maxBytes, isRequired }: { readonly maxBytes: number; readonly isRequired: boolean },
): Promise<string | undefined> {
  const path = join(verifier.context.spool, name)
  try {
    await download(verifier, url, path, maxBytes)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof MissingFileError && !isRequired) return undefined
    throw error
  }
}

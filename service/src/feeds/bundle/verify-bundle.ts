// Verifies a bundle before a feed reads it: the signature, then the list of files, then the hash of every file. Only then
// the files are opened to be read, so nobody else may be able to write into the directory in between.
import type { KeyObject } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { COUNTS_FILE } from '../engine/upstream-counts.ts'
import { FeedError } from '../feed.ts'
import { toFileError } from '../formats/file-error.ts'
import { hashFile } from '../formats/hash-file.ts'
import { findSigner, readFingerprint } from './keys.ts'
import {
  type BundleFile,
  type BundleManifest,
  MANIFEST_FILE,
  MAX_MANIFEST_BYTES,
  parseManifest,
  readFeedName,
  SIGNATURE_FILE,
  WORK_FOLDER,
} from './manifest.ts'

export interface VerifyOptions {
  /** Keys of the operator; if there are none, a signature is not needed. */
  readonly keys: readonly KeyObject[]
  readonly signal: AbortSignal
  readonly onProgress?: (progress: { readonly done: number; readonly total: number; readonly file: string }) => void
}

export interface VerifiedBundle extends BundleManifest {
  /** Fingerprint of the operator's key that signed it; undefined if no key is set. */
  readonly signedBy: string | undefined
}

const SIGNATURE_BYTES = 64
const MAX_SHOWN_ISSUES = 5

/** Returns undefined for a directory without a manifest, if no key is set. */
export async function verifyBundle(directory: string, options: VerifyOptions): Promise<VerifiedBundle | undefined> {
  const entries = await listDirectory(directory)
  if (entries.some(({ name }) => name === WORK_FOLDER))
    throw new FeedError(
      `The download into ${directory} has not ended. Continue it with the same command: vis-server feeds download --to ${directory}`,
    )
  if (!entries.some(({ name }) => name === MANIFEST_FILE)) {
    if (options.keys.length === 0) return undefined
    throw refuse(directory, [`it has no ${MANIFEST_FILE}, but FEEDS_BUNDLE_PUBLIC_KEY requires a signed one`])
  }
  const bytes = await readLimited(directory, MANIFEST_FILE, MAX_MANIFEST_BYTES)
  const signedBy = options.keys.length === 0 ? undefined : await verifySignature(directory, bytes, options.keys)
  const manifest = parseManifest(bytes)
  const issues = [
    ...(await compareLists(directory, entries, manifest.files)),
    ...(await compareHashes(directory, manifest.files, options)),
  ]
  if (issues.length > 0) throw refuse(directory, issues)
  return { ...manifest, signedBy }
}

function refuse(directory: string, issues: readonly string[]): FeedError {
  const rest = issues.length - MAX_SHOWN_ISSUES
  const shown = [...issues.slice(0, MAX_SHOWN_ISSUES), ...(rest > 0 ? [`and ${rest} more`] : [])]
  return new FeedError(`The bundle in ${directory} is refused: ${shown.join('; ')}. Nothing was read from it.`)
}

async function verifySignature(directory: string, manifest: Buffer, keys: readonly KeyObject[]): Promise<string> {
  const trusted = keys.map(readFingerprint).join(', ')
  const signature = await readLimited(directory, SIGNATURE_FILE, SIGNATURE_BYTES).catch((error: unknown) => {
    if (
      error instanceof FeedError &&
      error.cause instanceof Error &&
      'code' in error.cause &&
      error.cause.code === 'ENOENT'
    )
      throw refuse(directory, [`its ${MANIFEST_FILE} is not signed, expected a signature of the key ${trusted}`])
    throw error
  })
  const signer = findSigner(manifest, signature, keys)
  if (!signer)
    throw refuse(directory, [
      `${SIGNATURE_FILE} is not a signature of this manifest by the key ${trusted}: another key signed it, or the manifest was changed`,
    ])
  return readFingerprint(signer)
}

async function readLimited(directory: string, name: string, maxBytes: number): Promise<Buffer> {
  const path = join(directory, name)
  try {
    const { size } = await stat(path)
    if (size > maxBytes) throw refuse(directory, [`${name} has ${size} bytes, at most ${maxBytes} are allowed`])
    return await readFile(path)
  } catch (error) {
    throw toFileError(error, path)
  }
}

/** A link could lead out of the bundle, to a file that changes after it was verified. */
async function compareLists(
  directory: string,
  entries: readonly Dirent[],
  files: readonly BundleFile[],
): Promise<string[]> {
  const listed = new Set(files.map(({ path }) => path))
  const folders = new Set(files.flatMap((file) => readFeedName(file) ?? []))
  const issues: string[] = []
  for (const entry of entries) {
    const isOwn =
      [MANIFEST_FILE, SIGNATURE_FILE].includes(entry.name) || (entry.name === COUNTS_FILE && listed.has(COUNTS_FILE))
    if (isOwn && entry.isFile()) continue
    if (!folders.has(entry.name) || !entry.isDirectory()) issues.push(describeExtra(entry, entry.name))
  }
  for (const folder of folders) {
    const found = entries.find(({ name }) => name === folder)
    if (!found?.isDirectory()) continue
    for (const entry of await listDirectory(join(directory, folder))) {
      const path = `${folder}/${entry.name}`
      if (!entry.isFile() || !listed.has(path)) issues.push(describeExtra(entry, path))
    }
  }
  return issues
}

function describeExtra(entry: Dirent, path: string): string {
  const name = JSON.stringify(path.slice(0, 200))
  if (entry.isSymbolicLink()) return `${name} is a link`
  return `${name} is not in its manifest`
}

async function listDirectory(directory: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true })
  } catch (error) {
    throw toFileError(error, `the directory ${directory}`)
  }
}

async function compareHashes(
  directory: string,
  files: readonly BundleFile[],
  { signal, onProgress }: VerifyOptions,
): Promise<string[]> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const issues: string[] = []
  let done = 0
  for (const file of files) {
    signal.throwIfAborted()
    const issue = await findIssue(join(directory, file.path), file, (count) => {
      done += count
      onProgress?.({ done, total, file: file.path })
    })
    if (issue !== undefined) issues.push(issue)
  }
  return issues
}

async function findIssue(
  path: string,
  { path: name, bytes, sha256 }: BundleFile,
  onBytes: (count: number) => void,
): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile()) return `${name} is missing`
  if (stats.size !== bytes) return `${name} has ${stats.size} bytes instead of ${bytes}`
  const hashed = await hashFile(path, onBytes)
  return hashed.sha256 === sha256 ? undefined : `the SHA-256 of ${name} is ${hashed.sha256}, not ${sha256}`
}

// The manifest of a bundle: the list of the files that were collected from upstreams, with their hashes.
import { type Static, Type } from 'typebox'
import { parseDateTime } from '../../domain/instant.ts'
import { FeedError } from '../feed.ts'
import { parseRecord } from '../formats/parse-json.ts'
import { compileSchema, httpValidators } from '../schema-check.ts'

export const MANIFEST_FILE = 'manifest.json'
/** The 64 bytes of an Ed25519 signature of the manifest. */
export const SIGNATURE_FILE = 'manifest.json.sig'
/** Exists only while files are collected, so that nobody reads a half collected bundle. */
export const WORK_FOLDER = '.collecting'
export const FORMAT = 'vis-bundle/1'
/** SUSE's 100,000 documents take 35 MB. */
export const MAX_MANIFEST_BYTES = 256 * 1024 ** 2

/** One folder for each feed. No part starts with a dot, so a path never leads out of the bundle. */
const PATH = /^(?:[a-z][a-z0-9-]{0,60}\/[A-Za-z0-9_+-][A-Za-z0-9_+.~-]{0,250}|upstream-counts\.json)$/

const File = Type.Object({
  path: Type.String(),
  /** Null for the file of counts, which the collector writes. */
  source: Type.Union([Type.String(), Type.Null()]),
  /** When upstream last sent the file or confirmed that it is current. */
  fetched_at: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  version: Type.Optional(Type.String()),
  validators: Type.Optional(httpValidators),
})

const FeedState = Type.Object({
  /** When the feed's files were last collected completely; null if they never were. */
  collected_at: Type.Union([Type.String(), Type.Null()]),
  index: Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('whole'), Type.Null()]),
  /** Why the files are incomplete or older than the bundle. */
  error: Type.Union([Type.String(), Type.Null()]),
})

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  created_at: Type.String(),
  feeds: Type.Record(Type.String(), FeedState),
  files: Type.Array(File),
})

export type BundleFile = Static<typeof File>
export type BundleFeed = Static<typeof FeedState>
export type BundleManifest = Static<typeof Manifest>

export const bundleFile = compileSchema(File)
export const bundleFeed = compileSchema(FeedState)
const shape = compileSchema(Manifest)

export function parseManifest(bytes: Buffer): BundleManifest {
  const parsed = parseRecord(bytes)
  if ('error' in parsed) throw new FeedError(`${MANIFEST_FILE} cannot be read: ${parsed.error}.`)
  const { value } = parsed
  if (!shape.matches(value)) throw new FeedError(`${MANIFEST_FILE} cannot be used: ${shape.describeMismatch(value)}.`)
  const times = [value.created_at, ...Object.values(value.feeds).flatMap((feed) => feed.collected_at ?? [])]
  const wrong = times.find((time) => parseDateTime(time) === undefined)
  if (wrong !== undefined)
    throw new FeedError(`${MANIFEST_FILE} has an invalid time: ${JSON.stringify(wrong.slice(0, 40))}.`)
  const paths = new Set<string>()
  for (const { path } of value.files) {
    if (!isBundlePath(path))
      throw new FeedError(
        `${MANIFEST_FILE} names a file that no bundle contains: ${JSON.stringify(path.slice(0, 80))}.`,
      )
    if (paths.has(path)) throw new FeedError(`${MANIFEST_FILE} names ${path} twice.`)
    paths.add(path)
  }
  return value
}

export function isBundlePath(path: string): boolean {
  return PATH.test(path)
}

/** Name of the feed to which a file belongs; undefined for the file of counts. */
export function readFeedName({ path }: Pick<BundleFile, 'path'>): string | undefined {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : undefined
}

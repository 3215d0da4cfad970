// Verifies the directory of `vis-server sync --from` before a feed reads it.
import type { Config } from '../../config.ts'
import type { Database } from '../../database/postgres.ts'
import { formatInstant, parseDateTime } from '../../domain/instant.ts'
import { readPublicKeys } from '../../feeds/bundle/keys.ts'
import { readFeedName } from '../../feeds/bundle/manifest.ts'
import { type VerifiedBundle, verifyBundle } from '../../feeds/bundle/verify-bundle.ts'
import { readCollectionTimes } from '../../feeds/engine/feed-status.ts'
import { FeedError } from '../../feeds/feed.ts'
import { createStatusLine, formatShare, type Screen } from '../output/progress.ts'

/** Names that --allow takes besides the guards of the feeds. */
export const OLDER_BUNDLE = 'older-bundle'
export const UNSIGNED_BUNDLE = 'unsigned-bundle'

export interface BundleRequest {
  readonly directory: string
  readonly feeds: readonly string[]
  readonly allowed: ReadonlySet<string>
  readonly db: Database
  readonly signal: AbortSignal
  readonly screen: Screen
}

export interface OpenedBundle {
  readonly notes: readonly string[]
  /** When the files of each feed were collected. */
  readonly collectedAt: ReadonlyMap<string, Date>
}

const PLAIN_DIRECTORY: OpenedBundle = { notes: [], collectedAt: new Map() }

export async function openBundle(config: Config, request: BundleRequest): Promise<OpenedBundle> {
  const { bundlePublicKey } = config.feeds
  const needsKey = bundlePublicKey !== '' && !request.allowed.has(UNSIGNED_BUNDLE)
  const keys = needsKey ? await readPublicKeys(bundlePublicKey) : []
  const line = createStatusLine(request.screen, () => performance.now())
  const bundle = await verifyBundle(request.directory, {
    keys,
    signal: request.signal,
    onProgress: ({ done, total, file }) => line.show(`verifying  ${formatShare(done, total)}  ${file}`),
  }).finally(line.clear)
  if (!bundle) return PLAIN_DIRECTORY
  const collectedAt = readTimes(bundle)
  if (!request.allowed.has(OLDER_BUNDLE)) await checkAge(bundle, collectedAt, request)
  return { notes: describeBundle(bundle, request.feeds), collectedAt }
}

function readTimes({ feeds }: VerifiedBundle): ReadonlyMap<string, Date> {
  const times = new Map<string, Date>()
  for (const [name, { collected_at }] of Object.entries(feeds)) {
    const at = parseDateTime(collected_at ?? '')
    if (at) times.set(name, at)
  }
  return times
}

async function checkAge(
  bundle: VerifiedBundle,
  collectedAt: ReadonlyMap<string, Date>,
  { directory, feeds, db }: BundleRequest,
): Promise<void> {
  const stored = await readCollectionTimes(db, feeds)
  const older = [...stored].flatMap(([name, storedAt]) => {
    const at = collectedAt.get(name)
    return at && at < storedAt ? [`${name} (${formatInstant(at)}, stored ${formatInstant(storedAt)})`] : []
  })
  if (older.length > 0)
    throw new FeedError(
      `The bundle in ${directory} of ${bundle.created_at} is refused: it is older than the stored data of ${older.join(', ')}. Nothing was read from it. To read it anyway, add --allow ${OLDER_BUNDLE}.`,
    )
}

function describeBundle(bundle: VerifiedBundle, feeds: readonly string[]): string[] {
  const { files, signedBy, created_at } = bundle
  const signature =
    signedBy === undefined ? 'its signature was not checked, because no key is set' : `signed by the key ${signedBy}`
  const present = new Set(files.flatMap((file) => readFeedName(file) ?? []))
  return [
    `The bundle of ${created_at} is complete: the SHA-256 of ${files.length} files is right, and ${signature}.`,
    ...feeds.flatMap((name) => {
      const error = bundle.feeds[name]?.error ?? null
      if (!present.has(name)) return [`${name}: the bundle has no files. ${error ?? 'The feed was not downloaded.'}`]
      return error === null ? [] : [`${name}: the last download failed, so its files are incomplete or older: ${error}`]
    }),
  ]
}

// Collects the files of feeds in a bundle, a directory that `vis-server sync --from` reads on another machine.
import type { KeyObject } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../domain/clock.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { Download, DownloadContext } from '../download.ts'
import { COUNTS_FILE } from '../engine/upstream-counts.ts'
import { FeedError } from '../feed.ts'
import type { ConfiguredFeed } from '../feed-definition.ts'
import { toFileError } from '../formats/file-error.ts'
import { hashFile } from '../formats/hash-file.ts'
import { sanitizeText } from '../sanitize-text.ts'
import { isIntact, openFeedFolder } from './collect-file.ts'
import { type Journal, openJournal } from './journal.ts'
import { signManifest } from './keys.ts'
import {
  type BundleFeed,
  type BundleFile,
  type BundleManifest,
  FORMAT,
  MANIFEST_FILE,
  parseManifest,
  readFeedName,
  SIGNATURE_FILE,
  WORK_FOLDER,
} from './manifest.ts'

export interface CollectOptions {
  readonly directory: string
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly privateKey: KeyObject | undefined
  openDownload(feed: ConfiguredFeed): Download
  readonly onProgress?: (progress: CollectProgress) => void
}

export interface CollectProgress {
  readonly feed: string
  readonly files: number
  readonly bytes: number
  readonly file: string
}

export interface CollectReport {
  readonly feed: string
  readonly outcome: 'collected' | 'failed' | 'stopped'
  readonly files: number
  readonly downloaded: number
  readonly bytes: number
  readonly notices: readonly string[]
  readonly error: string | null
}

interface Bundle {
  readonly journal: Journal
  readonly previous: BundleManifest | undefined
  /** Files of earlier collections, by path. */
  readonly earlier: Map<string, BundleFile>
}

const MAX_ERROR_LENGTH = 1000
const MAX_NOTICE_LENGTH = 500

export async function collectFeeds(
  feeds: readonly ConfiguredFeed[],
  options: CollectOptions,
): Promise<readonly CollectReport[]> {
  const bundle = await openBundle(options)
  const reports: CollectReport[] = []
  for (const feed of feeds) reports.push(await collectFeed(feed, bundle, options))
  // An interrupted collection stays open, and the next command continues it.
  if (!options.signal.aborted) await closeBundle(bundle, options)
  return reports
}

async function openBundle({ directory, clock }: CollectOptions): Promise<Bundle> {
  await mkdir(directory, { recursive: true })
  const names = await readdir(directory).catch((error: unknown) => {
    throw toFileError(error, directory)
  })
  const hasManifest = names.includes(MANIFEST_FILE)
  if (names.length > 0 && !hasManifest && !names.includes(WORK_FOLDER))
    throw new FeedError(
      `${directory} is not empty and contains no ${MANIFEST_FILE}. Choose an empty directory, or one of an earlier download.`,
    )
  const previous = hasManifest ? parseManifest(await readFile(join(directory, MANIFEST_FILE))) : undefined
  const { journal, outdated } = await openJournal(directory, clock())
  const earlier = new Map([...(previous?.files ?? []), ...outdated].map((file) => [file.path, file]))
  return { journal, previous, earlier }
}

async function collectFeed(
  configured: ConfiguredFeed,
  bundle: Bundle,
  options: CollectOptions,
): Promise<CollectReport> {
  const { feed } = configured
  const { directory, clock, signal } = options
  const spool = join(directory, WORK_FOLDER, feed.name)
  const tally = startTally(feed.name, options)
  const [now, download, notices]: [Date, Download, string[]] = [clock(), options.openDownload(configured), []]
  const report = (outcome: CollectReport['outcome'], error: string | null): CollectReport => ({
    feed: feed.name,
    outcome,
    ...tally.counts,
    notices,
    error,
  })
  try {
    signal.throwIfAborted()
    await rm(spool, { recursive: true, force: true })
    await mkdir(spool, { recursive: true })
    const notice = (sentence: string) => void notices.push(sanitizeText(sentence, MAX_NOTICE_LENGTH))
    const context: DownloadContext = { now, download, spool, signal, notice }
    const folder = openFeedFolder({ feed: feed.name, directory, ...bundle, ...tally }, context)
    const { index } = await feed.collect({ ...context, ...folder })
    await deleteOthers(directory, feed.name, tally.paths)
    const isEmpty = tally.paths.size === 0
    const error = isEmpty ? (notices[0] ?? 'Upstream has no files.') : null
    await bundle.journal.addFeed(feed.name, { collected_at: isEmpty ? null : formatInstant(now), index, error })
    return report('collected', null)
  } catch (error) {
    if (signal.aborted) return report('stopped', describeError(signal.reason))
    const collected_at = bundle.previous?.feeds[feed.name]?.collected_at ?? null
    await bundle.journal.addFeed(feed.name, { collected_at, index: null, error: describeError(error) })
    await keepIntactFiles(directory, feed.name, bundle)
    return report('failed', describeError(error))
  } finally {
    await rm(spool, { recursive: true, force: true })
  }
}

function startTally(feed: string, { onProgress }: CollectOptions) {
  const paths = new Set<string>()
  const counts = { files: 0, downloaded: 0, bytes: 0 }
  const onFile = (file: BundleFile, isDownloaded: boolean) => {
    paths.add(file.path)
    counts.files = paths.size
    counts.downloaded += isDownloaded ? 1 : 0
    counts.bytes += file.bytes
    onProgress?.({ feed, ...counts, file: file.path })
  }
  const onBytes = (file: string, received: number) =>
    onProgress?.({ feed, ...counts, bytes: counts.bytes + received, file })
  return { paths, counts, onFile, onBytes }
}

/** A bundle contains what a failed feed has collected so far, and its earlier files. */
async function keepIntactFiles(directory: string, feed: string, { journal, earlier }: Bundle): Promise<void> {
  const paths = new Set<string>()
  for (const files of [journal.files, earlier])
    for (const file of [...files.values()].filter((each) => readFeedName(each) === feed))
      if (!paths.has(file.path) && (await isIntact(join(directory, file.path), file))) paths.add(file.path)
      else if (!paths.has(file.path)) files.delete(file.path)
  await deleteOthers(directory, feed, paths)
}

function describeError(error: unknown): string {
  if (error instanceof FeedError) return sanitizeText(error.message, MAX_ERROR_LENGTH)
  return sanitizeText(`Internal error: ${error instanceof Error ? error.message : String(error)}`, MAX_ERROR_LENGTH)
}

/** Files of an earlier collection that upstream no longer has. */
async function deleteOthers(directory: string, feed: string, paths: ReadonlySet<string>): Promise<void> {
  const names = await readdir(join(directory, feed)).catch(() => [])
  const others = names.filter((name) => !paths.has(`${feed}/${name}`))
  await Promise.all(others.map((name) => rm(join(directory, feed, name), { recursive: true, force: true })))
}

async function closeBundle(bundle: Bundle, { directory, clock, privateKey }: CollectOptions): Promise<void> {
  const states = { ...bundle.previous?.feeds, ...Object.fromEntries(bundle.journal.feeds) }
  const now = formatInstant(clock())
  const files = [...listFiles(bundle), await writeCounts(directory, states, now)]
  const bytes = Buffer.from(formatManifest({ format: FORMAT, created_at: now, feeds: states, files }))
  await rm(join(directory, SIGNATURE_FILE), { force: true })
  await replaceFile(join(directory, MANIFEST_FILE), bytes)
  if (privateKey) await replaceFile(join(directory, SIGNATURE_FILE), signManifest(bytes, privateKey))
  await rm(join(directory, WORK_FOLDER), { recursive: true, force: true })
}

/** The files of this collection, and the earlier files of feeds that it did not complete. */
function listFiles({ journal, earlier }: Bundle): readonly BundleFile[] {
  const isComplete = (file: BundleFile) => journal.feeds.get(readFeedName(file) ?? '')?.error === null
  const kept = [...earlier.values()].filter((file) => file.source !== null && !isComplete(file))
  const byPath = new Map([...kept, ...journal.files.values()].map((file) => [file.path, file]))
  return [...byPath.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** The numbers and times that the feeds need to judge whether their data is complete and how old it is. */
async function writeCounts(
  directory: string,
  states: Readonly<Record<string, BundleFeed>>,
  fetched_at: string,
): Promise<BundleFile> {
  const path = join(directory, COUNTS_FILE)
  const entries = Object.entries(states).flatMap(([name, { collected_at: as_of, index }]) => {
    if (as_of === null) return []
    const records = index === 'whole' ? { whole: true } : index !== null && { records: index }
    return [[name, { ...records, as_of }]]
  })
  await replaceFile(path, Buffer.from(`${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`))
  return { path: COUNTS_FILE, source: null, fetched_at, ...(await hashFile(path)) }
}

/** One line for each file, so that two manifests can be compared. */
function formatManifest({ files, ...head }: BundleManifest): string {
  const lines = files.map((file) => `    ${JSON.stringify(file)}`).join(',\n')
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "files": [\n${lines}\n  ]\n}\n`
}

async function replaceFile(path: string, bytes: Buffer): Promise<void> {
  await writeFile(`${path}.new`, bytes)
  await rename(`${path}.new`, path)
}

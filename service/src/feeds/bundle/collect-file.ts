// Puts single files of a feed into a bundle: keeps a file that is there if it is current, or downloads it.
import { mkdir, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { formatInstant } from '../../domain/instant.ts'
import { redactUrl } from '../../outbound/redact-url.ts'
import type { AddedFile, CollectContext, CollectRequest } from '../collect.ts'
import type { Validators } from '../download.ts'
import { hashFile } from '../formats/hash-file.ts'
import type { Journal } from './journal.ts'
import { type BundleFile, isBundlePath } from './manifest.ts'

export interface FeedFolder {
  readonly feed: string
  readonly directory: string
  readonly journal: Journal
  /** Files of earlier collections, by path. */
  readonly earlier: ReadonlyMap<string, BundleFile>
  onFile(file: BundleFile, isDownloaded: boolean): void
  /** Called while a file is downloaded. */
  onBytes(path: string, received: number): void
}

type Context = Pick<CollectContext, 'download' | 'spool' | 'now'>
type FileOperations = Pick<CollectContext, 'file' | 'keep' | 'add' | 'earlier'>

export function openFeedFolder(folder: FeedFolder, context: Context): FileOperations {
  const { feed, earlier } = folder
  const prefix = `${feed}/`
  return {
    earlier: [...earlier.keys()].flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : [])),
    keep: async (name, version) => (await keepFile(name, version, folder, context)) !== undefined,
    add: async (file) => {
      await addFile(file, {}, folder, context)
    },
    file: async (request) => {
      await collectFile(request, folder, context)
      return findTarget(request.name, folder).target
    },
  }
}

async function collectFile(request: CollectRequest, folder: FeedFolder, context: Context): Promise<void> {
  const { name, version, check, ...rest } = request
  const source = redactUrl(request.url)
  const { path, target } = findTarget(name, folder)
  const collected = folder.journal.files.get(path)
  const isCollected = collected?.source === source && collected.version === version
  if (isCollected && (await keepFile(name, version, folder, context))) return
  if (version !== undefined && (await keepFile(name, version, folder, context))) return
  const previous = folder.earlier.get(path)
  const isHeld = version === undefined && previous?.source === source && (await isIntact(target, previous))
  const validators = isHeld ? previous.validators : undefined
  const incoming = join(context.spool, `incoming-${name}`)
  const onBytes = (received: number) => folder.onBytes(path, received)
  const result = await context.download.file({ ...rest, ...(validators && { validators }), onBytes }, incoming)
  if (result.isUnchanged) {
    await keepFile(name, undefined, folder, context)
    return
  }
  await check?.(incoming)
  const added = { name, url: request.url, path: incoming, ...(version !== undefined && { version }) }
  await addFile(added, result.validators, folder, context)
}

/** Keeps the file of this collection, if it was interrupted, or of an earlier one. */
async function keepFile(
  name: string,
  version: string | undefined,
  folder: FeedFolder,
  { now }: Context,
): Promise<BundleFile | undefined> {
  const { path, target } = findTarget(name, folder)
  const collected = folder.journal.files.get(path)
  const held = collected ?? folder.earlier.get(path)
  if (!held || (version !== undefined && held.version !== version) || !(await isIntact(target, held))) return undefined
  const file = collected ?? { ...held, fetched_at: formatInstant(now) }
  if (!collected) await folder.journal.addFile(file)
  folder.onFile(file, false)
  return file
}

async function addFile(
  { name, url, version, path: incoming }: Omit<AddedFile, 'version'> & { readonly version?: string },
  validators: Validators,
  folder: FeedFolder,
  { now }: Context,
): Promise<void> {
  const { path, target } = findTarget(name, folder)
  const file: BundleFile = {
    path,
    source: redactUrl(url),
    fetched_at: formatInstant(now),
    ...(await hashFile(incoming)),
    ...(version !== undefined && { version }),
    ...(Object.keys(validators).length > 0 && { validators }),
  }
  await mkdir(dirname(target), { recursive: true })
  await rename(incoming, target)
  await folder.journal.addFile(file)
  folder.onFile(file, true)
}

function findTarget(name: string, { feed, directory }: FeedFolder) {
  const path = `${feed}/${name}`
  if (!isBundlePath(path)) throw new Error(`${path} is not a name that a bundle may contain`)
  return { path, target: join(directory, path) }
}

/** False for a file that was damaged on the disk: it is downloaded again. */
export async function isIntact(target: string, { bytes, sha256 }: BundleFile): Promise<boolean> {
  const stats = await stat(target).catch(() => undefined)
  return stats !== undefined && stats.size === bytes && (await hashFile(target)).sha256 === sha256
}

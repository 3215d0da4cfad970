// The journal of a collection: one line for each collected file and each completed feed. A process that is killed leaves
// it behind, and the next one continues with it.
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatInstant, parseDateTime } from '../../domain/instant.ts'
import { parseRecord } from '../formats/parse-json.ts'
import { readMember, readText } from '../schema-check.ts'
import { type BundleFeed, type BundleFile, bundleFeed, bundleFile, WORK_FOLDER } from './manifest.ts'

/** After a longer interruption, upstream is asked again whether the files are current. */
const MAX_PAUSE_MS = 24 * 3_600_000

export interface Journal {
  /** Collected files by path, and completed feeds by name. */
  readonly files: Map<string, BundleFile>
  readonly feeds: Map<string, BundleFeed>
  addFile(file: BundleFile): Promise<void>
  addFeed(name: string, feed: BundleFeed): Promise<void>
}

export interface OpenedJournal {
  readonly journal: Journal
  /** Files of a collection that was interrupted too long ago. */
  readonly outdated: readonly BundleFile[]
}

export async function openJournal(directory: string, now: Date): Promise<OpenedJournal> {
  const path = join(directory, WORK_FOLDER, 'journal.ndjson')
  await mkdir(join(directory, WORK_FOLDER), { recursive: true })
  const found = readLines(await readFile(path, 'utf8').catch(() => ''))
  const isCurrent = found.startedAt !== undefined && now.getTime() - found.startedAt.getTime() < MAX_PAUSE_MS
  const outdated = isCurrent ? [] : [...found.files.values()]
  if (!isCurrent) await writeFile(path, `${JSON.stringify({ started_at: formatInstant(now) })}\n`)
  // The line of a killed process may lack its end.
  else await appendFile(path, '\n')
  const { files, feeds } = isCurrent ? found : readLines('')
  return {
    outdated,
    journal: {
      files,
      feeds,
      addFile: async (file) => {
        files.set(file.path, file)
        await appendFile(path, `${JSON.stringify({ file })}\n`)
      },
      addFeed: async (name, feed) => {
        feeds.set(name, feed)
        await appendFile(path, `${JSON.stringify({ name, feed })}\n`)
      },
    },
  }
}

function readLines(text: string) {
  const files = new Map<string, BundleFile>()
  const feeds = new Map<string, BundleFeed>()
  let startedAt: Date | undefined
  for (const line of text.split('\n')) {
    const parsed = parseRecord(Buffer.from(line))
    if ('error' in parsed) continue
    const [file, feed] = [readMember(parsed.value, 'file'), readMember(parsed.value, 'feed')]
    startedAt ??= parseDateTime(readText(parsed.value, 'started_at') ?? '')
    if (bundleFile.matches(file)) files.set(file.path, file)
    if (bundleFeed.matches(feed)) feeds.set(readText(parsed.value, 'name') ?? '', feed)
  }
  return { files, feeds, startedAt }
}

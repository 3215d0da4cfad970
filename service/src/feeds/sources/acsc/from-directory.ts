// Reads the ACSC feed from a directory: the RSS feeds as files, saved notice pages, and notices that operators wrote.
import { basename, dirname } from 'node:path'
import { type Delivery, FeedError, type FetchContext, isRejected, NoFilesError, type Rejected } from '../../feed.ts'
import { readWholeFile } from '../../formats/decompress.ts'
import { type FoundFile, listFiles } from '../../formats/directory.ts'
import { buildDelivery } from './delivery.ts'
import { type NoticePage, type NoticeType, parseNoticeAddress, type RawNotice, type SiteNotice } from './notice.ts'
import { MAX_FEED_BYTES, MAX_PAGE_BYTES, parseNoticePage, parseRss } from './parse.ts'
import { readWrittenNotices } from './read-written.ts'

const FEED_FILE = /^(?:acsc-)?(alerts|advisories)\.xml$/
const WRITTEN_FILE = /\.(?:json|ndjson)$/
const PAGE_FILE = /\.html?$/
const FOLDER = 'acsc'

export async function* fetchFromDirectory(
  from: string,
  context: FetchContext,
): AsyncGenerator<Delivery<RawNotice>, void, undefined> {
  const feedFiles = (await listFiles(from, FOLDER, FEED_FILE)).filter(
    (file) => file.name.startsWith('acsc-') || isInFolder(file),
  )
  const pageFiles = (await listFiles(from, FOLDER, PAGE_FILE)).filter(isInFolder)
  const writtenFiles = (await listFiles(from, FOLDER, WRITTEN_FILE)).filter(
    (file) => file.name.startsWith('acsc-notices') || isInFolder(file),
  )
  if (feedFiles.length + pageFiles.length + writtenFiles.length === 0)
    throw new NoFilesError(
      `${from} contains no acsc-alerts.xml, no acsc-advisories.xml, no acsc-notices.ndjson or .json, and no acsc/*.html.`,
    )
  const rejections: Rejected[] = []
  const pages = new Map<string, NoticePage>()
  for (const file of pageFiles) {
    const page = await readPageFile(file)
    if (isRejected(page)) rejections.push(page)
    else if (pages.has(page.address.id))
      rejections.push({ rejected: file.name, reason: 'another file contains the same page' })
    else pages.set(page.address.id, page)
  }
  const inFeeds = await readFeedFiles(feedFiles, pages)
  const pagesOnly = [...pages.values()].filter((page) => !inFeeds.some((each) => each.page === page))
  const written = await readWrittenNotices(writtenFiles)
  const notices = [...inFeeds, ...pagesOnly.map((page) => ({ page })), ...written.notices]
  yield buildDelivery(notices, context.cursor ?? null, [...rejections, ...written.rejections])
}

async function readFeedFiles(
  files: readonly FoundFile[],
  pages: ReadonlyMap<string, NoticePage>,
): Promise<SiteNotice[]> {
  const notices: SiteNotice[] = []
  for (const { path, name } of files) {
    const type: NoticeType = name.includes('alerts') ? 'alert' : 'advisory'
    const bytes = await readWholeFile(path, { maxBytes: MAX_FEED_BYTES })
    for (const item of parseRss(bytes, { what: name, maxBytes: MAX_FEED_BYTES })) {
      const page = pages.get(parseNoticeAddress(item.link)?.id ?? '')
      notices.push({ type, item, ...(page && { page }) })
    }
  }
  return notices
}

async function readPageFile({ path, name }: FoundFile): Promise<NoticePage | Rejected> {
  try {
    const limits = { maxBytes: MAX_PAGE_BYTES }
    return parseNoticePage(await readWholeFile(path, limits), { what: 'the page', ...limits })
  } catch (error) {
    if (error instanceof FeedError) return { rejected: name, reason: error.message }
    throw error
  }
}

function isInFolder({ path }: FoundFile): boolean {
  return basename(dirname(path)) === FOLDER
}

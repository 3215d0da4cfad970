// Files instead of the network: the feeds as the site sends them, and pages that somebody saved.
import { basename, dirname } from 'node:path'
import { type Delivery, FeedError, isRejected, NoFilesError, type Rejected, type FetchContext } from '../../feed.ts'
import { type FoundFile, filesIn } from '../../formats/directory.ts'
import { deliveryOf } from './delivery.ts'
import { type NoticePage, type NoticeType, noticeAddress, type RawNotice } from './notice.ts'
import { readWhole } from './read-all.ts'
import { readNoticePage } from './read-notice-page.ts'
import { readRss } from './read-rss.ts'
import { MAX_FEED_BYTES, MAX_PAGE_BYTES } from './settings.ts'

const FEED_FILE = /^(?:acsc-)?(alerts|advisories)\.xml$/
const PAGE_FILE = /\.html?$/
const FOLDER = 'acsc'

export async function* fetchFromDirectory(
  from: string,
  context: FetchContext,
): AsyncGenerator<Delivery<RawNotice>, void, undefined> {
  const feeds = (await filesIn(from, FOLDER, FEED_FILE)).filter(
    (file) => file.name.startsWith('acsc-') || isInFolder(file),
  )
  const saved = (await filesIn(from, FOLDER, PAGE_FILE)).filter(isInFolder)
  if (feeds.length === 0 && saved.length === 0)
    throw new NoFilesError(`${from} holds no acsc-alerts.xml, no acsc-advisories.xml and no acsc/*.html.`)
  const unusable: Rejected[] = []
  const pages = new Map<string, NoticePage>()
  for (const file of saved) {
    const page = await readSaved(file)
    if (isRejected(page)) unusable.push(page)
    else if (pages.has(page.address.id)) unusable.push({ rejected: file.name, reason: 'another file is the same page' })
    else pages.set(page.address.id, page)
  }
  const named = await readFeeds(feeds, pages)
  const alone = [...pages.values()].filter((page) => !named.some((each) => each.page === page))
  const notices = [...named, ...alone.map((page) => ({ page }))]
  // What the network brought last is still true.
  yield deliveryOf(notices, context.cursor ?? null, unusable)
}

async function readFeeds(files: readonly FoundFile[], pages: ReadonlyMap<string, NoticePage>): Promise<RawNotice[]> {
  const notices: RawNotice[] = []
  for (const { path, name } of files) {
    const type: NoticeType = name.includes('alerts') ? 'alert' : 'advisory'
    for (const item of readRss(await readWhole(path, MAX_FEED_BYTES), { what: name, maxBytes: MAX_FEED_BYTES })) {
      const page = pages.get(noticeAddress(item.link)?.id ?? '')
      notices.push({ type, item, ...(page && { page }) })
    }
  }
  return notices
}

async function readSaved({ path, name }: FoundFile): Promise<NoticePage | Rejected> {
  try {
    return readNoticePage(await readWhole(path, MAX_PAGE_BYTES), { what: 'it', maxBytes: MAX_PAGE_BYTES })
  } catch (error) {
    if (error instanceof FeedError) return { rejected: name, reason: error.message }
    throw error
  }
}

function isInFolder({ path }: FoundFile): boolean {
  return basename(dirname(path)) === FOLDER
}

// Notices that left the feeds long ago: the site lists them all, page by page. The list is walked once, a few pages a
// run, after what is new.
import { shownAddress } from '../../download/redact-url.ts'
import { FeedError, isRejected } from '../../feed.ts'
import { type Expected, readPage } from '../../formats/markup.ts'
import { type History, hashOf, isPending, type KnownItem, MAX_ATTEMPTS } from './cursor.ts'
import type { Walk } from './fetch-page.ts'
import { normaliseNotice } from './normalise.ts'
import { type NoticePage, noticeAddress, onSiteOf, type RawNotice } from './notice.ts'
import { readPageOf } from './read-notice-page.ts'

interface Past {
  readonly history: History
  readonly notices: readonly RawNotice[]
}

export async function walkHistory(before: History, items: readonly KnownItem[], walk: Walk): Promise<Past> {
  const known = new Set(items.filter((each) => each.isPageRead || isPending(each)).map(({ key }) => key))
  const notices: RawNotice[] = []
  let history = before
  // Where the list cannot be read there is nothing more to do in this run.
  while (walk.pages.mayAsk() && !isWalked(history, walk) && history.tries <= before.tries) {
    const step = history.queue.length > 0 ? await readQueued(history, walk) : await listMore(history, known, walk)
    history = step.history
    notices.push(...step.notices)
  }
  return { history, notices }
}

function isWalked({ queue, isListed, nextPage }: History, { settings }: Walk): boolean {
  return queue.length === 0 && (isListed || nextPage >= settings.historyPages)
}

async function readQueued(history: History, { pages, context }: Walk): Promise<Past> {
  const [next, ...rest] = history.queue
  if (!next) return { history, notices: [] }
  const { url, tries } = next
  const id = noticeAddress(url)?.id ?? ''
  const page = await pages.ask(url, (bytes, expected) => usablePage(id, bytes, expected, context.now))
  if (page) return { history: { ...history, queue: rest }, notices: [{ page }] }
  if (tries + 1 < MAX_ATTEMPTS)
    return { history: { ...history, queue: [...rest, { url, tries: tries + 1 }] }, notices: [] }
  context.notice(`${shownAddress(url)} is given up after ${MAX_ATTEMPTS} tries; this notice is missing from the history.`)
  return { history: { ...history, queue: rest }, notices: [] }
}

/** Judged here already: old pages that cannot be used must not get a delivery refused that brings news. */
function usablePage(id: string, bytes: Buffer, expected: Expected, now: Date): NoticePage {
  const page = readPageOf(id, bytes, expected)
  const row = normaliseNotice({ page }, now)
  if (isRejected(row)) throw new FeedError(`${expected.what} cannot be used: ${row.reason}.`)
  return page
}

async function listMore(history: History, known: ReadonlySet<string>, { settings, context, pages }: Walk): Promise<Past> {
  const { nextPage } = history
  const url = new URL(settings.listingUrl)
  url.searchParams.set('page', String(nextPage))
  const found = await pages.ask(url.href, (bytes, expected) => linksBelow(url, bytes, expected))
  const stay = (change: Partial<History>): Past => ({ history: { ...history, ...change }, notices: [] })
  if (!found) {
    const isLast = history.tries + 1 >= MAX_ATTEMPTS
    if (isLast)
      context.notice(`${shownAddress(url.href)} is given up after ${MAX_ATTEMPTS} tries; older notices will be missing.`)
    return stay({ tries: history.tries + 1, isListed: isLast })
  }
  const lastHash = hashOf(found.join('\n'))
  // Past its end the list is empty, or it shows its last page again.
  if (found.length === 0 || lastHash === history.lastHash) return stay({ isListed: true })
  const queue = found
    .filter((each) => !known.has(noticeAddress(each)?.id ?? ''))
    .map((each) => ({ url: each, tries: 0 }))
  return stay({ nextPage: nextPage + 1, tries: 0, lastHash, queue })
}

/** Links to pages right below the list. Its first page has some, or it is no list. */
function linksBelow(list: URL, bytes: Buffer, expected: Expected): readonly string[] {
  const { links } = readPage(bytes, expected)
  const found = links.flatMap(({ href, isMain }) => {
    const link = isMain ? URL.parse(href, list.href) : null
    const url = link && onSiteOf(list.href, link.href)
    return url && isRightBelow(list.pathname, new URL(url).pathname) ? [url] : []
  })
  if (found.length === 0 && list.searchParams.get('page') === '0')
    throw new FeedError(`${expected.what} lists no notices.`)
  return [...new Set(found)]
}

function isRightBelow(folder: string, path: string): boolean {
  const start = `${folder.replace(/\/+$/, '')}/`
  return path.startsWith(start) && /^[^/]+\/?$/.test(path.slice(start.length))
}

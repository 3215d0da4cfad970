// Imports older ACSC notices that the RSS feeds no longer contain. The website lists all notices page by page. The list
// is read once, a few pages per run, after the new notices of the run.
import { redactUrl } from '../../../outbound/redact-url.ts'
import { FeedError, isRejected } from '../../feed.ts'
import { type MarkupOptions, readPage } from '../../formats/markup.ts'
import { type History, hashText, isPagePending, type KnownItem, MAX_ATTEMPTS } from './cursor.ts'
import { normaliseNotice } from './normalise.ts'
import { type NoticePage, parseNoticeAddress, type RawNotice, resolveOnSite } from './notice.ts'
import type { NetworkRun } from './page-fetcher.ts'
import { parseRequestedPage } from './parse.ts'

interface HistoryProgress {
  readonly history: History
  readonly notices: readonly RawNotice[]
}

export async function fetchHistory(
  before: History,
  items: readonly KnownItem[],
  run: NetworkRun,
): Promise<HistoryProgress> {
  const known = new Set(items.filter((each) => each.isPageRead || isPagePending(each)).map(({ key }) => key))
  const notices: RawNotice[] = []
  let history = before
  // An increase in `tries` means that a list page could not be read; the next run tries again.
  while (run.pages.canFetch() && !isHistoryComplete(history, run) && history.tries <= before.tries) {
    const step =
      history.queue.length > 0 ? await fetchQueuedNotice(history, run) : await fetchListPage(history, known, run)
    history = step.history
    notices.push(...step.notices)
  }
  return { history, notices }
}

function isHistoryComplete({ queue, isListed, nextPage }: History, { settings }: NetworkRun): boolean {
  return queue.length === 0 && (isListed || nextPage >= settings.historyPages)
}

async function fetchQueuedNotice(history: History, { pages, context }: NetworkRun): Promise<HistoryProgress> {
  const [next, ...rest] = history.queue
  if (!next) return { history, notices: [] }
  const { url, tries } = next
  const page = await pages.fetch(url, (bytes, options) => parseUsablePage(url, bytes, options, context.now))
  if (page) return { history: { ...history, queue: rest }, notices: [{ page }] }
  if (tries + 1 < MAX_ATTEMPTS)
    return { history: { ...history, queue: [...rest, { url, tries: tries + 1 }] }, notices: [] }
  context.notice(`Gave up on ${redactUrl(url)} after ${MAX_ATTEMPTS} attempts; this older notice is not imported.`)
  return { history: { ...history, queue: rest }, notices: [] }
}

/**
 * Throws instead of rejecting the notice: too many rejections would block the whole delivery, including new notices.
 */
function parseUsablePage(url: string, bytes: Buffer, options: MarkupOptions, now: Date): NoticePage {
  const page = parseRequestedPage(url, bytes, options)
  const row = normaliseNotice({ page }, now)
  if (isRejected(row)) throw new FeedError(`${options.what} cannot be used: ${row.reason}.`)
  return page
}

async function fetchListPage(
  history: History,
  known: ReadonlySet<string>,
  { settings, context, pages }: NetworkRun,
): Promise<HistoryProgress> {
  const { nextPage } = history
  const url = new URL(settings.listingUrl)
  url.searchParams.set('page', String(nextPage))
  const found = await pages.fetch(url.href, (bytes, options) => parseListLinks(url, bytes, options))
  const update = (change: Partial<History>): HistoryProgress => ({ history: { ...history, ...change }, notices: [] })
  if (!found) {
    const isLastAttempt = history.tries + 1 >= MAX_ATTEMPTS
    if (isLastAttempt)
      context.notice(
        `Gave up on ${redactUrl(url.href)} after ${MAX_ATTEMPTS} attempts; older notices are not imported.`,
      )
    return update({ tries: history.tries + 1, isListed: isLastAttempt })
  }
  const lastHash = hashText(found.join('\n'))
  if (found.length === 0 || lastHash === history.lastHash) return update({ isListed: true })
  const queue = found
    .filter((each) => !known.has(parseNoticeAddress(each)?.id ?? ''))
    .map((each) => ({ url: each, tries: 0 }))
  return update({ nextPage: nextPage + 1, tries: 0, lastHash, queue })
}

/** Returns links to pages directly below the list's path. A first page without such links is not the list. */
export function parseListLinks(list: URL, bytes: Buffer, options: MarkupOptions): readonly string[] {
  const { links } = readPage(bytes, options)
  const found = links.flatMap(({ href, isMain }) => {
    const link = isMain ? URL.parse(href, list.href) : null
    const url = link && resolveOnSite(list.href, link.href)
    return url && isDirectChild(list.pathname, new URL(url).pathname) ? [url] : []
  })
  if (found.length === 0 && list.searchParams.get('page') === '0')
    throw new FeedError(`${options.what} has no links to notices.`)
  return [...new Set(found)]
}

function isDirectChild(folder: string, path: string): boolean {
  const start = `${folder.replace(/(?<!\/)\/+$/, '')}/`
  return path.startsWith(start) && /^[^/]+\/?$/.test(path.slice(start.length))
}

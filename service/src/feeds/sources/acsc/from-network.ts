// One network run of the ACSC feed: fetches both RSS feeds, the pages of new notices, and some of the older notices.
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { redactUrl } from '../../../outbound/redact-url.ts'
import type { Validators } from '../../download.ts'
import { type Delivery, FeedError, type FetchContext, isRejected } from '../../feed.ts'
import { readWholeFile } from '../../formats/decompress.ts'
import {
  type AcscCursor,
  type FeedEntry,
  isPagePending,
  type KnownItem,
  mergeKnownItems,
  needsPage,
  readCursor,
  toFeedEntry,
} from './cursor.ts'
import { buildDelivery } from './delivery.ts'
import { fetchHistory } from './history.ts'
import { normaliseNotice } from './normalise.ts'
import { type NoticePage, type NoticeType, type RawNotice, resolveOnSite } from './notice.ts'
import { type AcscSettings, createPageFetcher, type NetworkRun } from './page-fetcher.ts'
import { MAX_FEED_BYTES, parseRequestedPage, parseRss } from './parse.ts'

export async function* fetchFromNetwork(
  settings: AcscSettings,
  context: FetchContext,
): AsyncGenerator<Delivery<RawNotice>, void, undefined> {
  const before = readCursor(context.cursor)
  const run = { settings, context, pages: createPageFetcher(settings, context) }
  const { entries, validators, error } = await fetchFeeds(before, run)
  const current = await fetchNewPages(entries, before.items, run)
  const items = mergeKnownItems(current.items, before.items)
  const older = await fetchHistory(before.history, items, run)
  const notices = [...current.notices, ...older.notices]
  const cursor: AcscCursor = { ...before, ...validators, items, history: older.history }
  if (!isDeepStrictEqual(cursor, before)) yield buildDelivery(notices, cursor)
  // If one RSS feed fails, the notices of the other RSS feed are stored before the run fails.
  if (error) throw error
}

interface FeedResults {
  readonly entries: readonly FeedEntry[]
  readonly validators: Partial<Record<NoticeType, Validators>>
  /** Error of the one RSS feed that failed. If both RSS feeds fail, fetchFeeds throws instead. */
  readonly error: FeedError | undefined
}

const UNCHANGED: FeedResults = { entries: [], validators: {}, error: undefined }

async function fetchFeeds(cursor: AcscCursor, run: NetworkRun): Promise<FeedResults> {
  const alerts = await fetchFeed('alert', cursor, run)
  const advisories = await fetchFeed('advisory', cursor, run)
  if (alerts.error && advisories.error) throw new FeedError(`${alerts.error.message} ${advisories.error.message}`)
  return {
    entries: [...alerts.entries, ...advisories.entries],
    validators: { ...alerts.validators, ...advisories.validators },
    error: alerts.error ?? advisories.error,
  }
}

async function fetchFeed(
  type: NoticeType,
  cursor: AcscCursor,
  { settings, context }: NetworkRun,
): Promise<FeedResults> {
  const [url, path] = [getFeedUrl(settings, type), join(context.spool, `${type}.xml`)]
  // A pending page needs its RSS item, which is not in the cursor, so the RSS feed is requested even if it is
  // unchanged.
  const hasPendingPage = settings.pagesPerRun > 0 && cursor.items.some(isPagePending)
  const validators = hasPendingPage ? {} : cursor[type]
  try {
    const response = await context.download.file({ url, maxBytes: MAX_FEED_BYTES, validators }, path)
    if (response.isUnchanged) return UNCHANGED
    const bytes = await readWholeFile(path, { maxBytes: MAX_FEED_BYTES })
    const items = parseRss(bytes, { what: redactUrl(url), maxBytes: MAX_FEED_BYTES })
    const entries = items.map((item) => toFeedEntry(type, item))
    return { entries, validators: { [type]: response.validators }, error: undefined }
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof FeedError)) throw error
    return { ...UNCHANGED, error }
  }
}

interface CurrentNotices {
  /** Includes stored notices, without their pages, so that the share of rejected items is computed from all items. */
  readonly notices: readonly RawNotice[]
  readonly items: readonly KnownItem[]
}

interface FetchedItem extends KnownItem {
  readonly page?: NoticePage
}

async function fetchNewPages(
  entries: readonly FeedEntry[],
  before: readonly KnownItem[],
  run: NetworkRun,
): Promise<CurrentNotices> {
  const known = new Map<string, KnownItem>(before.map((each) => [each.key, each]))
  const countTries = ({ key, hash }: FeedEntry) => (known.get(key)?.hash === hash ? (known.get(key)?.tries ?? 0) : 0)
  const fetched = new Map<string, FetchedItem>()
  // RSS items with the fewest failed attempts come first, so that a broken notice page does not delay the other pages.
  for (const entry of dropDuplicates(entries).toSorted((one, other) => countTries(one) - countTries(other)))
    if (needsPage(entry, known.get(entry.key)))
      fetched.set(entry.key, await fetchEntryPage(entry, countTries(entry), run))
  return {
    notices: entries.map(({ key, type, item }) => {
      const { page } = fetched.get(key) ?? {}
      return { type, item, ...(page && { page }) }
    }),
    items: dropDuplicates(entries).flatMap(({ key }) => {
      const item = fetched.get(key) ?? known.get(key)
      return item ? [{ key, hash: item.hash, isPageRead: item.isPageRead, tries: item.tries }] : []
    }),
  }
}

/** A notice in both RSS feeds counts as an alert. If both entries were kept, it would look changed in every run. */
function dropDuplicates(entries: readonly FeedEntry[]): FeedEntry[] {
  return entries.filter(({ key }, index) => entries.findIndex((each) => each.key === key) === index)
}

async function fetchEntryPage(
  { item, key, hash, type }: FeedEntry,
  tries: number,
  run: NetworkRun,
): Promise<FetchedItem> {
  const { settings, context, pages } = run
  const row = normaliseNotice({ type, item }, context.now)
  const url = isRejected(row) ? undefined : resolveOnSite(getFeedUrl(settings, type), row.url)
  // No notice page is requested for an RSS item that is rejected anyway or that links to a partner's website.
  if (!url) return { key, hash, isPageRead: true, tries: 0 }
  if (!pages.canFetch()) return { key, hash, isPageRead: false, tries }
  const page = await pages.fetch(url, (bytes, options) => parseRequestedPage(url, bytes, options))
  if (page) return { key, hash, isPageRead: true, tries: 0, page }
  context.notice(`Details of notice ${key} are missing or outdated until its page can be read.`)
  return { key, hash, isPageRead: false, tries: tries + 1 }
}

function getFeedUrl({ alertsUrl, advisoriesUrl }: AcscSettings, type: NoticeType): string {
  return type === 'alert' ? alertsUrl : advisoriesUrl
}

// Fetches all records that NVD modified within a time window. The records are used only if the pages show that no
// record is missing.
import { formatInstant } from '../../../domain/instant.ts'
import { FeedError } from '../../feed.ts'
import { deletePages, type Page, type Pages } from './api-pages.ts'

export interface Window {
  readonly from: Date
  readonly until: Date
}

const DAY_MS = 24 * 3_600_000
/**
 * Time by which two consecutive time windows overlap, for records that NVD backdated or had not finished at the end of
 * the last window.
 */
const OVERLAP_MS = DAY_MS
/**
 * Maximum length of a time window in a query to NVD. NVD accepts up to 120 days but does not document how it rounds, so
 * the maximum is one day shorter.
 */
const MAX_WINDOW_MS = 119 * DAY_MS
/**
 * Time to wait after the end of a time window before NVD is queried for it, so that the window has also ended according
 * to NVD's clock. Records modified again leave the window, and no record enters a window that has ended. If the first
 * and the last page announce the same total, no record has therefore moved to another page.
 */
const CLOCK_MARGIN_MS = 5 * 60_000
const MAX_ATTEMPTS = 4
/**
 * Maximum number of records per time window; larger windows are split. On 2026-06-17 NVD modified nearly all of its
 * records. A window with that many records takes half an hour to fetch, and its total changes in that time, so the
 * fetched pages would not be consistent.
 */
const MAX_RECORDS = 40_000
const MIN_SPLIT_MS = 2 * 60_000

/** Splits the time since the last window into time windows that NVD accepts. */
export function planWindows(lastUntil: Date, now: Date): Window[] {
  const end = now.getTime() - CLOCK_MARGIN_MS
  const windows: Window[] = []
  let from = Math.min(lastUntil.getTime(), end) - OVERLAP_MS
  while (from < end) {
    const until = Math.min(from + MAX_WINDOW_MS, end)
    windows.push({ from: new Date(from), until: new Date(until) })
    from = until
  }
  return windows
}

export function describeWindow({ from, until }: Window): string {
  return `modified from ${formatInstant(from)} to ${formatInstant(until)}`
}

export function splitWindow({ from, until }: Window): [Window, Window] {
  const middle = new Date(Math.floor((from.getTime() + until.getTime()) / 2000) * 1000)
  return [
    { from, until: middle },
    { from: middle, until },
  ]
}

/**
 * Fetches all pages of a time window. If records moved between pages during the fetch, a record may be missing, so all
 * pages are fetched again. Returns undefined if the window has too many records and must be split.
 */
export async function fetchWindow(pages: Pages, window: Window): Promise<readonly Page[] | undefined> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const fetched = await fetchOnce(pages, window)
    const isSplit = isTooLarge(fetched, window)
    if (!isSplit && isComplete(fetched)) return fetched
    await deletePages(fetched)
    if (isSplit) return undefined
  }
  throw new FeedError(
    `NVD's pages of the records ${describeWindow(window)} are inconsistent: the number of records changed during the download, ${MAX_ATTEMPTS} times in a row.`,
  )
}

/**
 * Fetches the pages of a time window once. Stops early at a page that shows that records may be missing or that the
 * window must be split.
 */
async function fetchOnce(pages: Pages, window: Window): Promise<readonly Page[]> {
  const query = { lastModStartDate: formatInstant(window.from), lastModEndDate: formatInstant(window.until) }
  const fetched: Page[] = []
  let next = 0
  for (;;) {
    const page = await pages.fetch(next, query)
    fetched.push(page)
    next += page.count
    const isLast = page.count === 0 || next >= page.total
    if (isLast || !isConsistent(fetched) || isTooLarge(fetched, window)) return fetched
  }
}

function isTooLarge([first]: readonly Page[], { from, until }: Window): boolean {
  const canSplit = until.getTime() - from.getTime() >= MIN_SPLIT_MS
  return canSplit && first !== undefined && first.total > MAX_RECORDS
}

function isComplete(fetched: readonly Page[]): boolean {
  const count = fetched.reduce((sum, page) => sum + page.count, 0)
  return isConsistent(fetched) && count === fetched[0]?.total
}

/** Returns true if every page of a time window has the same total and starts at the requested record. */
function isConsistent(fetched: readonly Page[]): boolean {
  let next = 0
  for (const { startIndex, count, total } of fetched) {
    if (startIndex !== next || total !== fetched[0]?.total) return false
    next += count
  }
  return true
}

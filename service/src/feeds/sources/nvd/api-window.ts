// Fetches all records that NVD modified within a time window. The records are used only if the pages show that no
// record is missing.
import { formatInstant } from '../../../domain/instant.ts'
import { FeedError } from '../../feed.ts'
import { deletePages, type Page, type Pages, type Query } from './api-pages.ts'

export interface Window {
  readonly from: Date
  readonly until: Date
}

/** How an endpoint of NVD's API selects a window of time. */
export interface WindowKind {
  query(from: string, until: string): Query
  describe(from: string, until: string): string
}

const MODIFIED_RECORDS: WindowKind = {
  query: (from, until) => ({ lastModStartDate: from, lastModEndDate: until }),
  describe: (from, until) => `modified from ${from} to ${until}`,
}

const DAY_MS = 24 * 3_600_000
/** Windows overlap to catch records that NVD backdated or had not finished when the last window ended. */
const OVERLAP_MS = DAY_MS
/** NVD accepts up to 120 days but does not document how it rounds. */
const MAX_WINDOW_MS = 119 * DAY_MS
/**
 * Waits until the window has ended by NVD's clock too: records can then only leave it. If the first and the last page
 * announce the same total, no record has moved to another page.
 */
const CLOCK_MARGIN_MS = 5 * 60_000
const MAX_ATTEMPTS = 4
/**
 * Larger windows are split. On 2026-06-17 NVD modified nearly all records; fetching them takes half an hour, during
 * which the total changes, so the pages would not be consistent.
 */
const MAX_RECORDS = 40_000
const MIN_SPLIT_MS = 2 * 60_000

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

export function describeWindow({ from, until }: Window, kind = MODIFIED_RECORDS): string {
  return kind.describe(formatInstant(from), formatInstant(until))
}

export function splitWindow({ from, until }: Window): [Window, Window] {
  const middle = new Date(Math.floor((from.getTime() + until.getTime()) / 2000) * 1000)
  return [
    { from, until: middle },
    { from: middle, until },
  ]
}

/** Fetches all pages again if records moved between them. Returns undefined if the window must be split. */
export async function fetchWindow(
  pages: Pages,
  window: Window,
  kind = MODIFIED_RECORDS,
): Promise<readonly Page[] | undefined> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const fetched = await fetchOnce(pages, window, kind)
    const isSplit = isTooLarge(fetched, window)
    if (!isSplit && isComplete(fetched)) return fetched
    await deletePages(fetched)
    if (isSplit) return undefined
  }
  throw new FeedError(
    `NVD's pages of the records ${describeWindow(window, kind)} are inconsistent: the number of records changed during the download, ${MAX_ATTEMPTS} times in a row.`,
  )
}

/** Stops at a page that shows that records may be missing or that the window must be split. */
async function fetchOnce(pages: Pages, window: Window, kind: WindowKind): Promise<readonly Page[]> {
  const query = kind.query(formatInstant(window.from), formatInstant(window.until))
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

function isConsistent(fetched: readonly Page[]): boolean {
  let next = 0
  for (const { startIndex, count, total } of fetched) {
    if (startIndex !== next || total !== fetched[0]?.total) return false
    next += count
  }
  return true
}

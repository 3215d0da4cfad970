// Everything that NVD modified within a window of time, complete or not at all.
import { formatInstant } from '../../../domain/instant.ts'
import { FeedError } from '../../feed.ts'
import { discard, type Page, type Pages } from './api-pages.ts'

export interface Window {
  readonly from: Date
  readonly until: Date
}

const DAY_MS = 24 * 3_600_000
/** Whatever NVD dated back, or had not finished when we last asked. */
const OVERLAP_MS = DAY_MS
/** NVD takes 120 days, and does not say to the second how it counts them. */
const MAX_WINDOW_MS = 119 * DAY_MS
/**
 * A record leaves a window by being modified again, and none enters a window that has ended. So if the total is the same
 * on the first page and on the last, nothing moved in between. It must have ended by NVD's clock too, hence this.
 */
const SETTLED_AFTER_MS = 5 * 60_000
const MAX_READINGS = 4
/**
 * On 2026-06-17 NVD modified nearly all of its records. A window of that size takes half an hour to read, and never
 * stands still for so long; its parts do.
 */
const MAX_RECORDS = 40_000
const MIN_SPLIT_MS = 2 * 60_000

/** From where we were until now, each short enough for NVD. */
export function windowsSince(lastUntil: Date, now: Date): Window[] {
  const end = now.getTime() - SETTLED_AFTER_MS
  const windows: Window[] = []
  let from = Math.min(lastUntil.getTime(), end) - OVERLAP_MS
  while (from < end) {
    const until = Math.min(from + MAX_WINDOW_MS, end)
    windows.push({ from: new Date(from), until: new Date(until) })
    from = until
  }
  return windows
}

export function inWords({ from, until }: Window): string {
  return `modified from ${formatInstant(from)} to ${formatInstant(until)}`
}

/** The two halves of a window of which the first page says that it is too much at once. */
export function halves({ from, until }: Window): [Window, Window] {
  const middle = new Date(Math.floor((from.getTime() + until.getTime()) / 2000) * 1000)
  return [
    { from, until: middle },
    { from: middle, until },
  ]
}

/**
 * If pages shifted while we read them, some record may have slipped through: then they are read again from the start.
 * Undefined if there are too many of them.
 */
export async function readWindow(pages: Pages, window: Window): Promise<readonly Page[] | undefined> {
  for (let reading = 1; reading <= MAX_READINGS; reading += 1) {
    const read = await readOnce(pages, window)
    const isSplit = isTooMuch(read, window)
    if (!isSplit && isComplete(read)) return read
    await discard(read)
    if (isSplit) return undefined
  }
  throw new FeedError(
    `NVD's pages of what was ${inWords(window)} do not add up: their number of records changed while we read them, ${MAX_READINGS} times in a row.`,
  )
}

/** Stops at the first page that shows that it is in vain. */
async function readOnce(pages: Pages, window: Window): Promise<readonly Page[]> {
  const query = { lastModStartDate: formatInstant(window.from), lastModEndDate: formatInstant(window.until) }
  const read: Page[] = []
  let next = 0
  for (;;) {
    const page = await pages.at(next, query)
    read.push(page)
    next += page.count
    const isOver = page.count === 0 || next >= page.total
    if (isOver || !isConstant(read) || isTooMuch(read, window)) return read
  }
}

function isTooMuch([first]: readonly Page[], { from, until }: Window): boolean {
  const isLong = until.getTime() - from.getTime() >= MIN_SPLIT_MS
  return isLong && first !== undefined && first.total > MAX_RECORDS
}

function isComplete(read: readonly Page[]): boolean {
  const count = read.reduce((sum, page) => sum + page.count, 0)
  return isConstant(read) && count === read[0]?.total
}

/** The same total on every page, and each page where we asked for it. */
function isConstant(read: readonly Page[]): boolean {
  let next = 0
  for (const { startIndex, count, total } of read) {
    if (startIndex !== next || total !== read[0]?.total) return false
    next += count
  }
  return true
}

import { hash } from 'node:crypto'
import type { CveId } from '../../../domain/cve-id.ts'
import { clampToNow, isFutureTime } from '../../clock-skew.ts'
import { FeedError, isRejected, type Rejected } from '../../feed.ts'
import { toPlainText } from '../../formats/markup.ts'
import { parseDay, parseRfc822Date } from './dates.ts'
import { findCveIds } from './find-cve-ids.ts'
import {
  type NoticeType,
  parseNoticeAddress,
  parsePriority,
  type RawNotice,
  type SiteNotice,
  type WrittenNotice,
} from './notice.ts'
import { checkWrittenNotice } from './written-notice.ts'

export interface NoticeRow {
  readonly id: string
  readonly title: string
  readonly type: NoticeType
  readonly priority: string | null
  readonly published: Date
  readonly updated: Date | null
  readonly url: string
  readonly summary: string | null
  readonly affectedProducts: readonly string[]
  readonly cveIds: readonly CveId[]
  /** False if the notice page was not read. The priority, the products and most CVE ids are then missing. */
  readonly isWhole: boolean
  /** True if a date in the notice was later than now; the stored dates are then replaced by the current time. */
  readonly isFuture: boolean
  /** Hash of what the ACSC sent: a future date is stored as the current time, which differs in every run. */
  readonly contentHash: Buffer
}

const TITLE_PRIORITY = /^(\w+) alert ?:/i
const MAX_TITLE_LENGTH = 300
const MAX_SUMMARY_LENGTH = 500
const MAX_CVE_IDS = 500

export function normaliseNotice(raw: RawNotice, now: Date): NoticeRow | Rejected {
  const content = 'place' in raw ? normaliseWritten(raw) : normaliseSiteNotice(raw)
  return isRejected(content) ? content : toRow(content, now)
}

type NoticeContent = Omit<NoticeRow, 'contentHash' | 'isFuture'>

function toRow(content: NoticeContent, now: Date): NoticeRow {
  const { published, updated } = content
  return {
    ...content,
    contentHash: hash('sha256', JSON.stringify(content), 'buffer'),
    published: clampToNow(published, now),
    updated: updated && clampToNow(updated, now),
    isFuture: isFutureTime(updated ?? published, now),
  }
}

function normaliseWritten({ place, written }: WrittenNotice): NoticeContent | Rejected {
  const notice = checkWrittenNotice(written)
  if ('issue' in notice) return { rejected: place, reason: notice.issue }
  const { address, title, summary, ...rest } = notice
  return {
    ...address,
    ...rest,
    title: truncate(title, MAX_TITLE_LENGTH),
    summary: summary === null ? null : truncate(summary, MAX_SUMMARY_LENGTH),
    isWhole: true,
  }
}

function normaliseSiteNotice(raw: SiteNotice): NoticeContent | Rejected {
  const { item, page } = raw
  const rejected =
    item?.link || item?.title || item?.guid || page?.address.url || 'an item without link, title and guid'
  const reject = (reason: string): Rejected => ({ rejected, reason })
  const address = item ? parseNoticeAddress(item.link) : page?.address
  if (!address) return reject(item?.link ? 'the link is not the URL of a notice' : 'the item has no link')
  const text = extractText(raw)
  if ('issue' in text) return reject(text.issue)
  if (text.title === '') return reject('the notice has no title')
  const published = item ? parseRfc822Date(item.published) : parseDay(page?.firstPublished ?? '')
  if (!published) return reject(describeDateIssue(raw))
  const cveIds = findCveIds([text.feedText, ...(page?.cveIds ?? [])].join('\n'))
  if (cveIds.length > MAX_CVE_IDS)
    return reject(`the notice names ${cveIds.length} CVE ids; at most ${MAX_CVE_IDS} are allowed`)
  return {
    ...address,
    title: truncate(text.title, MAX_TITLE_LENGTH),
    type: raw.type ?? (page?.isAlert ? 'alert' : 'advisory'),
    priority: page?.priority ?? parsePriority(TITLE_PRIORITY.exec(text.title)?.[1]) ?? null,
    published,
    updated: parseUpdated(raw, published),
    summary: text.summary === '' ? null : truncate(text.summary, MAX_SUMMARY_LENGTH),
    affectedProducts: page?.affectedProducts ?? [],
    cveIds,
    isWhole: page !== undefined,
  }
}

interface NoticeText {
  readonly title: string
  readonly summary: string
  readonly feedText: string
}

function extractText({ item, page }: SiteNotice): NoticeText | { readonly issue: string } {
  try {
    // RSS titles are parsed as HTML, because the ACSC encodes them twice.
    const title = item ? toPlainText(item.title, 'the title') : (page?.title ?? '')
    const description = item ? toPlainText(item.description, 'the description') : ''
    return { title, summary: description || (page?.summary ?? ''), feedText: `${title}\n${description}` }
  } catch (error) {
    if (error instanceof FeedError) return { issue: error.message }
    throw error
  }
}

function describeDateIssue({ item, page }: SiteNotice): string {
  const date = item ? item.published : (page?.firstPublished ?? '')
  if (date === '') return 'the notice has no date'
  return `the date "${date}" does not have the form "28 Sep 2026 09:30:00 +1000"`
}

/** Pages show only the day, so an update on the day of publication does not count. */
function parseUpdated({ page }: SiteNotice, published: Date): Date | null {
  const updated = parseDay(page?.lastUpdated ?? '')
  return updated && updated > published ? updated : null
}

/** Cuts between two words if possible, and never inside a surrogate pair. */
function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut}…`
}

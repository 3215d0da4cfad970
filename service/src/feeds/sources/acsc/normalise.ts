import { hash } from 'node:crypto'
import type { CveId } from '../../../domain/cve-id.ts'
import { FeedError, type Rejected } from '../../feed.ts'
import { plainText } from '../../formats/markup.ts'
import { cveIdsInText } from './cve-ids-in-text.ts'
import { parseDay, parseMailDate } from './dates.ts'
import { type NoticeType, noticeAddress, priorityOf, type RawNotice } from './notice.ts'

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
  /** Its page was read too: without it priority, products and most CVE ids are missing. */
  readonly isWhole: boolean
  /** It was dated later than now, and is cut to now. */
  readonly isFuture: boolean
  /** Of what upstream said, so that a date cut to now does not count as a change every time. */
  readonly contentHash: Buffer
}

const TITLE_PRIORITY = /^(\w+) alert ?:/i
const MAX_TITLE_LENGTH = 300
const MAX_SUMMARY_LENGTH = 500
const MAX_CVE_IDS = 500
/** Clocks differ; whoever is ahead of us by less than this is not from the future. */
const CLOCK_DIFFERENCE_MS = 60 * 60_000

export function normaliseNotice(raw: RawNotice, now: Date): NoticeRow | Rejected {
  const { item, page } = raw
  const rejected = item?.link || item?.title || item?.guid || page?.address.url || 'an item'
  const reject = (reason: string): Rejected => ({ rejected, reason })
  const address = item ? noticeAddress(item.link) : page?.address
  if (!address) return reject(item?.link ? 'its link is no address of a notice' : 'it has no link')
  const words = wordsOf(raw)
  if ('fault' in words) return reject(words.fault)
  if (words.title === '') return reject('it has no title')
  const published = publishedAt(raw)
  if (!published) return reject(noDate(raw))
  const cveIds = cveIdsOf(raw, words)
  if (cveIds.length > MAX_CVE_IDS)
    return reject(`it names ${cveIds.length} CVE ids; at most ${MAX_CVE_IDS} are believed`)
  const said = {
    ...address,
    title: shortened(words.title, MAX_TITLE_LENGTH),
    type: raw.type ?? (page?.isAlert ? 'alert' : 'advisory'),
    priority: page?.priority ?? priorityOf(TITLE_PRIORITY.exec(words.title)?.[1]) ?? null,
    published,
    updated: updatedAt(raw, published),
    summary: words.summary === '' ? null : shortened(words.summary, MAX_SUMMARY_LENGTH),
    affectedProducts: page?.affectedProducts ?? [],
    cveIds,
    isWhole: page !== undefined,
  } satisfies Partial<NoticeRow>
  return {
    ...said,
    contentHash: hash('sha256', JSON.stringify(said), 'buffer'),
    published: atMost(published, now),
    updated: said.updated && atMost(said.updated, now),
    isFuture: Math.max(+published, +(said.updated ?? 0)) - now.getTime() > CLOCK_DIFFERENCE_MS,
  }
}

interface Words {
  readonly title: string
  readonly summary: string
  /** Of the feed alone; what the page says about CVEs is read already. */
  readonly said: string
}

function wordsOf({ item, page }: RawNotice): Words | { readonly fault: string } {
  try {
    // Titles are HTML as well: the site encodes them twice.
    const title = item ? plainText(item.title, 'its title') : (page?.title ?? '')
    const description = item ? plainText(item.description, 'its description') : ''
    return { title, summary: description || (page?.summary ?? ''), said: `${title}\n${description}` }
  } catch (error) {
    if (error instanceof FeedError) return { fault: error.message }
    throw error
  }
}

function publishedAt({ item, page }: RawNotice): Date | undefined {
  return item ? parseMailDate(item.published) : parseDay(page?.firstPublished ?? '')
}

function noDate({ item, page }: RawNotice): string {
  const date = item ? item.published : (page?.firstPublished ?? '')
  return date === '' ? 'it has no date' : `its date "${date}" is not of the form "28 Sep 2026 09:30:00 +1000"`
}

/** Pages give a day only; a notice that was last touched on the day it came out was not updated. */
function updatedAt({ page }: RawNotice, published: Date): Date | null {
  const updated = parseDay(page?.lastUpdated ?? '')
  return updated && updated > published ? updated : null
}

function cveIdsOf({ page }: RawNotice, { said }: Words): readonly CveId[] {
  return cveIdsInText([said, ...(page?.cveIds ?? [])].join('\n'))
}

/** Between words if there are any, and never in the middle of a character. */
function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text
  const cut = text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut}…`
}

function atMost(date: Date, now: Date): Date {
  return date > now ? now : date
}

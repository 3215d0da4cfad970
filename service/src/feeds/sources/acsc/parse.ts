// Parsers for the ACSC's RSS feeds and notice pages.
import { FeedError } from '../../feed.ts'
import {
  type HtmlBlock,
  type HtmlPage,
  type MarkupOptions,
  readPage,
  readXml,
  type XmlElement,
} from '../../formats/markup.ts'
import { findCveIds } from './find-cve-ids.ts'
import {
  type NoticeAddress,
  type NoticePage,
  parseNoticeAddress,
  parsePriority,
  type RssItem,
  resolveOnSite,
} from './notice.ts'

export const MAX_FEED_BYTES = 5 * 1024 * 1024
export const MAX_PAGE_BYTES = 5 * 1024 * 1024

/** The ACSC's RSS feeds have one or two dozen items. */
const MAX_ITEMS = 500

export function parseRss(bytes: Buffer, options: MarkupOptions): readonly RssItem[] {
  const rss = readXml(bytes, 'rss', options)
  const items = rss.children
    .filter(({ name }) => name === 'channel')
    .flatMap(({ children }) => children.filter(({ name }) => name === 'item'))
  if (items.length === 0) throw new FeedError(`${options.what} has no items; an empty RSS feed is rejected.`)
  if (items.length > MAX_ITEMS)
    throw new FeedError(`${options.what} has ${items.length} items; at most ${MAX_ITEMS} are allowed.`)
  return items.map((item) => ({
    title: getChildText(item, 'title'),
    link: getChildText(item, 'link'),
    description: getChildText(item, 'description'),
    published: getChildText(item, 'pubDate'),
    guid: getChildText(item, 'guid'),
  }))
}

function getChildText({ children }: XmlElement, childName: string): string {
  return children.find(({ name }) => name === childName)?.text.trim() ?? ''
}

const ALERT_STATUS = /^alert status ?:? ?(\w*)$/i
/** Old notice pages show date and status in one line: `12 Feb 2022 - Alert status: CRITICAL`. */
const STATUS_IN_LINE = /\balert status ?: ?(\w+)$/i
const FIRST_PUBLISHED = /\bfirst published ?:? ?(\d{1,2} \w+ \d{4})/i
const LAST_UPDATED = /\blast updated ?:? ?(\d{1,2} \w+ \d{4})/i
const PRODUCTS_HEADING =
  /\b(?:affected|impacted) (?:products?|versions?|software|systems?|devices?)\b|\bproducts? affected\b/i
const ALERT_SENTENCE = /^this (?:critical |high )?alert\b/i

const MAX_PRODUCTS = 100
const MAX_PRODUCT_LENGTH = 200

/** Throws for a page without a canonical URL, which may be a bot challenge or an error page. */
export function parseNoticePage(bytes: Buffer, options: MarkupOptions): NoticePage {
  const page = readPage(bytes, options)
  const address = page.canonical === undefined ? undefined : parseNoticeAddress(page.canonical)
  if (!address) throw new FeedError(`${options.what} has no canonical URL, so its notice is unknown.`)
  return toNoticePage(page, address)
}

/** Throws a FeedError if the canonical URL belongs to another notice or site than the URL that was requested. */
export function parseRequestedPage(url: string, bytes: Buffer, options: MarkupOptions): NoticePage {
  const page = parseNoticePage(bytes, options)
  if (page.address.id === parseNoticeAddress(url)?.id && resolveOnSite(url, page.address.url)) return page
  throw new FeedError(`${options.what} is another page: its canonical URL is ${page.address.url}.`)
}

function toNoticePage({ blocks, description }: HtmlPage, address: NoticeAddress): NoticePage {
  const main = blocks.filter(({ isMain }) => isMain)
  const priority = findAlertStatus(blocks)
  return {
    address,
    title: blocks.find(({ kind }) => kind === 'title')?.text,
    summary: description,
    priority,
    firstPublished: findFirstMatch(blocks, FIRST_PUBLISHED),
    lastUpdated: findFirstMatch(blocks, LAST_UPDATED),
    affectedProducts: extractProducts(main),
    cveIds: findCveIds(main.map(({ text }) => text).join('\n')),
    isAlert: priority !== undefined || main.some(({ text }) => ALERT_SENTENCE.test(text)),
  }
}

/** Label and value are in one text block or in two consecutive blocks. */
function findAlertStatus(blocks: readonly HtmlBlock[]): string | undefined {
  for (const [index, { text }] of blocks.entries()) {
    const label = ALERT_STATUS.exec(text)
    const word = label ? label[1] || blocks[index + 1]?.text : STATUS_IN_LINE.exec(text)?.[1]
    const priority = parsePriority(word)
    if (priority) return priority
  }
  return undefined
}

function findFirstMatch(blocks: readonly HtmlBlock[], pattern: RegExp): string | undefined {
  for (const { text } of blocks) {
    const found = pattern.exec(text)?.[1]
    if (found) return found
  }
  return undefined
}

function extractProducts(blocks: readonly HtmlBlock[]): readonly string[] {
  const products = new Set<string>()
  let isListing = false
  for (const { kind, text } of blocks) {
    if (kind === 'heading' || kind === 'title') isListing = PRODUCTS_HEADING.test(text)
    else if (isListing && kind === 'item' && text.length <= MAX_PRODUCT_LENGTH) products.add(text)
  }
  return [...products].slice(0, MAX_PRODUCTS)
}

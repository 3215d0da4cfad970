// What the page of a notice adds to its feed: priority, days, products, and the CVE ids in its text.
import { FeedError } from '../../feed.ts'
import { type Expected, type HtmlBlock, type HtmlPage, readPage } from '../../formats/markup.ts'
import { cveIdsInText } from './cve-ids-in-text.ts'
import { type NoticeAddress, type NoticePage, noticeAddress, priorityOf } from './notice.ts'

const ALERT_STATUS = /^alert status ?:? ?(\w*)$/i
/** The listing of old pages has both in one line: `12 Feb 2022 - Alert status: CRITICAL`. */
const STATUS_IN_LINE = /\balert status ?: ?(\w+)$/i
const FIRST_PUBLISHED = /\bfirst published ?:? ?(\d{1,2} \w+ \d{4})/i
const LAST_UPDATED = /\blast updated ?:? ?(\d{1,2} \w+ \d{4})/i
const PRODUCTS_HEADING =
  /\b(?:affected|impacted) (?:products?|versions?|software|systems?|devices?)\b|\bproducts? affected\b/i
const SPEAKS_AS_ALERT = /^this (?:critical |high )?alert\b/i

const MAX_PRODUCTS = 100
const MAX_PRODUCT_LENGTH = 200

/** A page that does not say which notice it is may be a wall against robots or an error in friendly words. */
export function readNoticePage(bytes: Buffer, expected: Expected): NoticePage {
  const page = readPage(bytes, expected)
  const address = page.canonical === undefined ? undefined : noticeAddress(page.canonical)
  if (!address) throw new FeedError(`${expected.what} does not say which notice it is (no canonical address).`)
  return factsOf(page, address)
}

/** The page of this notice, and of no other. */
export function readPageOf(id: string, bytes: Buffer, expected: Expected): NoticePage {
  const page = readNoticePage(bytes, expected)
  if (page.address.id === id) return page
  throw new FeedError(`${expected.what} calls itself ${page.address.url}, which is another page.`)
}

function factsOf({ blocks, description }: HtmlPage, address: NoticeAddress): NoticePage {
  const main = blocks.filter(({ isMain }) => isMain)
  const priority = statusOf(blocks)
  return {
    address,
    title: blocks.find(({ kind }) => kind === 'title')?.text,
    summary: description,
    priority,
    firstPublished: firstMatch(blocks, FIRST_PUBLISHED),
    lastUpdated: firstMatch(blocks, LAST_UPDATED),
    affectedProducts: productsIn(main),
    cveIds: cveIdsInText(main.map(({ text }) => text).join('\n')),
    isAlert: priority !== undefined || main.some(({ text }) => SPEAKS_AS_ALERT.test(text)),
  }
}

/** Label and word stand in one block or in two that follow each other. */
function statusOf(blocks: readonly HtmlBlock[]): string | undefined {
  for (const [index, { text }] of blocks.entries()) {
    const label = ALERT_STATUS.exec(text)
    const word = label ? label[1] || blocks[index + 1]?.text : STATUS_IN_LINE.exec(text)?.[1]
    const priority = priorityOf(word)
    if (priority) return priority
  }
  return undefined
}

function firstMatch(blocks: readonly HtmlBlock[], pattern: RegExp): string | undefined {
  for (const { text } of blocks) {
    const found = pattern.exec(text)?.[1]
    if (found) return found
  }
  return undefined
}

/** The list items below a heading that speaks of affected products, up to the next heading. */
function productsIn(blocks: readonly HtmlBlock[]): readonly string[] {
  const products = new Set<string>()
  let isListing = false
  for (const { kind, text } of blocks) {
    if (kind === 'heading' || kind === 'title') isListing = PRODUCTS_HEADING.test(text)
    else if (isListing && kind === 'item' && text.length <= MAX_PRODUCT_LENGTH) products.add(text)
  }
  return [...products].slice(0, MAX_PRODUCTS)
}

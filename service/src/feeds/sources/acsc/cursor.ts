// Cursor of the ACSC feed: which RSS items are known, which notice pages are still to be read, and how far the import
// of older notices has progressed.
import { hash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { compileSchema, httpValidators } from '../../schema-check.ts'
import { type NoticeType, parseNoticeAddress, type RssItem } from './notice.ts'

const KNOWN_ITEM = Type.Object({
  key: Type.String(),
  hash: Type.String(),
  isPageRead: Type.Boolean(),
  /** Number of runs in which the item's notice page could not be read. */
  tries: Type.Integer(),
})

const HISTORY = Type.Object({
  nextPage: Type.Integer(),
  /** Number of failed attempts to read the list page `nextPage`. */
  tries: Type.Integer(),
  /** True once the whole list of notices has been read. The queue may still contain notice pages to read. */
  isListed: Type.Boolean(),
  /** Hash of the links on the last list page: past the end, the website may return the last page again. */
  lastHash: Type.String(),
  queue: Type.Array(Type.Object({ url: Type.String(), tries: Type.Integer() })),
})

const CURSOR = Type.Object({
  alert: httpValidators,
  advisory: httpValidators,
  items: Type.Array(KNOWN_ITEM),
  history: HISTORY,
})

export type KnownItem = Static<typeof KNOWN_ITEM>
export type History = Static<typeof HISTORY>
export type AcscCursor = Static<typeof CURSOR>

export interface FeedEntry {
  readonly type: NoticeType
  readonly item: RssItem
  readonly key: string
  readonly hash: string
}

/** Maximum number of runs that try to read the same notice page. The count starts again when the RSS item changes. */
export const MAX_ATTEMPTS = 8
/** Maximum number of known items that are remembered although the RSS feeds no longer contain them. */
const MAX_FORMER_ITEMS = 200

const cursorSchema = compileSchema(CURSOR)

const EMPTY_CURSOR: AcscCursor = {
  alert: {},
  advisory: {},
  items: [],
  history: { nextPage: 0, tries: 0, isListed: false, lastHash: '', queue: [] },
}

/** Returns an empty cursor for an unknown structure, which only costs some page requests. */
export function readCursor(cursor: unknown): AcscCursor {
  return cursorSchema.matches(cursor) ? cursor : EMPTY_CURSOR
}

export function toFeedEntry(type: NoticeType, item: RssItem): FeedEntry {
  const content = hashText(JSON.stringify([item.title, item.link, item.description, item.published]))
  return { type, item, key: parseNoticeAddress(item.link)?.id ?? `without link: ${content}`, hash: content }
}

export function hashText(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32)
}

export function isPagePending({ isPageRead, tries }: KnownItem): boolean {
  return !isPageRead && tries < MAX_ATTEMPTS
}

export function needsPage({ hash }: FeedEntry, before: KnownItem | undefined): boolean {
  return before === undefined || before.hash !== hash || isPagePending(before)
}

/**
 * If an item leaves the RSS feeds while its page is pending, that counts as a failed attempt, so that the page does not
 * stay pending forever.
 */
export function mergeKnownItems(now: readonly KnownItem[], before: readonly KnownItem[]): KnownItem[] {
  const present = new Set(now.map(({ key }) => key))
  const former = before
    .filter(({ key }) => !present.has(key))
    .map((each) => (isPagePending(each) ? { ...each, tries: each.tries + 1 } : each))
  return [...now, ...former.slice(0, MAX_FORMER_ITEMS)]
}

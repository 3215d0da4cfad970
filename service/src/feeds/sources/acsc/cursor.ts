// What a run leaves for the next one: which items it knew, whose page is still to be read, how far back it went.
import { hash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { shapeOf } from '../../schema-check.ts'
import { type NoticeType, noticeAddress, type RssItem } from './notice.ts'

const VALIDATORS = Type.Object({ etag: Type.Optional(Type.String()), lastModified: Type.Optional(Type.String()) })

const KNOWN_ITEM = Type.Object({
  key: Type.String(),
  /** Of what the feed said. */
  hash: Type.String(),
  isPageRead: Type.Boolean(),
  /** Runs in which its page could not be read. */
  tries: Type.Integer(),
})

const HISTORY = Type.Object({
  nextPage: Type.Integer(),
  /** Of the list, in vain. */
  tries: Type.Integer(),
  /** The list has been walked; what is queued is still to be read. */
  isListed: Type.Boolean(),
  /** Of the page before, to notice a list that shows the same page for ever. */
  lastHash: Type.String(),
  queue: Type.Array(Type.Object({ url: Type.String(), tries: Type.Integer() })),
})

const CURSOR = Type.Object({
  alert: VALIDATORS,
  advisory: VALIDATORS,
  items: Type.Array(KNOWN_ITEM),
  history: HISTORY,
})

export type KnownItem = Static<typeof KNOWN_ITEM>
export type History = Static<typeof HISTORY>
export type AcscCursor = Static<typeof CURSOR>

/** An item of a feed, and how we know it again. */
export interface Entry {
  readonly type: NoticeType
  readonly item: RssItem
  readonly key: string
  readonly hash: string
}

/** After so many runs a page is given up, until its item changes. */
export const MAX_ATTEMPTS = 8
/** Beside those that the feeds hold now. */
const MAX_FORMER_ITEMS = 200

const shape = shapeOf(CURSOR)

const START: AcscCursor = {
  alert: {},
  advisory: {},
  items: [],
  history: { nextPage: 0, tries: 0, isListed: false, lastHash: '', queue: [] },
}

/** A cursor of another form is one of an older release: starting again costs some pages, and nothing else. */
export function readCursor(cursor: unknown): AcscCursor {
  return shape.fits(cursor) ? cursor : START
}

export function entryOf(type: NoticeType, item: RssItem): Entry {
  const content = hashOf(JSON.stringify([item.title, item.link, item.description, item.published]))
  return { type, item, key: noticeAddress(item.link)?.id ?? `without link: ${content}`, hash: content }
}

export function hashOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32)
}

export function isPending({ isPageRead, tries }: KnownItem): boolean {
  return !isPageRead && tries < MAX_ATTEMPTS
}

/** New to us, changed since, or without its page. */
export function isNews({ hash }: Entry, before: KnownItem | undefined): boolean {
  return before === undefined || before.hash !== hash || isPending(before)
}

/** A page that is still to be read, of an item that no feed names any more, is given up in time as well. */
export function knownFrom(now: readonly KnownItem[], before: readonly KnownItem[]): KnownItem[] {
  const present = new Set(now.map(({ key }) => key))
  const former = before
    .filter(({ key }) => !present.has(key))
    .map((each) => (isPending(each) ? { ...each, tries: each.tries + 1 } : each))
  return [...now, ...former.slice(0, MAX_FORMER_ITEMS)]
}

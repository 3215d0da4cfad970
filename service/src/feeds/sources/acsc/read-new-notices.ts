import { isRejected } from '../../feed.ts'
import { type Entry, isNews, type KnownItem } from './cursor.ts'
import type { Walk } from './fetch-page.ts'
import { normaliseNotice } from './normalise.ts'
import { type NoticePage, onSiteOf, type RawNotice } from './notice.ts'
import { readPageOf } from './read-notice-page.ts'
import { feedUrl } from './settings.ts'

export interface News {
  /**
   * Everything that the feeds hold now, so that one bad item is judged among the good ones. What is known already comes
   * without its page, and then changes nothing.
   */
  readonly notices: readonly RawNotice[]
  readonly known: readonly KnownItem[]
}

interface Read extends KnownItem {
  readonly page?: NoticePage
}

/** With the pages of what is new, as far as they may be asked for and can be read. */
export async function readNews(entries: readonly Entry[], before: readonly KnownItem[], walk: Walk): Promise<News> {
  const known = new Map<string, KnownItem>(before.map((each) => [each.key, each]))
  const triesOf = ({ key, hash }: Entry) => (known.get(key)?.hash === hash ? (known.get(key)?.tries ?? 0) : 0)
  const read = new Map<string, Read>()
  // Those whose page has failed least come first, so that a broken page does not keep the others waiting.
  for (const entry of distinct(entries).toSorted((one, other) => triesOf(one) - triesOf(other)))
    if (isNews(entry, known.get(entry.key))) read.set(entry.key, await readEntry(entry, triesOf(entry), walk))
  return {
    notices: entries.map(({ key, type, item }) => {
      const { page } = read.get(key) ?? {}
      return { type, item, ...(page && { page }) }
    }),
    known: distinct(entries).flatMap(({ key }) => {
      const item = read.get(key) ?? known.get(key)
      return item ? [{ key, hash: item.hash, isPageRead: item.isPageRead, tries: item.tries }] : []
    }),
  }
}

/** A notice that stands in both feeds is known as the alert, or it would look changed in every run. */
function distinct(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ key }, index) => entries.findIndex((each) => each.key === key) === index)
}

async function readEntry({ item, key, hash, type }: Entry, tries: number, walk: Walk): Promise<Read> {
  const { settings, context, pages } = walk
  const row = normaliseNotice({ type, item }, context.now)
  const url = isRejected(row) ? undefined : onSiteOf(feedUrl(settings, type), row.url)
  // It cannot be used anyhow, or it points to a partner's page, and only this site is asked.
  if (!url) return { key, hash, isPageRead: true, tries: 0 }
  if (!pages.mayAsk()) return { key, hash, isPageRead: false, tries }
  const page = await pages.ask(url, (bytes, expected) => readPageOf(key, bytes, expected))
  if (page) return { key, hash, isPageRead: true, tries: 0, page }
  context.notice(`What the page of ${key} says is missing or old, until that page can be read.`)
  return { key, hash, isPageRead: false, tries: tries + 1 }
}

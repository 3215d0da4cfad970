import { FeedError } from '../../feed.ts'
import { type Expected, readXml, type XmlElement } from '../../formats/markup.ts'
import type { RssItem } from './notice.ts'

/** The feeds of the ACSC have one or two dozen. */
const MAX_ITEMS = 500

export function readRss(bytes: Buffer, expected: Expected): readonly RssItem[] {
  const rss = readXml(bytes, 'rss', expected)
  const items = rss.children
    .filter(({ name }) => name === 'channel')
    .flatMap(({ children }) => children.filter(({ name }) => name === 'item'))
  if (items.length === 0) throw new FeedError(`${expected.what} has no items; an empty feed is not believed.`)
  if (items.length > MAX_ITEMS)
    throw new FeedError(`${expected.what} has ${items.length} items; more than ${MAX_ITEMS} are not believed.`)
  return items.map((item) => ({
    title: textOf(item, 'title'),
    link: textOf(item, 'link'),
    description: textOf(item, 'description'),
    published: textOf(item, 'pubDate'),
    guid: textOf(item, 'guid'),
  }))
}

function textOf({ children }: XmlElement, wanted: string): string {
  return children.find(({ name }) => name === wanted)?.text.trim() ?? ''
}

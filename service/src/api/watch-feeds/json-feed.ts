// A feed as JSON Feed 1.1. It has no feed_url: its address is a secret.
import { clean, type Feed, toItem } from './formats.ts'

export function renderJsonFeed(feed: Feed): string {
  const items = feed.events.map((event) => {
    const { id, title, content, time, tags, url } = toItem(event, feed)
    return { id, ...(url !== undefined && { url }), title, content_text: content, date_published: time, tags }
  })
  const document = { version: 'https://jsonfeed.org/version/1.1', title: clean(feed.name), items }
  return `${JSON.stringify(document)}\n`
}

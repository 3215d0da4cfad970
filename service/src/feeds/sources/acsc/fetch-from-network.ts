// One run: both feeds, the pages of what is new in them, and a little of the history.
import { isDeepStrictEqual } from 'node:util'
import type { Delivery, FetchContext } from '../../feed.ts'
import { type AcscCursor, knownFrom, readCursor } from './cursor.ts'
import { deliveryOf } from './delivery.ts'
import { askFeeds } from './fetch-feeds.ts'
import { walkHistory } from './fetch-history.ts'
import { pageAsker } from './fetch-page.ts'
import type { RawNotice } from './notice.ts'
import { readNews } from './read-new-notices.ts'
import type { AcscSettings } from './settings.ts'

export async function* fetchFromNetwork(
  settings: AcscSettings,
  context: FetchContext,
): AsyncGenerator<Delivery<RawNotice>, void, undefined> {
  const before = readCursor(context.cursor)
  const walk = { settings, context, pages: pageAsker(settings, context) }
  const { entries, validators, fault } = await askFeeds(settings, before, context)
  const news = await readNews(entries, before.items, walk)
  const items = knownFrom(news.known, before.items)
  const past = await walkHistory(before.history, items, walk)
  const notices = [...news.notices, ...past.notices]
  const cursor: AcscCursor = { ...before, ...validators, items, history: past.history }
  if (!isDeepStrictEqual(cursor, before)) yield deliveryOf(notices, cursor)
  // One feed that fails does not hold back the other, but the run is no success.
  if (fault) throw fault
}

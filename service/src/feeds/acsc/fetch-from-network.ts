// One run: both feeds, the pages of what is new in them, and a little of the history.
import { isDeepStrictEqual } from 'node:util'
import type { Delivery, Visit } from '../feed.ts'
import { askFeeds } from './ask-feeds.ts'
import { pageAsker } from './ask-for-page.ts'
import { type AcscCursor, knownFrom, readCursor } from './cursor.ts'
import { deliveryOf } from './delivery.ts'
import type { RawNotice } from './notice.ts'
import { readNews } from './read-news.ts'
import type { AcscSettings } from './settings.ts'
import { walkHistory } from './walk-history.ts'

export async function* fetchFromNetwork(
  settings: AcscSettings,
  visit: Visit,
): AsyncGenerator<Delivery<RawNotice>, void, undefined> {
  const before = readCursor(visit.cursor)
  const walk = { settings, visit, pages: pageAsker(settings, visit) }
  const { entries, validators, fault } = await askFeeds(settings, before, visit)
  const news = await readNews(entries, before.items, walk)
  const items = knownFrom(news.known, before.items)
  const past = await walkHistory(before.history, items, walk)
  const notices = [...news.notices, ...past.notices]
  const cursor: AcscCursor = { ...before, ...validators, items, history: past.history }
  if (!isDeepStrictEqual(cursor, before)) yield deliveryOf(notices, cursor)
  // One feed that fails does not hold back the other, but the run is no success.
  if (fault) throw fault
}

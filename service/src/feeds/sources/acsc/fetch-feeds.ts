import { join } from 'node:path'
import { shownAddress } from '../../download/redact-url.ts'
import type { Validators } from '../../download.ts'
import { FeedError, type FetchContext } from '../../feed.ts'
import { type AcscCursor, type Entry, entryOf, isPending } from './cursor.ts'
import type { NoticeType } from './notice.ts'
import { readWhole } from './read-all.ts'
import { readRss } from './read-rss.ts'
import { type AcscSettings, feedUrl, MAX_FEED_BYTES } from './settings.ts'

export interface Answers {
  readonly entries: readonly Entry[]
  /** Of the feeds that sent something. */
  readonly validators: Partial<Record<NoticeType, Validators>>
  /** One feed may fail; if both do, it is thrown. */
  readonly fault: FeedError | undefined
}

export async function askFeeds(settings: AcscSettings, cursor: AcscCursor, context: FetchContext): Promise<Answers> {
  const alerts = await askFeed('alert', settings, cursor, context)
  const advisories = await askFeed('advisory', settings, cursor, context)
  if (alerts.fault && advisories.fault) throw new FeedError(`${alerts.fault.message} ${advisories.fault.message}`)
  return {
    entries: [...alerts.entries, ...advisories.entries],
    validators: { ...alerts.validators, ...advisories.validators },
    fault: alerts.fault ?? advisories.fault,
  }
}

const NOTHING_NEW: Answers = { entries: [], validators: {}, fault: undefined }

async function askFeed(type: NoticeType, settings: AcscSettings, cursor: AcscCursor, context: FetchContext): Promise<Answers> {
  const [url, path] = [feedUrl(settings, type), join(context.spool, `${type}.xml`)]
  // Unconditionally while a page is outstanding: only the feed itself says what that page belongs to.
  const isPageOutstanding = settings.pagesPerRun > 0 && cursor.items.some(isPending)
  const validators = isPageOutstanding ? {} : cursor[type]
  try {
    const answer = await context.download.file({ url, maxBytes: MAX_FEED_BYTES, validators }, path)
    if (answer.isUnchanged) return NOTHING_NEW
    const items = readRss(await readWhole(path, MAX_FEED_BYTES), {
      what: shownAddress(url),
      maxBytes: MAX_FEED_BYTES,
    })
    const entries = items.map((item) => entryOf(type, item))
    return { entries, validators: { [type]: answer.validators }, fault: undefined }
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof FeedError)) throw error
    return { ...NOTHING_NEW, fault: error }
  }
}

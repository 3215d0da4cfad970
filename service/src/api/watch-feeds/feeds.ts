// Feeds of watches. Readers ask again and again, mostly for nothing new: within a minute, a node answers with the same
// bytes from memory, and asks the database only whether the address is still valid, for many readers at once.
import { hash } from 'node:crypto'
import type { FeedContent, FeedStore } from '../../accounts/watches/feeds.ts'
import type { StoredFile } from '../../contract/endpoint.ts'
import type { FeedFormat } from '../../contract/watches/feed.ts'
import { createLruCache } from '../../record/cache/lru-cache.ts'
import { renderEvent } from '../self-service/events.ts'
import type { Feeds } from '../services.ts'
import { renderAtom } from './atom.ts'
import { createFeedLookups } from './feed-lookups.ts'
import { MEDIA_TYPES } from './formats.ts'
import { renderJsonFeed } from './json-feed.ts'

const FRESH_MS = 60_000
const MAX_BYTES = 32 * 1024 * 1024
/** 20 random bytes. */
const TOKEN = /^[A-Za-z0-9_-]{27}$/

interface Rendered {
  readonly renderedAt: number
  readonly bytes: Buffer
  readonly etag: string
}

const RENDER: Readonly<Record<FeedFormat, typeof renderAtom>> = { atom: renderAtom, json: renderJsonFeed }

export function createFeeds(store: FeedStore, publicUrl: string | null, nowMs = () => performance.now()): Feeds {
  const lookups = createFeedLookups((digests) => store.findValid(digests), nowMs)
  const kept = createLruCache<Rendered>(MAX_BYTES, ({ bytes }) => bytes.length + 200)
  const pending = new Map<string, Promise<Rendered | undefined>>()
  const render = async (digest: string, format: FeedFormat): Promise<Rendered | undefined> => {
    const content = await store.read(digest)
    if (!content) return undefined
    const bytes = Buffer.from(RENDER[format](toFeed(content, publicUrl)))
    const rendered = { renderedAt: nowMs(), bytes, etag: `"${hash('sha256', bytes, 'hex').slice(0, 32)}"` }
    kept.set(`${digest}.${format}`, rendered)
    return rendered
  }
  const find = (digest: string, format: FeedFormat): Promise<Rendered | undefined> | Rendered => {
    const key = `${digest}.${format}`
    const known = kept.get(key)
    if (known && nowMs() - known.renderedAt < FRESH_MS) return known
    const running = pending.get(key) ?? render(digest, format).finally(() => pending.delete(key))
    pending.set(key, running)
    return running
  }
  return {
    read: async (token, format) => {
      if (!TOKEN.test(token)) return undefined
      const digest = hash('sha256', token, 'hex')
      if (!(await lookups.isValid(digest))) return undefined
      const found = await find(digest, format)
      return found && toFile(found, format)
    },
  }
}

function toFile({ bytes, etag }: Rendered, format: FeedFormat): StoredFile {
  return { mediaType: MEDIA_TYPES[format], etag, bytes: bytes.length, read: async () => [bytes] }
}

function toFeed({ watchId, watchName, changedAt, events }: FeedContent, publicUrl: string | null) {
  return { watchId, name: watchName, changedAt, events: events.map((row) => renderEvent(row, publicUrl)) }
}

// What each feed stores from the files of the contract test, as a hash. If a reader stores the same records in another way,
// its version must rise, so that what the next run changes is not taken for news (decision E50).
import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Feed } from '../../../src/feeds/feed.ts'
import { isRejected } from '../../../src/feeds/feed.ts'
import { feedDefinitions } from '../../../src/feeds/index.ts'
import { writeTemporaryDirectory } from '../temporary-files.ts'
import { FEED_TABLE } from './feed-table.ts'
import readers from './readers.json' with { type: 'json' }

const NOW = new Date('2026-08-22T20:00:00Z')
const RECORDS = Array.from({ length: 60 }, (_, index) => ({ index, isValid: true }))
const feeds = new Map(
  feedDefinitions.map((definition) => definition.configure({}).feed).map((feed) => [feed.name, feed]),
)

async function readRows(feed: Feed, directory: string): Promise<readonly string[]> {
  const rows: string[] = []
  const download = { file: () => Promise.reject(new Error('this test has no network')) }
  const [signal, notice] = [new AbortController().signal, () => {}]
  const context = { cursor: undefined, from: directory, download, signal, spool: directory, notice, now: NOW }
  for await (const delivery of feed.fetch(context))
    for await (const reading of delivery.records(() => {})) {
      const row = isRejected(reading) ? reading : feed.normalise(reading.raw, NOW)
      if (isRejected(row)) throw new Error(`${feed.name} rejects ${row.rejected}: ${row.reason}`)
      rows.push(JSON.stringify(feed.store.toCopyValues(row)))
    }
  return rows
}

async function describeReader(name: string): Promise<string> {
  const feed = feeds.get(name)
  const [row] = Object.entries(FEED_TABLE).flatMap(([id, each]) => (id === name ? [each] : []))
  if (!feed || !row) throw new Error(`there is no feed ${name}`)
  const rows = await readRows(feed, await writeTemporaryDirectory({ [row.file]: row.write(RECORDS) }))
  expect(rows.length).toBeGreaterThanOrEqual(RECORDS.length)
  return `version ${feed.readerVersion ?? 1}: ${hash('sha256', rows.toSorted().join('\n')).slice(0, 12)}`
}

describe('The reader of a feed', () => {
  it.each(Object.keys(FEED_TABLE))('%s stores the records of its files as its version says', async (name) => {
    // If only the fixtures changed, write the new hash to readers.json. If the reader changed, also raise `readerVersion`.
    expect({ [name]: await describeReader(name) }).toEqual({ [name]: (readers as Record<string, string>)[name] })
  })
})

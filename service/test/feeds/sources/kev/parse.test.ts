import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FeedError } from '../../../../src/feeds/feed.ts'
import { readCatalogueHead, readEntries } from '../../../../src/feeds/sources/kev/parse.ts'
import { fileWith } from '../../one-file.ts'
import { catalogue, entries, FILE, without } from './fixtures.ts'

const good = catalogue(entries(20))
const text = JSON.stringify(good)
const fileOf = (content: string | Buffer) => fileWith(FILE, content)

async function lengthOf(path: string): Promise<number> {
  let length = 0
  for await (const each of readEntries(path)) if ('raw' in each) length += 1
  return length
}

describe('A KEV catalogue', () => {
  it('says which one it is, and has as many entries as it says', async () => {
    const path = await fileOf(text)
    expect(await readCatalogueHead(path)).toEqual({
      version: '2026.08.20',
      releasedAt: new Date('2026-08-20T15:00:00Z'),
      count: 20,
    })
    expect(await lengthOf(path)).toBe(20)
  })

  it('may be packed with gzip', async () => {
    expect(await lengthOf(await fileOf(gzipSync(text)))).toBe(20)
  })

  it('may name itself after its list', async () => {
    const { vulnerabilities, ...head } = good
    expect(await readCatalogueHead(await fileOf(JSON.stringify({ vulnerabilities, ...head })))).toMatchObject({
      count: 20,
    })
  })

  it('counts an entry that cannot be read as one', async () => {
    const huge = catalogue([...entries(2), { cveID: 'CVE-2024-0001', notes: 'x'.repeat(300_000) }])
    const path = await fileOf(JSON.stringify(huge))
    expect(await readCatalogueHead(path)).toMatchObject({ count: 3 })
    expect(await lengthOf(path)).toBe(2)
  })
})

describe('A KEV catalogue that cannot be used', () => {
  const json = (members: Readonly<Record<string, unknown>>) => JSON.stringify(members)

  it.each([
    [
      'says another number than it has entries',
      json({ ...good, count: 21 }),
      'it says that it has 21 entries, and its list has 20',
    ],
    ['has no number', json(without('count', good)), 'count'],
    ['has a number that is none', json({ ...good, count: '20' }), 'count'],
    ['has no entries', json(catalogue([])), 'it has no entries'],
    ['has no list', json(without('vulnerabilities', good)), 'it has no list "vulnerabilities"'],
    ['has a list that is none', json({ ...good, vulnerabilities: {} }), '"vulnerabilities" to be a list'],
    ['has no title', json(without('title', good)), 'title'],
    ['is another catalogue', json({ ...good, title: 'Catalogue of teapots' }), 'its title is "Catalogue of teapots"'],
    ['has no version', json(without('catalogVersion', good)), 'catalogVersion'],
    ['has no date', json(without('dateReleased', good)), 'dateReleased'],
    [
      'has a date that never was',
      json({ ...good, dateReleased: '2026-02-30T00:00:00Z' }),
      'its dateReleased is no date: "2026-02-30T00:00:00Z"',
    ],
    ['is cut off', text.slice(0, text.length / 2), 'it is cut off'],
    ['is a packed one that is cut off', gzipSync(text).subarray(0, -20), `${FILE} is cut off`],
    ['is a web page', '<!DOCTYPE html><title>Access denied</title>', 'it is a web page'],
    ['is empty', '', `${FILE} is empty`],
  ])('because it %s is a fault that says so', async (_why, content, words) => {
    const path = await fileOf(content)
    for (const reading of [readCatalogueHead, lengthOf]) {
      const fault: unknown = await reading(path).catch((error: unknown) => error)
      expect(fault).toBeInstanceOf(FeedError)
      expect(String(fault)).toContain(`The KEV catalogue cannot be used: `)
      expect(String(fault)).toContain(words)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { FeedError } from '../../../../src/feeds/feed.ts'
import { readCatalogHeader, readEntries } from '../../../../src/feeds/sources/kev/parse.ts'
import { writeTemporaryFile } from '../../temporary-files.ts'
import { buildCatalog, buildEntries, FILE, omitMember } from './fixtures.ts'

const valid = buildCatalog(buildEntries(20))
const text = JSON.stringify(valid)
const writeCatalogFile = (content: string | Buffer) => writeTemporaryFile(FILE, content)

async function countEntries(path: string): Promise<number> {
  let length = 0
  for await (const entry of readEntries(path)) if ('raw' in entry) length += 1
  return length
}

describe('KEV parser', () => {
  it('reads the version, release date, count and all entries of a KEV catalog', async () => {
    const path = await writeCatalogFile(text)
    expect(await readCatalogHeader(path)).toEqual({
      version: '2026.08.20',
      releasedAt: new Date('2026-08-20T15:00:00Z'),
      count: 20,
    })
    expect(await countEntries(path)).toBe(20)
  })

  it('reads a KEV catalog whose header members come after the list of entries', async () => {
    const { vulnerabilities, ...header } = valid
    expect(
      await readCatalogHeader(await writeCatalogFile(JSON.stringify({ vulnerabilities, ...header }))),
    ).toMatchObject({
      count: 20,
    })
  })

  it('includes an entry that is too long to be read in the count of entries', async () => {
    const huge = buildCatalog([...buildEntries(2), { cveID: 'CVE-2024-0001', notes: 'x'.repeat(300_000) }])
    const path = await writeCatalogFile(JSON.stringify(huge))
    expect(await readCatalogHeader(path)).toMatchObject({ count: 3 })
    expect(await countEntries(path)).toBe(2)
  })
})

describe('KEV parser: invalid catalogs', () => {
  const json = (members: Readonly<Record<string, unknown>>) => JSON.stringify(members)

  it.each([
    [
      'with a count that differs from its number of entries',
      json({ ...valid, count: 21 }),
      'its count is 21, but its list has 20 entries',
    ],
    ['without a count', json(omitMember('count', valid)), 'count'],
    ['with a string as count', json({ ...valid, count: '20' }), 'count'],
    ['without entries', json(buildCatalog([])), 'it has no entries'],
    [
      'without a list of vulnerabilities',
      json(omitMember('vulnerabilities', valid)),
      'the file has no list "vulnerabilities"',
    ],
    ['with an object instead of the list', json({ ...valid, vulnerabilities: {} }), '"vulnerabilities" to be a list'],
    ['without a title', json(omitMember('title', valid)), 'title'],
    [
      'with another title',
      json({ ...valid, title: 'Catalog of Retired Products' }),
      'its title is "Catalog of Retired Products"',
    ],
    ['without a version', json(omitMember('catalogVersion', valid)), 'catalogVersion'],
    ['without a release date', json(omitMember('dateReleased', valid)), 'dateReleased'],
    [
      'with an impossible release date',
      json({ ...valid, dateReleased: '2026-02-30T00:00:00Z' }),
      'its dateReleased is not a date and time: "2026-02-30T00:00:00Z"',
    ],
  ])('rejects a KEV file %s', async (_case, content, message) => {
    const path = await writeCatalogFile(content)
    for (const readFile of [readCatalogHeader, countEntries]) {
      const error: unknown = await readFile(path).catch((error: unknown) => error)
      expect(error).toBeInstanceOf(FeedError)
      expect(String(error)).toContain(`The KEV catalog cannot be used: `)
      expect(String(error)).toContain(message)
    }
  })
})

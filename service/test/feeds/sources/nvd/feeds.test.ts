import { readdir } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { nvdFeed } from '../../../../src/feeds/sources/nvd/feed.ts'
import { type Content, type Handler, manners, startUpstream } from '../../../support/network/upstream.ts'
import { NOW, nvdContainer, nvdMeta, nvdRecord, patientDownload, type Told, told, visitOf } from './fixtures.ts'

const YEARS = Array.from({ length: 25 }, (_, index) => String(2002 + index))
const FILES = '/feeds/json/cve/2.0'
const pathOf = (key: string, ending = 'json.gz') => `${FILES}/nvdcve-2.0-${key}.${ending}`
const yearFile = (year: string, text = 'first') =>
  nvdContainer([nvdRecord(`CVE-${year}-0001`, { evaluatorComment: text })])

/** NVD's web server, with a file for each year and one of what was modified. */
async function startNvd() {
  const upstream = await startUpstream()
  const publish = (key: string, json: string, meta: Record<string, string | number> = {}) => {
    upstream.serve(pathOf(key), gzipSync(json))
    upstream.serve(pathOf(key, 'meta'), nvdMeta(json, meta))
  }
  for (const year of YEARS) publish(year, yearFile(year))
  publish('modified', nvdContainer([nvdRecord('CVE-2026-0002')]))
  const feed = nvdFeed({ route: 'feeds', feedsUrl: `${upstream.url}${FILES}/`, apiUrl: '', apiKey: null })
  const { download } = patientDownload(upstream.host)
  let asked = 0
  return {
    publish,
    serve: (path: string, how: Content | Handler) => upstream.serve(path, how),
    context: (cursor?: unknown, now = NOW) => visitOf({ download, cursor, now }),
    run: async (cursor?: unknown, now = NOW) => told(feed, await visitOf({ download, cursor, now })),
    feed,
    /** The files that were asked for since the last look, without their common beginning. */
    asked: () => {
      const news = upstream.requests().slice(asked)
      asked += news.length
      return news.map(({ path }) => path.slice(FILES.length + '/nvdcve-2.0-'.length))
    },
  }
}

const labels = (deliveries: readonly Told[]) =>
  deliveries.map(({ label }) => label.slice('nvdcve-2.0-'.length, -'.json.gz'.length))
const days = (count: number) => new Date(NOW.getTime() + count * 24 * 3_600_000)

describe('a new year', () => {
  it('does not keep the news waiting, should its file be bad', async () => {
    const nvd = await startNvd()
    const cursor = (await nvd.run()).at(-1)?.cursor
    nvd.publish('modified', nvdContainer([nvdRecord('CVE-2027-0001')]))
    nvd.publish('2027', yearFile('2027'))

    const deliveries = await nvd.run(cursor, new Date('2027-01-02T00:00:00Z'))

    expect(labels(deliveries)).toEqual(['modified', '2027'])
  })
})

describe('the first load', () => {
  it('takes every year, and then what was modified', async () => {
    const nvd = await startNvd()

    const deliveries = await nvd.run()

    expect(labels(deliveries)).toEqual([...YEARS, 'modified'])
    expect(deliveries.flatMap(({ ids }) => ids)).toEqual([...YEARS.map((year) => `CVE-${year}-0001`), 'CVE-2026-0002'])
    expect(deliveries[0]?.upstreamAt).toEqual(new Date('2026-08-22T18:00:00Z'))
  })

  it('holds a year against its whole slice, except the current one, of which we know more than its file', async () => {
    const deliveries = await (await startNvd()).run()

    expect(deliveries.map(({ kind }) => kind)).toEqual([...YEARS.slice(0, -1).map(() => 'snapshot'), 'delta', 'delta'])
  })

  it('goes on after the last file that was stored', async () => {
    const nvd = await startNvd()
    const [, , third] = await nvd.run()
    nvd.asked()

    const deliveries = await nvd.run(third?.cursor)

    expect(labels(deliveries)).toEqual([...YEARS.slice(3), 'modified'])
    expect(nvd.asked()).not.toContain('2002.json.gz')
  })

  it('tells how much is left, and keeps one file at a time', async () => {
    const nvd = await startNvd()
    const context = await nvd.context()
    let before = 0
    for await (const { bytes } of nvd.feed.fetch(context)) {
      expect(bytes).toMatchObject({ before })
      before += bytes?.own ?? 0
      expect((await readdir(context.spool)).filter((name) => name.endsWith('.gz'))).toHaveLength(1)
    }
  })

  it('begins anew, and says so, when its own notes cannot be read', async () => {
    const nvd = await startNvd()
    const context = await nvd.context({ files: 'all of them' })

    expect(await told(nvd.feed, context)).toHaveLength(26)
    expect(context.notices.join()).toMatch(/read anew/)
  })
})

describe('a later run', () => {
  it('asks one small question when nothing changed', async () => {
    const nvd = await startNvd()
    const cursor = (await nvd.run()).at(-1)?.cursor
    nvd.asked()

    expect(await nvd.run(cursor, days(1))).toEqual([])
    expect(nvd.asked()).toEqual(['modified.meta'])
  })

  it('takes what was modified, and leaves the years alone', async () => {
    const nvd = await startNvd()
    const cursor = (await nvd.run()).at(-1)?.cursor
    nvd.asked()
    nvd.publish('modified', nvdContainer([nvdRecord('CVE-2020-0001')]))
    nvd.publish('2020', yearFile('2020', 'second'))

    const deliveries = await nvd.run(cursor, days(1))

    expect(deliveries).toMatchObject([{ kind: 'delta', ids: ['CVE-2020-0001'] }])
    expect(nvd.asked()).toEqual(['modified.meta', 'modified.json.gz'])
    expect(await nvd.run(deliveries[0]?.cursor, days(1))).toEqual([])
  })

  it('compares all years once a week, after the news, and downloads only those that changed', async () => {
    const nvd = await startNvd()
    const cursor = (await nvd.run()).at(-1)?.cursor
    nvd.publish('modified', nvdContainer([nvdRecord('CVE-2020-0001')]), {
      lastModifiedDate: '2026-08-28T10:00:00-04:00',
    })
    nvd.publish('2004', yearFile('2004', 'second'))
    nvd.publish('2019', yearFile('2019', 'second'))
    nvd.asked()

    const deliveries = await nvd.run(cursor, days(7.1))

    expect(labels(deliveries)).toEqual(['modified', '2004', '2019'])
    expect(nvd.asked().filter((path) => path.endsWith('.meta'))).toHaveLength(26)
    expect(await nvd.run(deliveries.at(-1)?.cursor, days(7.2))).toEqual([])
    expect(nvd.asked().filter((path) => path.endsWith('.meta'))).toHaveLength(1)
  })

  it('compares again until a comparison was finished', async () => {
    const nvd = await startNvd()
    const cursor = (await nvd.run()).at(-1)?.cursor
    for (const year of ['2004', '2019']) nvd.publish(year, yearFile(year, 'second'))
    nvd.publish('modified', nvdContainer([nvdRecord('CVE-2020-0001')]))

    const [modified] = await nvd.run(cursor, days(7.1))

    expect(labels(await nvd.run(modified?.cursor, days(7.2)))).toEqual(['2004', '2019'])
  })

  it('compares all years when `modified` was missed for longer than it reaches back', async () => {
    const nvd = await startNvd()
    const cursor = (await nvd.run()).at(-1)?.cursor
    const missed = { ...Object(cursor), comparedAt: '2026-08-30T00:00:00Z' }
    nvd.publish('2004', yearFile('2004', 'second'))
    nvd.publish('modified', nvdContainer([nvdRecord('CVE-2020-0001')]), {
      lastModifiedDate: '2026-08-31T10:00:00-04:00',
    })

    const deliveries = await nvd.run(missed, new Date('2026-08-31T20:00:00Z'))

    expect(labels(deliveries)).toEqual(['modified', '2004'])
    expect(deliveries[0]?.cursor).toMatchObject({ comparedAt: null })
    expect(deliveries[1]?.cursor).toMatchObject({ comparedAt: '2026-08-31T20:00:00Z' })
  })

  it('takes a new year as soon as it has a file, and waits for it in January only', async () => {
    const nvd = await startNvd()
    const cursor = (await nvd.run()).at(-1)?.cursor
    const january = await nvd.context(cursor, new Date('2027-01-02T00:00:00Z'))

    await told(nvd.feed, january)
    expect(january.notices.join()).toMatch(/no file for 2027 yet/)
    await expect(nvd.run(cursor, new Date('2027-02-01T00:00:00Z'))).rejects.toThrow(/2027\.meta/)

    nvd.publish('2027', yearFile('2027'))
    expect(labels(await nvd.run(cursor, new Date('2027-01-02T00:00:00Z')))).toEqual(['2027'])
  })
})

describe('a file from the network is read only if it is what its .meta promises', () => {
  const json = yearFile('2002')

  it.each<[string, Record<string, string | number>, RegExp]>([
    ['another size', { size: 12 }, /2002\.json\.gz.*bytes, and should have 12\./],
    ['another packed size', { gzSize: 12 }, /2002\.json\.gz.*bytes, and should have 12\./],
    ['another hash', { sha256: '0'.repeat(64) }, /2002\.json\.gz.*SHA-256/],
    ['more than we take', { size: 999_999_999_999 }, /2002\.meta announces 999999999999 bytes/],
  ])('and it promises %s', async (_case, lie, complaint) => {
    const nvd = await startNvd()
    nvd.publish('2002', json, lie)

    await expect(nvd.run()).rejects.toThrow(complaint)
  })

  it.each<[string, Content | Handler, RegExp]>([
    ['missing', manners.answers(404), /2002\.meta.*404/],
    ['a web page', manners.sendsHtml('text/plain'), /2002\.meta.*HTML/],
    ['without a hash', 'size:7\r\ngzSize:7\r\n', /2002\.meta/],
  ])('and it is %s', async (_case, meta, complaint) => {
    const nvd = await startNvd()
    nvd.serve(pathOf('2002', 'meta'), meta)

    await expect(nvd.run()).rejects.toThrow(complaint)
    expect(nvd.asked()).not.toContain('2002.json.gz')
  })

  it.each<[string, Content | Handler, RegExp]>([
    ['a web page', manners.sendsHtml('application/gzip'), /2002\.json\.gz.*HTML/],
    ['empty', '', /2002\.json\.gz.*empty/],
    ['cut off', gzipSync(json).subarray(0, 100), /2002\.json\.gz/],
    ['of the right size, but broken', Buffer.alloc(gzipSync(json).length, 7), /2002\.json\.gz/],
  ])('and the file is %s', async (_case, content, complaint) => {
    const nvd = await startNvd()
    nvd.serve(pathOf('2002'), content)

    await expect(nvd.run()).rejects.toThrow(complaint)
  })

  it('or what a newer .meta promises, if it was replaced in between', async () => {
    const nvd = await startNvd()
    const newer = yearFile('2002', 'second')
    nvd.serve(pathOf('2002'), gzipSync(newer))
    nvd.serve(pathOf('2002', 'meta'), manners.inTurn(nvdMeta(json), nvdMeta(newer)))

    expect(await nvd.run()).toHaveLength(26)
  })
})

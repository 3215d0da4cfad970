import { readdir } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { nvdFeed } from '../../../../src/feeds/sources/nvd/feed.ts'
import { behaviours, type Content, type Handler, startUpstream } from '../../../support/network/upstream.ts'
import {
  buildFetchContext,
  type CollectedDelivery,
  collectDeliveries,
  fakeTimeDownload,
  NOW,
  nvdContainer,
  nvdMeta,
  nvdRecord,
} from './fixtures.ts'

const YEARS = Array.from({ length: 25 }, (_, index) => String(2002 + index))
const FILES = '/feeds/json/cve/2.0'
const toPath = (key: string, ending = 'json.gz') => `${FILES}/nvdcve-2.0-${key}.${ending}`
const yearFile = (year: string, text = 'first') =>
  nvdContainer([nvdRecord(`CVE-${year}-0001`, { evaluatorComment: text })])

/** Starts a test server with NVD's file for each year and NVD's file `modified`. */
async function startNvd() {
  const upstream = await startUpstream()
  const publish = (key: string, json: string, meta: Record<string, string | number> = {}) => {
    upstream.serve(toPath(key), gzipSync(json))
    upstream.serve(toPath(key, 'meta'), nvdMeta(json, meta))
  }
  for (const year of YEARS) publish(year, yearFile(year))
  publish('modified', nvdContainer([nvdRecord('CVE-2026-0002')]))
  const feed = nvdFeed({ route: 'feeds', feedsUrl: `${upstream.url}${FILES}/`, apiUrl: '', apiKey: null })
  const { download } = fakeTimeDownload(upstream.host)
  let seen = 0
  return {
    publish,
    serve: (path: string, how: Content | Handler) => upstream.serve(path, how),
    context: (cursor?: unknown, now = NOW) => buildFetchContext({ download, cursor, now }),
    run: async (cursor?: unknown, now = NOW) =>
      collectDeliveries(feed, await buildFetchContext({ download, cursor, now })),
    feed,
    /** Returns the files requested since the last call of takeRequests, without the common prefix of their names. */
    takeRequests: () => {
      const fresh = upstream.requests().slice(seen)
      seen += fresh.length
      return fresh.map(({ path }) => path.slice(FILES.length + '/nvdcve-2.0-'.length))
    },
  }
}

const labels = (deliveries: readonly CollectedDelivery[]) =>
  deliveries.map(({ label }) => label.slice('nvdcve-2.0-'.length, -'.json.gz'.length))
const days = (count: number) => new Date(NOW.getTime() + count * 24 * 3_600_000)

describe('NVD feed: the file for a new year', () => {
  it('imports the file `modified` before the file for a new year', async () => {
    const nvd = await startNvd()
    const cursor = (await nvd.run()).at(-1)?.cursor
    nvd.publish('modified', nvdContainer([nvdRecord('CVE-2027-0001')]))
    nvd.publish('2027', yearFile('2027'))

    const deliveries = await nvd.run(cursor, new Date('2027-01-02T00:00:00Z'))

    expect(labels(deliveries)).toEqual(['modified', '2027'])
  })
})

describe('NVD feed: first load from files', () => {
  it('imports all year files and then the file `modified`', async () => {
    const nvd = await startNvd()

    const deliveries = await nvd.run()

    expect(labels(deliveries)).toEqual([...YEARS, 'modified'])
    expect(deliveries.flatMap(({ ids }) => ids)).toEqual([...YEARS.map((year) => `CVE-${year}-0001`), 'CVE-2026-0002'])
    expect(deliveries[0]?.upstreamAt).toEqual(new Date('2026-08-22T18:00:00Z'))
  })

  it('imports the files for past years as snapshots and the file for the current year as a delta', async () => {
    const deliveries = await (await startNvd()).run()

    expect(deliveries.map(({ kind }) => kind)).toEqual([...YEARS.slice(0, -1).map(() => 'snapshot'), 'delta', 'delta'])
  })

  it('continues a first load after the last stored file', async () => {
    const nvd = await startNvd()
    const [, , third] = await nvd.run()
    nvd.takeRequests()

    const deliveries = await nvd.run(third?.cursor)

    expect(labels(deliveries)).toEqual([...YEARS.slice(3), 'modified'])
    expect(nvd.takeRequests()).not.toContain('2002.json.gz')
  })

  it('returns the byte position of each delivery and keeps only one file on disk', async () => {
    const nvd = await startNvd()
    const context = await nvd.context()
    let before = 0
    for await (const { bytes } of nvd.feed.fetch(context)) {
      expect(bytes).toMatchObject({ before })
      before += bytes?.own ?? 0
      expect((await readdir(context.spool)).filter((name) => name.endsWith('.gz'))).toHaveLength(1)
    }
  })

  it('imports all files again and adds a notice when the stored cursor is invalid', async () => {
    const nvd = await startNvd()
    const context = await nvd.context({ files: 'all of them' })

    expect(await collectDeliveries(nvd.feed, context)).toHaveLength(26)
    expect(context.notices.join()).toMatch(/importing everything again/)
  })
})

describe('NVD feed: later runs from files', () => {
  it('requests only modified.meta when nothing changed', async () => {
    const nvd = await startNvd()
    const cursor = (await nvd.run()).at(-1)?.cursor
    nvd.takeRequests()

    expect(await nvd.run(cursor, days(1))).toEqual([])
    expect(nvd.takeRequests()).toEqual(['modified.meta'])
  })

  it('imports a changed file `modified` without requesting the year files', async () => {
    const nvd = await startNvd()
    const cursor = (await nvd.run()).at(-1)?.cursor
    nvd.takeRequests()
    nvd.publish('modified', nvdContainer([nvdRecord('CVE-2020-0001')]))
    nvd.publish('2020', yearFile('2020', 'second'))

    const deliveries = await nvd.run(cursor, days(1))

    expect(deliveries).toMatchObject([{ kind: 'delta', ids: ['CVE-2020-0001'] }])
    expect(nvd.takeRequests()).toEqual(['modified.meta', 'modified.json.gz'])
    expect(await nvd.run(deliveries[0]?.cursor, days(1))).toEqual([])
  })

  it('checks all year files once a week, after importing `modified`, and downloads only the changed year files', async () => {
    const nvd = await startNvd()
    const cursor = (await nvd.run()).at(-1)?.cursor
    nvd.publish('modified', nvdContainer([nvdRecord('CVE-2020-0001')]), {
      lastModifiedDate: '2026-08-28T10:00:00-04:00',
    })
    nvd.publish('2004', yearFile('2004', 'second'))
    nvd.publish('2019', yearFile('2019', 'second'))
    nvd.takeRequests()

    const deliveries = await nvd.run(cursor, days(7.1))

    expect(labels(deliveries)).toEqual(['modified', '2004', '2019'])
    expect(nvd.takeRequests().filter((path) => path.endsWith('.meta'))).toHaveLength(26)
    expect(await nvd.run(deliveries.at(-1)?.cursor, days(7.2))).toEqual([])
    expect(nvd.takeRequests().filter((path) => path.endsWith('.meta'))).toHaveLength(1)
  })

  it('repeats the check of the year files in the next run if it was not completed', async () => {
    const nvd = await startNvd()
    const cursor = (await nvd.run()).at(-1)?.cursor
    for (const year of ['2004', '2019']) nvd.publish(year, yearFile(year, 'second'))
    nvd.publish('modified', nvdContainer([nvdRecord('CVE-2020-0001')]))

    const [modified] = await nvd.run(cursor, days(7.1))

    expect(labels(await nvd.run(modified?.cursor, days(7.2)))).toEqual(['2004', '2019'])
  })

  it('checks all year files when the last import of `modified` is too old', async () => {
    const nvd = await startNvd()
    const cursor = (await nvd.run()).at(-1)?.cursor
    const outdated = { ...Object(cursor), comparedAt: '2026-08-30T00:00:00Z' }
    nvd.publish('2004', yearFile('2004', 'second'))
    nvd.publish('modified', nvdContainer([nvdRecord('CVE-2020-0001')]), {
      lastModifiedDate: '2026-08-31T10:00:00-04:00',
    })

    const deliveries = await nvd.run(outdated, new Date('2026-08-31T20:00:00Z'))

    expect(labels(deliveries)).toEqual(['modified', '2004'])
    expect(deliveries[0]?.cursor).toMatchObject({ comparedAt: null })
    expect(deliveries[1]?.cursor).toMatchObject({ comparedAt: '2026-08-31T20:00:00Z' })
  })

  it('tolerates a missing file for the new year only in January', async () => {
    const nvd = await startNvd()
    const cursor = (await nvd.run()).at(-1)?.cursor
    const january = await nvd.context(cursor, new Date('2027-01-02T00:00:00Z'))

    await collectDeliveries(nvd.feed, january)
    expect(january.notices.join()).toMatch(/no file for 2027 yet/)
    await expect(nvd.run(cursor, new Date('2027-02-01T00:00:00Z'))).rejects.toThrow(/2027\.meta/)

    nvd.publish('2027', yearFile('2027'))
    expect(labels(await nvd.run(cursor, new Date('2027-01-02T00:00:00Z')))).toEqual(['2027'])
  })
})

describe('NVD feed: verifying downloaded files', () => {
  const json = yearFile('2002')

  it.each<[string, Record<string, string | number>, RegExp]>([
    ['a compressed size that differs from the data file', { gzSize: 12 }, /2002\.json\.gz.*bytes instead of 12\./],
    ['a hash that differs from the data file', { sha256: '0'.repeat(64) }, /2002\.json\.gz.*SHA-256/],
    ['a size above the limit', { size: 999_999_999_999 }, /2002\.meta announces 999999999999 bytes/],
  ])('fails when the .meta file announces %s', async (_, changes, message) => {
    const nvd = await startNvd()
    nvd.publish('2002', json, changes)

    await expect(nvd.run()).rejects.toThrow(message)
  })

  it('fails without requesting the data file when the .meta file has no hash', async () => {
    const nvd = await startNvd()
    nvd.serve(toPath('2002', 'meta'), 'size:7\r\ngzSize:7\r\n')

    await expect(nvd.run()).rejects.toThrow(/2002\.meta/)
    expect(nvd.takeRequests()).not.toContain('2002.json.gz')
  })

  it('fails when the downloaded data file is corrupt but has the right size', async () => {
    const nvd = await startNvd()
    nvd.serve(toPath('2002'), Buffer.alloc(gzipSync(json).length, 7))

    await expect(nvd.run()).rejects.toThrow(/2002\.json\.gz/)
  })

  it('accepts a data file that NVD replaced during the run if the new .meta file matches', async () => {
    const nvd = await startNvd()
    const newer = yearFile('2002', 'second')
    nvd.serve(toPath('2002'), gzipSync(newer))
    nvd.serve(toPath('2002', 'meta'), behaviours.inTurn(nvdMeta(json), nvdMeta(newer)))

    expect(await nvd.run()).toHaveLength(26)
  })
})

describe('NVD feed: the number of records', () => {
  it('is stated once all year files are imported, as the sum of what they announce', async () => {
    const nvd = await startNvd()
    const deliveries = await nvd.run()
    expect(deliveries.map(({ indexCount }) => indexCount)).toEqual([...YEARS.map(() => undefined), YEARS.length])
  })
})

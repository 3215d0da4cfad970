// The behaviour that all feeds share, regardless of their file format. Each feed's own tests cover its format.
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Feed } from '../../../src/feeds/feed.ts'
import { feedDefinitions } from '../../../src/feeds/index.ts'
import { createTestDownload } from '../../support/network/downloads.ts'
import { behaviours, type Content, type Handler, startUpstream } from '../../support/network/upstream.ts'
import { createFeedHarness } from '../feed-harness.ts'
import { type Choice, FEED_TABLE } from './feed-table.ts'

const COUNT = 60
const VALID: readonly Choice[] = Array.from({ length: COUNT }, (_, index) => ({ index, isValid: true }))
const invalidate = (choices: readonly Choice[]) => choices.map(({ index }) => ({ index, isValid: false }))
const [FIRST, OTHERS] = [VALID.slice(0, 1), VALID.slice(1)]
const HTML = '<!DOCTYPE html><html><body>Please enable cookies.</body></html>'
/** Spaces, which gzip compresses to a thousandth. */
const PADDING = ' '.repeat(2_000_000)

type BadFile = readonly [what: string, file: string, content: string | Buffer, error: RegExp]

const { run, importFiles, selectRows, clock } = await createFeedHarness()
clock.advance({ hours: 20 })

/**
 * Hash of all rows that feeds wrote, including the queue, with the transaction that wrote each row. Every epss run
 * writes its release.
 */
async function readFingerprint(): Promise<unknown> {
  const tables = await selectRows<{ name: string }>(`
    select quote_ident(tablename) as name from pg_tables
     where schemaname = 'source' and tablename not in ('feed', 'feed_run', 'feed_rejection', 'epss_release')`)
  const hashes = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(string_agg(xmin || t::text, ',' order by t::text)) from source.${name} t`,
  )
  return selectRows(hashes.join(' union all '))
}

const readRejections = () =>
  selectRows<{ reason: string }>(
    'select reason from source.feed_rejection where run_id = (select max(id) from source.feed_run)',
  )

function configure(name: string, environment: Readonly<Record<string, string>> = {}): Feed {
  const found = feedDefinitions.map((each) => each.configure(environment).feed).find((feed) => feed.name === name)
  if (!found) throw new Error(`there is no feed ${name}`)
  return found
}

beforeAll(async () => {
  // The mappings are rejected unless their techniques are stored.
  const { file, write } = FEED_TABLE.attack
  await importFiles(configure('attack'), { [file]: write(VALID) })
})

describe.each(Object.entries(FEED_TABLE))('Feed %s', (name, row) => {
  const { file, write, isSnapshot, readsGzip, download } = row
  const feed = configure(name)
  let stored: unknown

  const importFile = (fileName: string, content: string | Buffer) => importFiles(feed, { [fileName]: content })

  beforeAll(async () => {
    expect(await importFile(file, write(VALID))).toMatchObject({ outcome: 'succeeded', rejected: 0, error: null })
    stored = await readFingerprint()
  })

  it('stores the records of a file in a directory', async () => {
    const [dataset] = await selectRows<{ count: number }>(
      `select table_count::int as count from catalog.dataset where name = '${name}'`,
    )
    expect(dataset?.count).toBe(COUNT)
  })

  it('writes and queues nothing when the file is unchanged', async () => {
    expect(await importFile(file, write(VALID))).toMatchObject({ outcome: 'succeeded', written: 0, removed: 0 })
    expect(await readFingerprint()).toEqual(stored)
  })

  it.runIf(readsGzip)('reads the same file compressed with gzip', async () => {
    expect(await importFile(`${file}.gz`, write(VALID))).toMatchObject({ outcome: 'succeeded', read: COUNT })
    expect(await readFingerprint()).toEqual(stored)
  })

  it('rejects an invalid record with a reason and keeps its stored version', async () => {
    const report = await importFile(file, write([...invalidate(FIRST), ...OTHERS]))

    expect(report).toMatchObject({ outcome: 'succeeded', rejected: 1, written: 0, removed: 0 })
    expect(await readRejections()).toEqual([{ reason: expect.stringMatching(/\w/) }])
    expect(await readFingerprint()).toEqual(stored)
  })

  if (row.isVariant) return

  it('refuses a file in which most records are invalid', async () => {
    const report = await importFile(file, write([...FIRST, ...invalidate(OTHERS)]))

    expect(report).toMatchObject({ outcome: 'refused', error: expect.stringContaining('--allow too-many-rejections') })
    expect(await readFingerprint()).toEqual(stored)
  })

  it(`${isSnapshot ? 'refuses' : 'removes nothing because of'} a file that lacks more than 2 % of the records`, async () => {
    const report = await importFile(file, write(VALID.slice(3)))

    expect(report).toMatchObject(
      isSnapshot
        ? { outcome: 'refused', error: expect.stringContaining(`lacks 3 of the ${COUNT} stored records`) }
        : { outcome: 'succeeded', removed: 0 },
    )
    expect(await readFingerprint()).toEqual(stored)
  })

  const packed: readonly BadFile[] = [
    ['a truncated gzip file', `${file}.gz`, gzipSync(write(VALID)).subarray(0, -9), /truncated/],
  ]
  it.each<BadFile>([
    ['a truncated file', file, write(VALID).slice(0, -9), /truncated|not JSON/],
    ['an HTML page', file, HTML, /HTML|JSON|columns|line/],
    ['an empty file', file, '', /empty|not JSON|columns|no lines/],
    ...(readsGzip ? packed : []),
  ])('fails on %s and keeps the stored records', async (_what, fileName, content, error) => {
    const report = await importFile(fileName, content)

    expect(report).toMatchObject({ outcome: 'failed', written: 0, removed: 0, error: expect.stringMatching(error) })
    expect(await selectRows('select outcome, fault as error from source.feed_run order by id desc limit 1')).toEqual([
      { outcome: report.outcome, error: report.error },
    ])
    expect(await readFingerprint()).toEqual(stored)
  })

  // Red Hat's archives compress so well that gzip cannot exceed the permitted ratio; its own tests use zstd.
  it.runIf(readsGzip && name !== 'redhat')('fails on a decompression bomb and keeps the stored records', async () => {
    const { outcome, error } = await importFile(`${file}.gz`, write(VALID) + PADDING)

    expect([outcome, error]).toEqual(['failed', expect.stringMatching(/100 times its size|CSV syntax error: Max|line/)])
    expect(await readFingerprint()).toEqual(stored)
  })

  it('reports the outcome "absent" when the directory has no file for the feed', async () => {
    expect(await importFile('other.txt', 'Read me.')).toMatchObject({ outcome: 'absent', error: expect.any(String) })
  })

  describe.runIf(download)('downloading', () => {
    const writeDownload = download?.write ?? write
    const content = name === 'epss' ? gzipSync(write(VALID)) : writeDownload(VALID)

    async function createOnline(answer: Content | Handler) {
      const path = name === 'epss' ? '/epss_scores-current.csv.gz' : '/file'
      const upstream = await startUpstream({ [path]: answer })
      const online = configure(name, { [download?.setting ?? '']: `${upstream.url}${name === 'epss' ? '/' : path}` })
      return { upstream, runOnline: () => run(online, { openDownload: () => createTestDownload([upstream]) }) }
    }

    it('sends the ETag of the last download and reads nothing after 304 Not Modified', async () => {
      const { upstream, runOnline } = await createOnline(behaviours.validates('"one"', content))

      expect(await runOnline()).toMatchObject({ outcome: 'succeeded', rejected: 0, error: null })
      expect(await runOnline()).toMatchObject({ outcome: 'succeeded', read: 0, written: 0, removed: 0 })
      expect(upstream.requests().map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"'])
    })

    it.each<[string, Content | Handler]>([
      ['status 403', behaviours.answers(403, 'Access denied')],
      ['an HTML page', HTML],
      ['a truncated file', content.slice(0, -9)],
      ['a response that breaks off', behaviours.breaksOff(content)],
    ])('fails and keeps the stored records after %s', async (_what, answer) => {
      const before = await readFingerprint()
      const { runOnline } = await createOnline(answer)

      expect(await runOnline()).toMatchObject({ outcome: 'failed', written: 0, removed: 0, error: expect.any(String) })
      expect(await readFingerprint()).toEqual(before)
    })
  })
})

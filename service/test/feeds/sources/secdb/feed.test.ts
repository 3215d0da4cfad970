import { beforeEach, describe, expect, it } from 'vitest'
import { SECDB_SOURCES } from '../../../../src/domain/source/secdb-sources.ts'
import { secdbDefinitions, secdbFeed } from '../../../../src/feeds/sources/secdb/feed.ts'
import { createTestDownload } from '../../../support/network/downloads.ts'
import { behaviours, startUpstream } from '../../../support/network/upstream.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { secdb } from './fixtures.ts'

const { importFiles, run, selectRows, listQueued, listRejections, reset } = await createFeedHarness()
const alpine = secdbFeed('alpine', { url: 'https://secdb.example' })
const wolfi = secdbFeed('wolfi', { url: 'https://wolfi.example' })

const listStored = () =>
  selectRows<{ feed: string; id: string; cves: string[]; record: Record<string, unknown> }>(`
    select feed, id, record::json,
           array(select cve_id from source.osv_advisory_cve where feed = osv_advisory.feed and advisory_id = id) as cves
      from source.osv_advisory
     order by feed, id
  `)

beforeEach(reset)

describe('Secdb feeds: storing the documents', () => {
  it('stores a record for each vulnerability with its packages in all branches', async () => {
    const report = await importFiles(alpine, {
      'alpine-v3.22-main.json': secdb({ lark: { '1.0-r1': ['CVE-2024-0001'], '0': ['CVE-2024-0002'] } }, 'v3.22'),
      'alpine-edge-main.json': secdb({ lark: { '1.2-r0': ['CVE-2024-0001'] } }, 'edge'),
    })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 2, written: 2, rejected: 0 })
    const lark = { product: 'lark', purl: 'pkg:apk/alpine/lark', introduced: null, last_affected: null }
    expect(await listStored()).toMatchObject([
      {
        feed: 'alpine',
        id: 'CVE-2024-0001',
        cves: ['CVE-2024-0001'],
        record: {
          database: 'alpine',
          products: [
            { ...lark, vendor: 'Alpine:edge', status: 'affected', fixed: '1.2-r0' },
            { ...lark, vendor: 'Alpine:v3.22', status: 'affected', fixed: '1.0-r1' },
          ],
          references: [{ url: 'https://security.alpinelinux.org/vuln/CVE-2024-0001', built: true }],
        },
      },
      {
        id: 'CVE-2024-0002',
        record: { products: [{ ...lark, vendor: 'Alpine:v3.22', status: 'not_affected', fixed: null }] },
      },
    ])
    expect(await listQueued()).toEqual(['CVE-2024-0001', 'CVE-2024-0002'])
  })

  it.each([
    ['CVE-2018-7540 XSA-252', ['CVE-2018-7540']],
    ['CVE-2019-17349 CVE-2019-17350 XSA-295', ['CVE-2019-17349', 'CVE-2019-17350']],
    ['CVE-2018-14881 (BGP)', ['CVE-2018-14881']],
    ['XSA-248', ['XSA-248']],
    ['VSV00010', ['VSV00010']],
    ['CVE-????-????? XSA-312', ['XSA-312']],
    ['XSA-1 GHSA-572g-rvwr-6c7f', ['GHSA-572g-rvwr-6c7f']],
  ])('reads the ids of the entry %s', async (entry, ids) => {
    await importFiles(wolfi, { 'wolfi-security.json': secdb({ lark: { '1.0-r1': [entry] } }) })
    expect((await listStored()).map(({ id }) => id)).toEqual(ids)
  })

  it.each(['CVE-46838', 'CVE_2019-2426', 'CVE-2021-35940.patch', 'none'])(
    'rejects the entry %s, which is no id, and names the package',
    async (entry) => {
      const file = secdb({
        lark: { '1.0-r1': [entry, ...Array.from({ length: 99 }, (_, i) => `CVE-2024-${1000 + i}`)] },
      })
      const report = await importFiles(wolfi, { 'wolfi-security.json': file })
      expect(report).toMatchObject({ outcome: 'succeeded', written: 99, rejected: 1 })
      expect(await listRejections()).toMatchObject([{ subject: 'lark 1.0-r1', reason: `"${entry}" is not an id` }])
    },
  )

  it('writes nothing when only the time of the import differs', async () => {
    const file = { 'wolfi-security.json': secdb({ lark: { '1.0-r1': ['CVE-2024-0001'] } }) }
    await importFiles(wolfi, file)
    expect(await importFiles(wolfi, file)).toMatchObject({ written: 0, unchanged: 1 })
  })

  it('keeps the record of a vulnerability if one of its packages cannot be read', async () => {
    const ids = Array.from({ length: 99 }, (_, index) => `CVE-2024-${1000 + index}`)
    const write = (wren: object) => ({ 'wolfi-security.json': secdb({ lark: { '1.0-r1': ids }, wren: wren as never }) })
    await importFiles(wolfi, write({ '2.0-r0': ['CVE-2024-1001'] }))
    const before = await listStored()

    const report = await importFiles(wolfi, write({ '2.0-r0': 'CVE-2024-1001' }))
    expect(report).toMatchObject({ outcome: 'succeeded', written: 0, removed: 0, rejected: 1 })
    expect(await listStored()).toEqual(before)
  })

  it.each([
    ['a package without a name', JSON.stringify({ packages: [{ pkg: { secfixes: {} } }] })],
    ['an empty list', JSON.stringify({ packages: [] })],
    ['no list', JSON.stringify({ reponame: 'main' })],
  ])('refuses a document with %s and keeps the stored records', async (_, text) => {
    await importFiles(wolfi, { 'wolfi-security.json': secdb({ lark: { '1.0-r1': ['CVE-2024-0001'] } }) })
    const report = await importFiles(wolfi, { 'wolfi-security.json': text })
    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.error).toContain('wolfi-security.json')
    expect(await listStored()).toHaveLength(1)
  })

  it('refuses a database that has lost a branch', async () => {
    const many = { lark: { '1.0-r1': Array.from({ length: 50 }, (_, index) => `CVE-2024-${1000 + index}`) } }
    const other = { wren: { '1.0-r1': Array.from({ length: 50 }, (_, index) => `CVE-2024-${2000 + index}`) } }
    const file = { 'alpine-v3.22-main.json': secdb(many, 'v3.22') }
    await importFiles(alpine, { ...file, 'alpine-v3.23-main.json': secdb(other, 'v3.23') })
    const report = await importFiles(alpine, file)
    expect(report).toMatchObject({ outcome: 'refused', removed: 0 })
    expect(await listStored()).toHaveLength(100)
  })
})

describe('Secdb feeds: downloading', () => {
  it('reads nothing if no document has changed, and all of them if one has', async () => {
    const upstream = await startUpstream()
    const { documents } = SECDB_SOURCES.alpine
    const [changing = ''] = documents
    const serve = (document: string, version: string) => {
      const branch = document.split('/', 1)[0]
      const content = secdb({ lark: { [version]: ['CVE-2024-0001'] } }, branch)
      upstream.serve(`/${document}`, behaviours.validates(`"${version}"`, content))
    }
    for (const document of documents) serve(document, '1.0-r1')
    const feed = secdbFeed('alpine', { url: upstream.url })
    const runOnline = () => run(feed, { openDownload: () => createTestDownload([upstream]) })

    expect(await runOnline()).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect(await runOnline()).toMatchObject({ outcome: 'succeeded', read: 0 })
    expect(upstream.requests()).toHaveLength(2 * documents.length)

    serve(changing, '1.0-r2')
    expect(await runOnline()).toMatchObject({ outcome: 'succeeded', written: 1 })
    const products = (await listStored())[0]?.record['products'] as readonly { readonly fixed: string }[]
    expect(products).toHaveLength(documents.length)
    expect(products.filter(({ fixed }) => fixed === '1.0-r2')).toHaveLength(1)
  })

  it('has a setting for the address of each database', () => {
    expect(secdbDefinitions.alpine.settings).toMatchObject([
      { name: 'FEED_ALPINE_URL', fallback: 'https://secdb.alpinelinux.org' },
    ])
  })
})

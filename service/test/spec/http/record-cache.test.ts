import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { followChanges } from '../../../src/record/cache/follow-changes.ts'
import { cve, epssRelease, withdrawnCve } from '../../support/catalog/cve-builder.ts'
import { rewriteUnlogged } from '../../support/catalog/unlogged-change.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { createTestDatabase } from '../../support/database.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService()
const { api, given } = service

function openTestPool(url: string) {
  const limits = { poolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
  const pool = openPool(url, 'cache-test', limits, () => {})
  cleanUpAfterTests(() => pool.close())
  return pool.db
}

const db = openTestPool(service.database.url)

const get = (id: string, query = '') => api.get(`/api/v1/cve/${id}${query}`)
const readDescription = async (id: string) => (await get(id)).json.data?.cve.description

const readBatch = (ids: readonly string[], options: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  api.send('POST', '/api/v1/cve/batch', {
    body: JSON.stringify({ cve_ids: ids, ...options }),
    headers: { 'Content-Type': 'application/json', ...headers },
  })
const readData = async (ids: readonly string[], options: object = {}) => (await readBatch(ids, options)).json.data
const readInBatch = async (id: string) => (await readData([id])).cves[id]?.description

const [A, B, C] = ['CVE-2026-3000', 'CVE-2026-3001', 'CVE-2026-3002']
const within = { timeout: 60_000, interval: 50 }

await given(
  ...['CVE-2026-1000', 'CVE-2026-1001', 'CVE-2026-1004'].map((id) => cve(id, { description: 'First.' })),
  cve('CVE-2026-1003', { epss: [0.1, 0.2] }),
  cve(A, { description: 'First.' }),
  cve(B, { description: 'First.', isEnriched: false }),
  cve(C, { epss: [0.1, 0.2] }),
)
// Waits for more than 2 s. A node uses its cache only if it has polled the change log within the last 2 s, so a node
// that caches after this wait has read the new CVEs in the change log.
await sleep(2100)

let rewrites = 0

/**
 * Waits until the node has cached the CVE, and returns the cached description. The CVE is cached when a database change
 * without an entry in the change log is not visible in the response.
 */
async function waitUntilCached(id: string, read = readDescription): Promise<string> {
  let text = ''
  const isCached = async () => {
    text = await read(id)
    rewrites += 1
    await rewriteUnlogged(db, id, `Unlogged change ${rewrites}.`)
    return (await read(id)) === text
  }
  await expect.poll(isCached, within).toBe(true)
  return text
}

describe('POST /api/v1/cve/batch: records in memory', () => {
  it('answers from memory just as from the database, with any encoding and with duplicate ids', async () => {
    // An answer with `fields` is always read from the database. Nothing changes the CVEs between it and the answer from
    // memory, so both must be equal.
    const fields = Object.keys((await readData([A])).cves[A])
    for (const id of [A, B, C]) await waitUntilCached(id, readInBatch)
    await given(...[A, B, C].map((id) => cve(id, { description: 'Same.', isEnriched: id !== B })))
    await expect.poll(() => readInBatch(A), within).toBe('Same.')
    for (const ids of [
      [A, B, C],
      [C, A],
      [B, A, B],
    ]) {
      const read = await readData(ids, { fields })
      const cached = await readData(ids)
      expect(cached).toEqual(read)
      expect(Object.keys(cached.cves)).toEqual(Object.keys(read.cves))
      const compressed = await readBatch(ids, {}, { 'Accept-Encoding': 'gzip' })
      expect(compressed.headers['content-encoding']).toBe('gzip')
      expect(compressed.json.data).toEqual(read)
    }
  })

  it('reads the database for an unknown id, for other members, for a sort order and for a severity', async () => {
    const text = await waitUntilCached(A, readInBatch)
    await rewriteUnlogged(db, A, 'In the database.')
    const readOther = async (ids: readonly string[], options: object) => (await readData(ids, options)).cves[A]
    expect(await readInBatch(A)).toBe(text)
    expect((await readOther([A, 'CVE-2026-9999'], {})).description).toBe('In the database.')
    expect((await readOther([A], { fields: ['description'] })).description).toBe('In the database.')
    expect((await readOther([A], { sort: 'severity_desc' })).description).toBe('In the database.')
    expect(await readData([A], { severity: ['low'] })).toMatchObject({ count: 0, filtered_out: [A] })
  })

  it('returns the current version of a CVE that is published again, removed or scored again', async () => {
    await waitUntilCached(A, readInBatch)
    await given(cve(A, { description: 'Second.' }))
    await expect.poll(() => readInBatch(A), within).toBe('Second.')
    await waitUntilCached(B, readInBatch)
    await given(withdrawnCve(B))
    await expect.poll(async () => (await readData([A, B])).not_found, within).toEqual([B])
    await waitUntilCached(C, readInBatch)
    await given(epssRelease('2026-08-22', { [C]: [0.3, 0.4] }))
    await expect
      .poll(async () => (await readData([C])).cves[C].epss, within)
      .toEqual({ score: 0.3, percentile: 0.4, date: '2026-08-22' })
  })
})

describe('GET /api/v1/cve: record cache', () => {
  it('serves a cached CVE without reading the database', async () => {
    const text = await waitUntilCached('CVE-2026-1000')
    await rewriteUnlogged(db, 'CVE-2026-1000', 'Another unlogged change.')
    expect(await readDescription('CVE-2026-1000')).toBe(text)
  })

  it('serves a cached CVE with any fields, with any encoding and with a new correlation id each time', async () => {
    await waitUntilCached('CVE-2026-1000')
    const path = '/api/v1/cve/CVE-2026-1000'
    const queries = ['', '?fields=cve_id', '?include=attack', '?fields=cve_id', '']
    const ids = new Set<string>()
    for (const query of queries) {
      const plain = await api.get(path + query, { headers: { 'Accept-Encoding': 'identity' } })
      const compressed = await api.get(path + query, { headers: { 'Accept-Encoding': 'gzip' } })
      expect(compressed.headers['content-encoding']).toBe('gzip')
      expect(compressed.json.data).toEqual(plain.json.data)
      expect(Object.keys(plain.json.data.cve).length === 1, query).toBe(query === '?fields=cve_id')
      expect('attack' in plain.json.data.cve, query).toBe(query === '?include=attack')
      for (const { json } of [plain, compressed]) ids.add(json.meta.correlationId)
    }
    expect(ids.size).toBe(2 * queries.length)
  })

  it('sends the correct Content-Length for a cached CVE, and no body for HEAD', async () => {
    await waitUntilCached('CVE-2026-1000')
    const path = '/api/v1/cve/CVE-2026-1000'
    const headers = { 'Accept-Encoding': 'identity' }
    const [whole, none] = [await api.get(path, { headers }), await api.send('HEAD', path, { headers })]
    expect(whole.headers['content-length']).toBe(String(whole.raw.length))
    expect([none.status, none.headers['content-length'], none.raw.length]).toEqual([200, String(whole.raw.length), 0])
  })

  it('evicts a cached CVE when it is published again', async () => {
    await waitUntilCached('CVE-2026-1001')
    const { etag } = (await get('CVE-2026-1001')).headers
    await given(cve('CVE-2026-1001', { description: 'Second.' }))
    await expect.poll(() => readDescription('CVE-2026-1001'), within).toBe('Second.')
    const stale = await api.get('/api/v1/cve/CVE-2026-1001', { headers: { 'If-None-Match': etag } })
    expect(stale.status, 'an old ETag no longer matches').toBe(200)
  })

  it('evicts a cached 404 when the CVE is added, and the CVE when it is removed', async () => {
    const status = async () => (await get('CVE-2026-1002')).status
    expect(await status()).toBe(404)
    await given(cve('CVE-2026-1002'))
    await expect.poll(status, within).toBe(200)
    await given(withdrawnCve('CVE-2026-1002'))
    await expect.poll(status, within).toBe(404)
  })

  it('serves new EPSS scores with the cached documents', async () => {
    const description = await waitUntilCached('CVE-2026-1003')
    await given(epssRelease('2026-08-22', { 'CVE-2026-1003': [0.3, 0.4] }))
    await expect
      .poll(async () => (await get('CVE-2026-1003', '?fields=description,epss')).json.data.cve, within)
      .toEqual({ description, epss: { score: 0.3, percentile: 0.4, date: '2026-08-22' } })
  })

  it('is bypassed while the change log cannot be read, and is cleared afterwards', async () => {
    const id = 'CVE-2026-1004'
    await waitUntilCached(id)
    await sql`alter table catalog.change rename to change_out_of_reach`.execute(db)
    await rewriteUnlogged(db, id, 'Second.')
    await expect.poll(() => readDescription(id), within).toBe('Second.')
    expect(service.logLines.some((line) => line.includes('reading the change log failed'))).toBe(true)
    await rewriteUnlogged(db, id, 'Third.')
    expect(await readDescription(id), 'every response is read from the database').toBe('Third.')
    await sql`alter table catalog.change_out_of_reach rename to change`.execute(db)
    await expect
      .poll(() => service.logLines.some((line) => line.includes('reading the change log works again')), within)
      .toBe(true)
    expect(await readDescription(id), 'no entry from before the outage is left').toBe('Third.')
    await waitUntilCached(id)
  })
})

describe('Change log follower', () => {
  it('reports each change once, and evicts all records after a bulk load and after the log was replaced', async () => {
    const { url } = await createTestDatabase()
    const own = openTestPool(url)
    const events: string[] = []
    const following = followChanges(
      own,
      {
        evict: (key) => events.push(key),
        evictKevAndEpss: () => events.push('kev and epss'),
        evictAll: () => events.push('all'),
        advance: () => {},
      },
      { onError: (error) => events.push(String(error)), onRecovery: () => events.push('recovered') },
    )
    cleanUpAfterTests(() => following.stop())
    const write = (kind: string, key: string | null) =>
      sql`insert into catalog.change (cve_key, kind) values (${key}, ${kind})`.execute(own)
    // A follower that could not poll for 2 s reports that all records may have changed. In that case, the change is
    // repeated.
    const expectEvents = (change: () => Promise<unknown>, ...expected: string[]) =>
      expect
        .poll(async () => {
          await change()
          for (let waited = 0; events.length < expected.length && waited < 100; waited += 1) await sleep(50)
          return events.splice(0)
        }, within)
        .toEqual(expected)

    await expectEvents(async () => {}, 'all')
    expect(following.isCurrent()).toBe(true)
    const writeThree = () =>
      own.transaction().execute(async (tx) => {
        for (const key of ['1', '2', null]) {
          await sql`insert into catalog.change (cve_key, kind) values (${key}, ${key ? 'changed' : 'epss'})`.execute(tx)
        }
      })
    await expectEvents(writeThree, '1', '2', 'kev and epss')
    await expectEvents(() => write('kev', null), 'kev and epss')
    await expectEvents(() => write('changed', null), 'all')
    const writeMany = () =>
      sql`insert into catalog.change (cve_key, kind) select n, 'added' from generate_series(1, 10001) as n`.execute(own)
    await expectEvents(writeMany, 'all')
    await expectEvents(() => write('removed', '7'), '7')
    await expectEvents(() => sql`delete from catalog.change`.execute(own), 'all')
    await following.stop()
    await write('changed', '8')
    await sleep(700)
    expect(events, 'reports nothing after it was stopped').toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { cve, epssRelease, withdrawnCve } from '../../support/catalog/cve-builder.ts'
import { rewriteUnlogged } from '../../support/catalog/unlogged-change.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService()
const { api, given } = service
const limits = { poolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const pool = openPool(service.database.url, 'batch-cache-test', limits, () => {})
cleanUpAfterTests(() => pool.close())

const [A, B, C] = ['CVE-2026-1000', 'CVE-2026-1001', 'CVE-2026-1002']
const within = { timeout: 60_000, interval: 50 }

const readBatch = (ids: readonly string[], options: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  api.send('POST', '/api/v1/cve/batch', {
    body: JSON.stringify({ cve_ids: ids, ...options }),
    headers: { 'Content-Type': 'application/json', ...headers },
  })
const readData = async (ids: readonly string[], options: object = {}) => (await readBatch(ids, options)).json.data
const readDescription = async (id: string) => (await readData([id])).cves[id]?.description

await given(
  cve(A, { description: 'First.' }),
  cve(B, { description: 'First.', isEnriched: false }),
  cve(C, { epss: [0.1, 0.2] }),
)

let rewrites = 0

/** Waits until a change that the change log does not name is not visible in the response, and returns the description. */
async function waitUntilCached(id: string): Promise<string> {
  let text = ''
  const isCached = async () => {
    text = await readDescription(id)
    rewrites += 1
    await rewriteUnlogged(pool.db, id, `Unlogged change ${rewrites}.`)
    return (await readDescription(id)) === text
  }
  await expect.poll(isCached, within).toBe(true)
  return text
}

describe('POST /api/v1/cve/batch: records in memory', () => {
  it('answers from memory as from the database, with any encoding and with duplicate ids', async () => {
    // An answer with `fields` is always read from the database. Nothing changes the CVEs between it and the answer from
    // memory, so both must be equal.
    const fields = Object.keys((await readData([A])).cves[A])
    for (const id of [A, B, C]) await waitUntilCached(id)
    await given(...[A, B, C].map((id) => cve(id, { description: 'Same.', isEnriched: id !== B })))
    await expect.poll(() => readDescription(A), within).toBe('Same.')
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
    const text = await waitUntilCached(A)
    await rewriteUnlogged(pool.db, A, 'In the database.')
    const readOther = async (ids: readonly string[], options: object) => (await readData(ids, options)).cves[A]
    expect(await readDescription(A)).toBe(text)
    expect((await readOther([A, 'CVE-2026-9999'], {})).description).toBe('In the database.')
    expect((await readOther([A], { fields: ['description'] })).description).toBe('In the database.')
    expect((await readOther([A], { sort: 'severity_desc' })).description).toBe('In the database.')
    expect(await readData([A], { severity: ['low'] })).toMatchObject({ count: 0, filtered_out: [A] })
  })

  it('shows a CVE that is published again, removed or scored again', async () => {
    await waitUntilCached(A)
    await given(cve(A, { description: 'Second.' }))
    await expect.poll(() => readDescription(A), within).toBe('Second.')
    await waitUntilCached(B)
    await given(withdrawnCve(B))
    await expect.poll(async () => (await readData([A, B])).not_found, within).toEqual([B])
    await waitUntilCached(C)
    await given(epssRelease('2026-08-22', { [C]: [0.3, 0.4] }))
    await expect
      .poll(async () => (await readData([C])).cves[C].epss, within)
      .toEqual({ score: 0.3, percentile: 0.4, date: '2026-08-22' })
  })
})

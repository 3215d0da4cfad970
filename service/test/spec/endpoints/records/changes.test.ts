import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { openPool } from '../../../../src/database/postgres.ts'
import { listRanks } from '../../../../src/domain/priority/policy.ts'
import { createCatalogHarness } from '../../../catalog/catalog-setup.ts'
import { nvdRating, nvdRecord } from '../../../catalog/source-fixtures.ts'
import { account, createTestKey } from '../../../support/builders.ts'
import { emptyChangeLog, type LoggedChange, logChange } from '../../../support/catalog/change-log.ts'
import { cve, epssRelease, requireCveKey, withdrawnCve } from '../../../support/catalog/cve-builder.ts'
import { cleanUpAfterTests } from '../../../support/cleanup.ts'
import { startTestService } from '../../../support/service.ts'

const service = await startTestService({ environment: { DATABASE_POOL_SIZE: '2' } })
const { api, given } = service
const pool = openPool(
  service.database.url,
  'changes-test',
  { poolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 },
  () => {},
)
cleanUpAfterTests(() => pool.close())

const log = (row: LoggedChange) => logChange(pool.db, row)
const emptyLog = () => emptyChangeLog(pool.db)
const get = (query: string, options?: Parameters<typeof api.get>[1]) => api.get(`/api/v1/changes?${query}`, options)
const read = async (query: string) => (await get(query)).json.data
const readNow = async (): Promise<string> => (await read('since=now')).next_since
const listIds = (data: { changes: { cve_id: string }[] }) => data.changes.map(({ cve_id }) => cve_id)

const ID = 'CVE-2026-1000'
const [FIRST, SECOND, THIRD] = ['CVE-2026-5001', 'CVE-2026-5002', 'CVE-2026-5003']
const within = { timeout: 20_000, interval: 50 }

/**
 * Waits until the node has read the change log up to its newest row, so that it can answer from memory. The previous
 * test must have left a different number of rows: otherwise the node would seem to have read this log while it still
 * has the old one.
 */
async function waitUntilFollowed(): Promise<void> {
  const newest = await readNow()
  await expect
    .poll(
      async () => (await service.metrics.text()).includes(`vis_change_log_position ${newest.split(':')[0]}`),
      within,
    )
    .toBe(true)
}

function readConnections(metrics: string, state: string): number {
  const line = metrics.split('\n').find((each) => each.includes('pool="reads"') && each.includes(`state="${state}"`))
  return Number(line?.split(' ').at(-1))
}

beforeEach(emptyLog)

describe('GET /api/v1/changes', () => {
  it("lists the changes after a position with types, old and new values, and the record's members", async () => {
    await log({
      id: ID,
      types: ['kev_updated', 'ransomware_added'],
      fields: ['decision_facts', 'more_evidence', 'kev', 'detail', 'affected'],
      diff: { 'kev.knownRansomware': { old: false, new: true } },
    })
    const data = await read('since=start')
    expect(data).toMatchObject({
      changes: [
        {
          seq: 1,
          cve_id: ID,
          types: ['kev_updated', 'ransomware_added'],
          cause: 'data',
          fields: ['kev', 'exploits', 'priority', 'detail', 'affected'],
          diff: { 'kev.knownRansomware': { old: false, new: true } },
        },
      ],
      has_more: false,
    })
    expect(data.next_since).toMatch(/^1:[0-9a-f]{16}$/)
    expect([data.newest, data.oldest]).toEqual([data.next_since, data.next_since])
    expect(await read(`since=${data.next_since}`)).toMatchObject({ changes: [], next_since: data.next_since })
  })

  it('names the CVE of a KEV entry with a new ransomware flag and of a removed entry, with old and new values', async () => {
    const catalog = await createCatalogHarness(service.database.url)
    const [flagged, removed] = ['CVE-2026-3001', 'CVE-2026-3002']
    const metrics = { cvssMetricV31: [nvdRating('CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.8)] }
    for (const id of [flagged, removed]) await catalog.storeRecord('nvd', id, nvdRecord(id, { metrics }))
    const entry = { cveId: flagged, knownRansomware: false }
    await catalog.storeKev([entry, { cveId: removed, knownRansomware: true }])
    await catalog.publish()
    const before = await readNow()
    await catalog.storeKev([{ ...entry, knownRansomware: true }])
    await catalog.publish()
    const { changes } = await read(`since=${before}`)
    expect(changes).toMatchObject([
      {
        cve_id: flagged,
        types: ['kev_updated', 'maturity_raised', 'priority_raised', 'ransomware_added'],
        cause: 'data',
        fields: expect.arrayContaining(['kev', 'detail']),
        diff: {
          'kev.knownRansomware': { old: false, new: true },
          'priority.level': { old: 'P1', new: 'P0' },
        },
      },
      {
        cve_id: removed,
        types: ['kev_removed', 'priority_lowered'],
        cause: 'data',
        fields: expect.arrayContaining(['modified', 'kev', 'enrichment', 'detail']),
        diff: {
          'kev.dateAdded': { old: '2026-08-19', new: null },
          'priority.level': { old: 'P0', new: expect.stringMatching(/^P[1-4]$/) },
        },
      },
    ])
  })

  it('filters by type, and moves past the other changes', async () => {
    await log({ id: 'CVE-2026-1001', types: ['kev_added', 'priority_raised'] })
    await log({ id: 'CVE-2026-1002', types: ['score_changed'] })
    const data = await read('since=start&types=kev_added,kev_removed')
    expect(listIds(data)).toEqual(['CVE-2026-1001'])
    expect(data).toMatchObject({ next_since: data.newest, has_more: false })
  })

  it('lists and counts changes of advisories without a CVE only if types names them', async () => {
    const diff = { 'advisory.id': { old: null, new: 'GHSA-jfh8-c2jp-5v3q' } }
    await log({ kind: 'advisory', types: ['advisory_published'], diff })
    await log({ id: ID, types: ['score_changed'] })
    expect(listIds(await read('since=start'))).toEqual([ID])
    const named = await read('since=start&types=advisory_published')
    expect(named.changes).toMatchObject([{ cve_id: null, types: ['advisory_published'], diff }])
    const { json } = await api.get('/api/v1/changes/summary?since=start')
    expect(json.data).toMatchObject({ changes_total: 1, by_type: { score_changed: 1 } })
  })

  it('does not end a wait for a change of an advisory that types does not name', async () => {
    await waitUntilFollowed()
    const position = await readNow()
    await log({ kind: 'advisory', types: ['advisory_published'] })
    await waitUntilFollowed()
    const startedAt = performance.now()
    expect((await read(`since=${position}&wait=1`)).changes).toEqual([])
    expect(performance.now() - startedAt).toBeGreaterThan(900)
  })

  const logOthers = (count: number) =>
    sql`insert into catalog.change (cve_key, kind) select n, 'added' from generate_series(1, ${count}::integer) as n`.execute(
      pool.db,
    )

  it('finds the changes of a rare type behind many others in one call', async () => {
    await logOthers(10_001)
    await log({ id: ID, types: ['kev_added'] })
    const data = await read('since=start&types=kev_added')
    expect(listIds(data)).toEqual([ID])
    expect(data).toMatchObject({ has_more: false, next_since: data.newest })
  })

  it('finds the changes of a common type behind many others in one call', async () => {
    await logOthers(20_000)
    for (const id of [FIRST, SECOND]) await log({ id, types: ['score_changed'] })
    const first = await read('since=start&types=score_changed&limit=1')
    expect([listIds(first), first.next_since]).toEqual([[FIRST], expect.stringMatching(/^20001:/)])
    expect(listIds(await read(`since=${first.next_since}&types=score_changed,kev_added`))).toEqual([SECOND])
  })

  it('filters by the current record, and leaves out removed CVEs and changes of all CVEs', async () => {
    await given(cve(FIRST, { products: ['fortinet/fortios'], kev: {} }), cve(SECOND, { products: ['acme/gate'] }))
    await emptyLog()
    for (const id of [FIRST, SECOND, ID, null]) await log({ id })
    expect(listIds(await read('since=start&product_vendor=fortinet'))).toEqual([FIRST])
    expect(listIds(await read('since=start&product=gate,fortios'))).toEqual([FIRST, SECOND])
    expect(listIds(await read('since=start&kev=false'))).toEqual([SECOND])
    expect(await read('since=start&product_vendor=nobody')).toMatchObject({ changes: [], has_more: false })
  })

  it("filters by a CVE's current level", async () => {
    await given(cve('CVE-2026-2001', { kev: {} }), cve('CVE-2026-2002'))
    await sql`truncate catalog.change restart identity`.execute(pool.db)
    await sql`update catalog.cve set priority = (case when cve_key = ${requireCveKey('CVE-2026-2001')} then ${listRanks('P0').min}::integer else ${listRanks('P1').max} end)::smallint`.execute(
      pool.db,
    )
    for (const id of ['CVE-2026-2001', 'CVE-2026-2002', null]) await log({ id })
    expect(listIds(await read('since=start&min_level=P0'))).toEqual(['CVE-2026-2001'])
    expect(listIds(await read('since=start&min_level=P1'))).toEqual(['CVE-2026-2001', 'CVE-2026-2002'])
    expect(listIds(await read('since=start'))).toEqual(['CVE-2026-2001', 'CVE-2026-2002', null])
  })

  it('omits changes by rules and operators unless cause=all', async () => {
    await log({ id: 'CVE-2026-1001', cause: 'rules' })
    await log({ id: 'CVE-2026-1002', cause: 'reload' })
    await log({ id: 'CVE-2026-1003' })
    expect(listIds(await read('since=start'))).toEqual(['CVE-2026-1003'])
    expect(listIds(await read('since=start&cause=all'))).toHaveLength(3)
  })
})

describe('GET /api/v1/changes/records', () => {
  const readRecords = async (query: string) => (await api.get(`/api/v1/changes/records?${query}`)).json.data
  const listRecords = (data: { records: { cve_id: string }[] }) => data.records.map(({ cve_id }) => cve_id)

  beforeEach(async () => {
    await given(...[FIRST, SECOND, THIRD].map((id) => cve(id)))
    await emptyLog()
  })

  it('marks a CVE that is no longer in the catalog', async () => {
    await given(withdrawnCve(SECOND))
    await log({ id: FIRST })
    expect((await readRecords('since=start')).records).toMatchObject([
      { cve_id: SECOND, gone: true },
      { cve_id: FIRST, gone: false },
    ])
  })

  it('moves the position only past changes whose records it returned', async () => {
    for (const id of [FIRST, SECOND, FIRST, THIRD, SECOND]) await log({ id })
    const first = await readRecords('since=start&limit=2')
    expect(listRecords(first)).toEqual([FIRST, SECOND])
    expect(first).toMatchObject({ has_more: true, next_since: expect.stringMatching(/^3:/) })
    const second = await readRecords(`since=${first.next_since}&limit=2`)
    expect(listRecords(second)).toEqual([THIRD, SECOND])
    expect(second).toMatchObject({ has_more: false, next_since: second.newest })
  })

  it('contains changes of every cause, and reports changes that affect all CVEs', async () => {
    await log({ id: FIRST, cause: 'rules' })
    await given(epssRelease('2026-08-22', { [FIRST]: [0.3, 0.4] }))
    const data = await readRecords('since=start')
    expect(listRecords(data)).toEqual([FIRST])
    expect(data.dataset_changes).toMatchObject([{ cve_id: null }])
  })

  it('answers 410 for the start of a log that is no longer complete', async () => {
    await log({ id: FIRST })
    await sql`update catalog.change_floor set complete_seq = 1`.execute(pool.db)
    expect((await api.get('/api/v1/changes/records?since=start')).status).toBe(410)
  })
})

describe('GET /api/v1/changes/summary', () => {
  const readSummary = async (query: string) => (await api.get(`/api/v1/changes/summary?${query}`)).json.data

  it('counts the changes between two positions by type and cause', async () => {
    await log({ id: FIRST, types: ['kev_added', 'priority_raised'] })
    const { next_since: middle } = (await api.get('/api/v1/changes?since=start')).json.data
    await log({ id: FIRST, types: ['score_changed'] })
    await log({ id: SECOND, types: ['score_changed'], cause: 'rules' })
    expect(await readSummary('since=start')).toMatchObject({
      changes_total: 3,
      cves_total: 2,
      by_type: { kev_added: 1, priority_raised: 1, score_changed: 2 },
      by_cause: { data: 2, rules: 1, reload: 0 },
      has_more: false,
    })
    expect(await readSummary(`since=${middle}`)).toMatchObject({ changes_total: 2, by_type: { score_changed: 2 } })
    expect(await readSummary(`since=start&until=${middle}`)).toMatchObject({ changes_total: 1, until: middle })
  })

  it('answers 410 for an unknown end, and 400 for an end before the beginning', async () => {
    await log({ id: FIRST })
    const newest = (await api.get('/api/v1/changes?since=now')).json.data.newest
    expect((await api.get('/api/v1/changes/summary?since=start&until=1:00000000000000aa')).status).toBe(410)
    const { status, json } = await api.get(`/api/v1/changes/summary?since=${newest}&until=0:0000000000000000`)
    expect([status, json.error.parameter]).toEqual([400, 'since'])
  })
})

describe('GET /api/v1/changes: positions from which the log cannot continue', () => {
  it("answers 410 for a position after the end of a primary's log", async () => {
    await log({ id: ID })
    expect((await get('since=7:00000000000000aa')).status).toBe(410)
  })

  it('answers 410 for a position in a log that was replaced and has since grown past it', async () => {
    await log({ id: ID })
    const position = await readNow()
    await waitUntilFollowed()
    await sql`truncate catalog.change restart identity`.execute(pool.db)
    for (let count = 0; count < 3; count += 1) await log({ id: ID })
    await expect.poll(async () => (await get(`since=${position}`)).status, within).toBe(410)
  })

  it('answers 410 for a position that retention deleted, and for one before a deleted change', async () => {
    for (const cause of ['data', 'data', 'rules', 'data']) await log({ id: ID, cause })
    const positions: string[] = []
    for (let since = 'start'; positions.length < 4; since = positions.at(-1) ?? '')
      positions.push((await read(`since=${since}&limit=1&cause=all`)).next_since)
    const [first, second, third, fourth] = positions
    await sql`delete from catalog.change where seq in (1, 3)`.execute(pool.db)
    await sql`update catalog.change_floor set data_seq = 1, complete_seq = 3`.execute(pool.db)
    await log({ id: ID })
    await sleep(1500)
    const statusOf = async (since: string | undefined, cause: string) =>
      (await get(`since=${since}&cause=${cause}`)).status
    expect(await statusOf(first, 'data'), 'its row is deleted').toBe(410)
    expect(await statusOf(second, 'data'), 'every change of data is kept').toBe(200)
    expect(await statusOf(second, 'all'), 'a change by rules after it is deleted').toBe(410)
    expect(await statusOf(third, 'data'), 'its row is deleted').toBe(410)
    expect(await statusOf(fourth, 'all')).toBe(200)
  })
})

describe('GET /api/v1/changes: wait', () => {
  it('answers within 1.5 s of a change, and charges the call only then', async () => {
    const key = createTestKey()
    await given(account('pro').withKey(key))
    await log({ id: 'CVE-2026-0001' })
    const now = await readNow()
    await waitUntilFollowed()
    const used = async () => (await api.get('/api/v1/usage', { key: key.key })).json.data.usage.credits_used
    const waiting = get(`since=${now}&wait=20`, { key: key.key })
    await sleep(700)
    expect(await used(), 'a waiting call costs nothing').toBe(0)
    await log({ id: ID })
    const startedAt = performance.now()
    const { json } = await waiting
    expect(performance.now() - startedAt).toBeLessThan(1500)
    expect(listIds(json.data)).toEqual([ID])
    expect(await used()).toBe(1)
  })

  it('does not end on changes that the filter does not accept', async () => {
    await log({ id: ID })
    const now = await readNow()
    await waitUntilFollowed()
    const waiting = get(`since=${now}&wait=20&types=kev_added`)
    await log({ id: ID, types: ['score_changed'] })
    await sleep(1000)
    await log({ id: ID, types: ['kev_added'] })
    expect((await waiting).json.data.changes).toMatchObject([{ types: ['kev_added'] }])
  })

  it('ends with a free 304 for the ETag of an empty response, otherwise with a charged empty response', async () => {
    const key = createTestKey()
    await given(account('pro').withKey(key))
    await log({ id: ID })
    const now = await readNow()
    await waitUntilFollowed()
    const used = async () => (await api.get('/api/v1/usage', { key: key.key })).json.data.usage.credits_used
    const path = `since=${now}&types=kev_added&wait=1`
    const startedAt = performance.now()
    const empty = await get(path, { key: key.key })
    expect(performance.now() - startedAt).toBeGreaterThan(900)
    expect([empty.status, empty.json.data.changes, await used()]).toEqual([200, [], 1])
    await log({ id: ID, types: ['score_changed'] })
    const headers = { 'If-None-Match': empty.headers['etag'] }
    expect((await get(path, { key: key.key, headers })).status).toBe(304)
    expect(await used()).toBe(1)
    await log({ id: ID, types: ['kev_added'] })
    expect((await get(path, { key: key.key, headers })).status, 'there is a change now').toBe(200)
  })

  it('lets 16 calls from an account wait at once, without a database connection, and refuses more', async () => {
    const key = createTestKey()
    await given(account('pro').withKey(key))
    await log({ id: ID })
    const now = await readNow()
    await waitUntilFollowed()
    const waiting = Array.from({ length: 16 }, () => get(`since=${now}&wait=20`, { key: key.key }))
    await sleep(1000)
    const refused = await get(`since=${now}&wait=20`, { key: key.key })
    expect([refused.status, refused.json.error.message]).toEqual([503, expect.stringContaining('16 calls that wait')])
    expect((await get(`since=${now}`, { key: key.key })).status, 'a call without wait is answered').toBe(200)
    const metrics = await service.metrics.text()
    const inUse = ['total', 'idle'].map((state) => readConnections(metrics, state)).reduce((all, idle) => all - idle)
    expect(inUse, 'no connection of the pool is in use').toBe(0)
    await log({ id: ID })
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]))
  })

  // Must be the last test: the node stays draining.
  it('ends at once when the node is drained', async () => {
    await log({ id: ID })
    const now = await readNow()
    await waitUntilFollowed()
    const waiting = get(`since=${now}&wait=20`)
    await sleep(500)
    const startedAt = performance.now()
    service.startDraining()
    expect((await waiting).status).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(1000)
    expect((await get(`since=${now}&wait=20`)).status, 'a later call does not wait').toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })
})

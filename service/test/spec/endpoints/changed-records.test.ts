import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { cve, epssRelease, requireCveKey, withdrawnCve } from '../../support/catalog/cve-builder.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService()
const { api, given } = service
const pool = openPool(
  service.database.url,
  'records-test',
  { poolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 },
  () => {},
)
cleanUpAfterTests(() => pool.close())

const IDS = ['CVE-2026-1000', 'CVE-2026-1001', 'CVE-2026-1002']
const readRecords = async (query: string) => (await api.get(`/api/v1/changes/records?${query}`)).json.data
const readSummary = async (query: string) => (await api.get(`/api/v1/changes/summary?${query}`)).json.data
const listIds = (data: { records: { cve_id: string }[] }) => data.records.map(({ cve_id }) => cve_id)

async function log(id: string, types: readonly string[], cause = 'data'): Promise<void> {
  await sql`
    insert into catalog.change (cve_key, kind, types, cause)
    values (${requireCveKey(id)}, 'changed', ${types}::text[], ${cause})
  `.execute(pool.db)
}

beforeEach(async () => {
  await given(...IDS.map((id) => cve(id)))
  await sql`truncate catalog.change restart identity`.execute(pool.db)
  await sql`update catalog.change_floor set data_seq = 0, complete_seq = 0`.execute(pool.db)
})

describe('GET /api/v1/changes/records', () => {
  it('returns the current record of each changed CVE once, with all add-ons', async () => {
    for (const id of [IDS[0], IDS[1], IDS[0], IDS[0]]) await log(id ?? '', ['updated'])
    const data = await readRecords('since=start')
    expect(listIds(data)).toEqual([IDS[0], IDS[1]])
    expect(data).toMatchObject({ has_more: false, next_since: data.newest, dataset_changes: [] })
    const addOns = ['acsc', 'enrichment', 'attack', 'configurations', 'sources', 'exploits', 'priority', 'aliases']
    const single = await api.get(`/api/v1/cve/${IDS[0]}?include=${addOns.join(',')}`)
    expect(data.records[0]).toEqual({ cve_id: IDS[0], gone: false, record: single.json.data.cve })
  })

  it('marks a CVE that is no longer in the catalog', async () => {
    await given(withdrawnCve(IDS[1] ?? ''))
    await log(IDS[0] ?? '', ['updated'])
    expect((await readRecords('since=start')).records).toMatchObject([
      { cve_id: IDS[1], gone: true },
      { cve_id: IDS[0], gone: false },
    ])
  })

  it('moves the position only past changes whose records it returned', async () => {
    for (const id of [IDS[0], IDS[1], IDS[0], IDS[2], IDS[1]]) await log(id ?? '', ['updated'])
    const first = await readRecords('since=start&limit=2')
    expect(listIds(first)).toEqual([IDS[0], IDS[1]])
    expect(first).toMatchObject({ has_more: true, next_since: expect.stringMatching(/^3:/) })
    const second = await readRecords(`since=${first.next_since}&limit=2`)
    expect(listIds(second)).toEqual([IDS[2], IDS[1]])
    expect(second).toMatchObject({ has_more: false, next_since: second.newest })
  })

  it('contains changes of every cause, and names changes of all CVEs', async () => {
    await log(IDS[0] ?? '', ['updated'], 'rules')
    await given(epssRelease('2026-08-22', { [IDS[0] ?? '']: [0.3, 0.4] }))
    const data = await readRecords('since=start')
    expect(listIds(data)).toEqual([IDS[0]])
    expect(data.dataset_changes).toMatchObject([{ cve_id: null }])
  })

  it('answers 410 for the start of a log that is no longer complete', async () => {
    await log(IDS[0] ?? '', ['updated'])
    await sql`update catalog.change_floor set complete_seq = 1`.execute(pool.db)
    expect((await api.get('/api/v1/changes/records?since=start')).status).toBe(410)
  })
})

describe('GET /api/v1/changes/summary', () => {
  it('counts the changes between two positions by type and cause', async () => {
    await log(IDS[0] ?? '', ['kev_added', 'priority_raised'])
    const { next_since: middle } = (await api.get('/api/v1/changes?since=start')).json.data
    await log(IDS[0] ?? '', ['score_changed'])
    await log(IDS[1] ?? '', ['score_changed'], 'rules')
    expect(await readSummary('since=start')).toMatchObject({
      changes: 3,
      cves: 2,
      types: { kev_added: 1, priority_raised: 1, score_changed: 2 },
      causes: { data: 2, rules: 1, reload: 0 },
      has_more: false,
    })
    expect(await readSummary(`since=${middle}`)).toMatchObject({ changes: 2, types: { score_changed: 2 } })
    expect(await readSummary(`since=start&until=${middle}`)).toMatchObject({ changes: 1, until: middle })
  })

  it('answers 410 for an unknown end, and 400 for an end before the beginning', async () => {
    await log(IDS[0] ?? '', ['updated'])
    const newest = (await api.get('/api/v1/changes?since=now')).json.data.newest
    expect((await api.get('/api/v1/changes/summary?since=start&until=1:00000000000000aa')).status).toBe(410)
    const { status, json } = await api.get(`/api/v1/changes/summary?since=${newest}&until=0:0000000000000000`)
    expect([status, json.error.parameter]).toEqual([400, 'since'])
  })
})

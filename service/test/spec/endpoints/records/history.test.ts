import { beforeAll, describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../../catalog/catalog-setup.ts'
import { nvdRating, nvdRecord } from '../../../catalog/source-fixtures.ts'
import { startTestService } from '../../../support/service.ts'

const service = await startTestService()
const { api } = service
const catalog = await createCatalogHarness(service.database.url)
const [ID, OTHER, ONLY_IN_KEV] = ['CVE-2026-1000', 'CVE-2026-1001', 'CVE-2026-1002']

beforeAll(async () => {
  for (const id of [ID, OTHER]) await catalog.storeRecord('nvd', id, nvdRecord(id))
  await catalog.storeKev([{ cveId: OTHER }, { cveId: ONLY_IN_KEV, dateAdded: '2026-08-20' }])
  await catalog.publish()
  const metrics = { cvssMetricV31: [nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8)] }
  await catalog.storeRecord('nvd', ID, nvdRecord(ID, { metrics }))
  await catalog.storeKev([{ cveId: OTHER, dueDate: '2026-09-09' }])
  await catalog.publish()
})

describe('GET /api/v1/cve/{cve-id}/history', () => {
  const read = async (query = '', id = ID) => (await api.get(`/api/v1/cve/${id}/history${query}`)).json.data

  it('lists the changes to the CVE as /changes does, newest first', async () => {
    const { changes, complete_since, pagination } = await read()
    const log = (await api.get('/api/v1/changes?since=start')).json.data.changes
    expect(changes).toEqual(log.filter(({ cve_id }: { cve_id: string }) => cve_id === ID).toReversed())
    expect(changes).toMatchObject([{ diff: { severity: { old: 7.5, new: 9.8 } } }, { types: ['published'] }])
    expect(Date.parse(complete_since)).toBeLessThanOrEqual(Date.parse(log[0].recorded_at) + 1000)
    expect(pagination).toEqual({ limit: 100, hasMore: false, totalEstimate: 2 })
  })

  it('has the events before the change log begins on the last page, marked with the history that tells them', async () => {
    const change = [
      'a',
      Date.parse('2026-08-02T10:00:00Z'),
      'Initial Analysis',
      'nvd@nist.gov',
      [['W', 'A', null, 'CWE-20']],
    ]
    await catalog.selectRows(`
      insert into source.nvd_history (cve_id, changes) values ('${OTHER}', $json$${JSON.stringify([change])}$json$)
    `)
    const { earlier_events: earlier } = await read('', OTHER)
    expect(earlier.slice(0, -1)).toContainEqual({
      at: '2026-08-02',
      from_history: 'nvd',
      event: 'Initial Analysis',
      types: ['cwe_changed'],
      fields: ['enrichment'],
    })
    expect(earlier.at(-1)).toMatchObject({ at: '2026-08-01', from_history: 'cve', types: ['published'] })
    expect(
      earlier.filter(({ types }: { readonly types: readonly string[] }) => types.includes('kev_added')),
    ).toHaveLength(1)
    expect((await read('?limit=1', OTHER)).earlier_events).toEqual([])
  })

  it('has pages whose cursor belongs to one CVE', async () => {
    const whole = (await read()).changes
    const first = await read('?limit=1')
    expect(first.changes).toEqual(whole.slice(0, 1))
    const after = `?limit=1&after=${first.pagination.nextCursor}`
    expect(await read(after)).toMatchObject({ changes: whole.slice(1), pagination: { hasMore: false } })
    expect((await api.get(`/api/v1/cve/${OTHER}/history${after}`)).status).toBe(400)
  })

  it('lists the changes to a removed CVE, and answers 404 for a CVE that was never published', async () => {
    expect((await read('', ONLY_IN_KEV)).changes[0]).toMatchObject({ types: ['kev_removed', 'removed'] })
    expect((await api.get('/api/v1/cve/CVE-1999-0001/history')).status).toBe(404)
  })
})

describe('GET /api/v1/kev/history', () => {
  const read = async (query = '') => (await api.get(`/api/v1/kev/history${query}`)).json.data

  it('lists every entry with its changes, and says since when they are complete', async () => {
    const { entries, complete_since } = await read()
    expect(entries).toMatchObject([
      {
        cve_id: ONLY_IN_KEV,
        added_at: '2026-08-20',
        removed_at: '2026-08-22T00:00:00Z',
        history: [{ type: 'removed' }],
      },
      {
        cve_id: OTHER,
        added_at: '2026-08-19',
        removed_at: null,
        entry: { dueDate: '2026-09-09', knownRansomware: true, cwe_list: ['CWE-20'] },
        history: [{ type: 'changed', diff: { dueDate: { old: '2026-09-02', new: '2026-09-09' } } }],
      },
    ])
    expect(complete_since).toBe('2026-08-22T00:00:00Z')
  })

  it('filters by removal, page by page', async () => {
    const ids = async (query: string) => (await read(query)).entries.map(({ cve_id }: { cve_id: string }) => cve_id)
    expect(await ids('?removed=true')).toEqual([ONLY_IN_KEV])
    expect(await ids('?removed=false')).toEqual([OTHER])
    const { nextCursor } = (await read('?limit=1')).pagination
    expect(await ids(`?limit=1&after=${nextCursor}`)).toEqual([OTHER])
    expect((await api.get(`/api/v1/kev/history?removed=true&after=${nextCursor}`)).status).toBe(400)
  })

  it('lists the entry of one CVE, and none of a CVE that was never in KEV', async () => {
    const read = async (id: string, query = '') => (await api.get(`/api/v1/kev/history?cve_id=${id}${query}`)).json.data
    const { entries, pagination } = await read(ONLY_IN_KEV.toLowerCase())
    expect(entries).toMatchObject([{ cve_id: ONLY_IN_KEV, history: [{ type: 'removed' }] }])
    expect(pagination.totalEstimate).toBe(1)
    expect((await read(ONLY_IN_KEV, '&removed=false')).entries).toEqual([])
    expect((await read('CVE-1999-0001')).entries).toEqual([])
    expect((await read('CVE-1999-0000000000000000001')).entries).toEqual([])
  })

  it('says that an entry has returned', async () => {
    await catalog.storeKev([
      { cveId: OTHER, dueDate: '2026-09-09' },
      { cveId: ONLY_IN_KEV, dateAdded: '2026-08-20' },
    ])
    await catalog.publish()
    const [entry] = (await read()).entries
    expect(entry).toMatchObject({ cve_id: ONLY_IN_KEV, removed_at: null })
    expect(entry.history.map(({ type }: { type: string }) => type).toSorted()).toEqual(['removed', 'returned'])
  })
})

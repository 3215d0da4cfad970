import { describe, expect, it } from 'vitest'
import { SORTS } from '../../../src/search/sort.ts'
import { cve } from '../../support/catalog/cve-builder.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService()

const [A, B, C, D] = ['CVE-2021-44228', 'CVE-2022-1000', 'CVE-2023-2000', 'CVE-2024-3000']
const UNKNOWN = 'CVE-1998-9876543'

await given(
  cve(A, {
    score: 10,
    published: '2021-12-10T10:00:00Z',
    modified: '2026-08-04T00:00:00Z',
    epss: [0.9, 0.99],
    kev: { dueDate: '2021-12-24' },
    notices: ['Act now'],
    techniques: ['T1190'],
  }),
  cve(B, { score: 8.9, published: '2022-01-01T00:00:00Z', modified: '2026-08-03T00:00:00Z', epss: [0.1, 0.5] }),
  cve(C, { score: null, published: null, modified: '2026-08-02T00:00:00Z', isEnriched: false, kev: { dueDate: null } }),
  cve(D, { score: 8.9, published: '2022-01-01T00:00:00Z', modified: '2026-08-01T00:00:00Z', isEnriched: false }),
)

const batch = (body: unknown, query = '', key?: string) =>
  api.send('POST', `/api/v1/cve/batch${query}`, {
    ...(key === undefined ? {} : { key }),
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
const readData = async (body: unknown, query = '') => (await batch(body, query)).json.data

describe('POST /api/v1/cve/batch', () => {
  it('returns the found CVEs as a map, the ids that were not found, and counts', async () => {
    const data = await readData({ cve_ids: [A, C, UNKNOWN] })
    expect(Object.keys(data)).toEqual(
      'cves not_found count total_requested credits_charged enriched_percentage timestamp'.split(' '),
    )
    expect(data).toMatchObject({
      not_found: [UNKNOWN],
      count: 2,
      total_requested: 3,
      credits_charged: 35,
      enriched_percentage: 50,
      timestamp: '2026-08-22T00:00:00Z',
    })
  })

  it('returns minimal records with the KEV object that is specified for the batch endpoint', async () => {
    const { cves } = await readData({ cve_ids: [A, B, C] })
    expect(cves[A]).toEqual({
      cve_id: A,
      source_tag: 'nvd',
      published: '2021-12-10T10:00:00Z',
      modified: '2026-08-04T00:00:00Z',
      description: 'A buffer overflow in a parser.',
      severity: 10,
      status: 'Analyzed',
      enrichment_status: 'enriched',
      kev: { known_exploited: true, due_date: '2021-12-24', action_required: 'Apply updates.' },
      epss: { score: 0.9, percentile: 0.99, date: '2026-08-21' },
    })
    expect(cves[B]).not.toHaveProperty('kev')
    expect(cves[C]).toMatchObject({ severity: null, enrichment_status: 'pending', kev: { due_date: null } })
    expect(cves[C]).not.toHaveProperty('epss')
  })

  it('returns CVEs in the requested order, and not_found in upper case (decisions D11 and D20)', async () => {
    const data = await readData({ cve_ids: [D, 'cve-1998-3003', A, 'CVE-1998-3001', C, 'cve-1998-3002'] })
    expect(Object.keys(data.cves)).toEqual([D, A, C])
    expect(data.not_found).toEqual(['CVE-1998-3003', 'CVE-1998-3001', 'CVE-1998-3002'])
  })

  it('finds no record for an id with leading zeros or with a number that is too long (decision B5)', async () => {
    const unknown = ['CVE-2021-044228', 'CVE-2024-9999999999999999999']
    const data = await readData({ cve_ids: unknown })
    expect([data.cves, data.count, data.not_found, data.enriched_percentage]).toEqual([{}, 0, unknown, 0])
  })

  it('reports validation errors of the body in the order of the specification (decision B3)', async () => {
    const { json } = await batch({ cve_ids: [], sort: 'x', include: ['weather'] })
    expect(json.error.parameter).toBe('cve_ids')
    const names = json.error.details.errors.map(({ parameter }: { parameter: string }) => parameter)
    expect(names).toEqual(['cve_ids', 'include', 'sort'])
  })

  it('reports an invalid query before it reads the body (decision E52)', async () => {
    const { status, json } = await batch({ cve_ids: [], sort: 'x' }, '?severity=urgent&colour=red')
    expect(status).toBe(400)
    const names = json.error.details.errors.map(({ parameter }: { parameter: string }) => parameter)
    expect(names).toEqual(['severity', 'colour'])
  })

  it('states the number of sent ids if there are too many, and the expected format if an id is invalid', async () => {
    const readMessage = async (body: unknown) => (await batch(body)).json.error.message
    const expected = 'cve_ids must be an array of 1 to 50 items, each a CVE id such as CVE-2021-44228'
    expect(await readMessage({ cve_ids: Array.from({ length: 51 }, () => A) })).toBe(`${expected}; 51 were sent`)
    expect(await readMessage({ cve_ids: [] })).toBe(`${expected}; 0 were sent`)
    expect(await readMessage({ cve_ids: [A], fields: Array.from({ length: 101 }, () => 'cve_id') })).toMatch(
      /101 were sent$/,
    )
    expect(await readMessage({ cve_ids: ['x'] })).toBe('each of cve_ids must be a CVE id such as CVE-2021-44228')
  })

  it('forbids caching, sends no ETag, and returns 405 for GET (decisions B12 and B13)', async () => {
    const { headers } = await batch({ cve_ids: [A] })
    expect([headers['cache-control'], headers['etag']]).toEqual(['no-store', undefined])
    expect((await api.get('/api/v1/cve/batch')).status).toBe(405)
  })
})

describe('POST /api/v1/cve/batch: fields and include', () => {
  it('accepts fields as comma-separated text with spaces', async () => {
    const { cves } = await readData({ cve_ids: [A], fields: 'cve_id, cvss' })
    expect(Object.keys(cves[A])).toEqual(['cve_id', 'cvss'])
  })

  it('calculates enriched_percentage independently of the selected fields (decision C19)', async () => {
    expect((await readData({ cve_ids: [A, B, C], fields: ['cve_id'] })).enriched_percentage).toBe(66.67)
  })
})

describe('POST /api/v1/cve/batch: sort (decisions D7 and D11)', () => {
  const ORDERS = {
    severity_desc: [A, D, B, C],
    severity_asc: [B, D, A, C],
    published_desc: [D, B, A, C],
    published_asc: [A, B, D, C],
    modified_desc: [A, B, C, D],
    modified_asc: [D, C, B, A],
    epss_desc: [A, B, D, C],
    epss_asc: [B, A, C, D],
    priority_desc: [A, C, B, D],
    priority_asc: [D, B, C, A],
  }

  it.each(SORTS)('orders the returned CVEs by sort=%s, given in the body or in the query', async (sort) => {
    const cve_ids = [C, A, D, B]
    expect(Object.keys((await readData({ cve_ids, sort })).cves)).toEqual(ORDERS[sort])
    expect(Object.keys((await readData({ cve_ids }, `?sort=${sort}`)).cves)).toEqual(ORDERS[sort])
  })
})

describe('POST /api/v1/cve/batch: severity (decisions C6 and D11)', () => {
  it('maps 3.9 to low, 4.0 and 6.9 to medium, 7.0 to high, 9.0 to critical and 0.0 to no severity', async () => {
    const scores = { low: [0.1, 3.9], medium: [4, 6.9], high: [7, 8.9], critical: [9, 10] }
    const ids = new Map([0, ...Object.values(scores).flat()].map((score, at) => [score, `CVE-2025-100${at}`]))
    await given(...[...ids].map(([score, id]) => cve(id, { score })))
    for (const [severity, [from, to]] of Object.entries(scores)) {
      const { cves } = await readData({ cve_ids: [...ids.values()], severity })
      expect(Object.keys(cves), severity).toEqual([ids.get(from ?? -1), ids.get(to ?? -1)])
    }
  })
})

import { describe, expect, it } from 'vitest'
import { getDefaultFields } from '../../../src/contract/record/cve-fields.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { cve, withdrawnCve } from '../../support/catalog/cve-builder.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService()

const FULL = 'CVE-2021-44228'
const BARE = 'CVE-2026-0001'
const STUB = 'CVE-2026-777777'

await given(
  cve(FULL, {
    score: 10,
    kev: { dateAdded: '2021-12-10', dueDate: '2021-12-24', knownRansomware: true, notes: 'https://maker.example/n' },
    epss: [0.97565, 0.99996],
    notices: ['Act now'],
    techniques: ['T1059.003', 'T1190'],
    tags: ['disputed'],
  }),
  cve(BARE, { score: null, isEnriched: false, cpeCount: 0, referenceCount: 0, attackVector: null }),
  cve(STUB, {
    published: null,
    description: null,
    score: null,
    status: 'Received',
    isEnriched: false,
    sources: [],
    kev: {},
  }),
)

const get = (id: string, query = '') => api.get(`/api/v1/cve/${id}${query}`)
const readCve = async (id: string, query = '') => (await get(id, query)).json.data.cve

describe('GET /api/v1/cve/{cve-id}', () => {
  it('returns data.cve with the members of the CVE object in the order of the schema', async () => {
    const { status, json } = await get(FULL)
    expect(status).toBe(200)
    expect(Object.keys(json.data)).toEqual(['cve'])
    expect(Object.keys(json.data.cve)).toEqual(getDefaultFields('single'))
    expect(json.data.cve).toMatchObject({
      cve_id: FULL,
      source_tag: 'nvd',
      published: '2026-08-01T10:00:00Z',
      modified: '2026-08-02T11:00:00Z',
      description: 'A buffer overflow in a parser.',
      severity: 10,
      status: 'Analyzed',
      tags: ['disputed'],
      cvss: { v3_1: { baseScore: 10 } },
      epss: { score: 0.97565, percentile: 0.99996, date: '2026-08-21' },
      kev: { dateAdded: '2021-12-10', knownRansomware: true, dueDate: '2021-12-24' },
    })
  })

  it('omits tags, kev and epss when unavailable, and returns other missing values as null or [] (decision C2)', async () => {
    const found = await readCve(BARE)
    expect(found).not.toHaveProperty('tags')
    expect(found).not.toHaveProperty('kev')
    expect(found).not.toHaveProperty('epss')
    expect([found.cvss, found.cpe, found.references]).toEqual([{ v3_1: null }, [], []])
  })

  it('returns null for a missing description, publication time and enrichment (decision C2)', async () => {
    const found = await readCve(STUB, '?include=enrichment')
    expect(found).toMatchObject({ source_tag: 'kev', published: null, description: null, enrichment: null })
    expect(found.kev).toMatchObject({ dateAdded: '2026-08-10' })
    expect(await readCve(STUB, '?fields=status,enrichment_status')).toEqual({
      status: 'Received',
      enrichment_status: 'pending',
    })
  })
})

describe('GET /api/v1/cve/{cve-id}: include (decision D2)', () => {
  it('adds the ACSC notices, the ATT&CK techniques and the enrichment', async () => {
    const found = await readCve(FULL, '?include=acsc,attack,enrichment')
    expect(found.acsc).toEqual([
      { id: 'act-now', title: 'Act now', type: 'alert', priority: 'Critical', publishedDate: '2026-08-02T00:00:00Z' },
    ])
    expect(found.attack).toEqual({ techniques: ['T1059.003', 'T1190'], mapping: 'curated' })
    expect(found.enrichment).toMatchObject({ kev_flag: true, enriched_at: '2026-08-03T12:00:00Z' })
    expect(found.enrichment).not.toHaveProperty('attack_techniques')
  })
})

describe('GET /api/v1/cve/{cve-id}: ETag (decision B13)', () => {
  it('returns 304 when one of several tags in If-None-Match matches', async () => {
    const { etag } = (await get(FULL)).headers
    expect(etag).toMatch(/^W\/"/)
    const { status, headers, text } = await api.get(`/api/v1/cve/${FULL}`, {
      headers: { 'If-None-Match': `"other", ${etag}` },
    })
    expect([status, text, headers['etag'], headers['cache-control']]).toEqual([304, '', etag, 'private, max-age=60'])
  })

  it('sends different ETags for different fields and include values', async () => {
    const tags = await Promise.all(
      ['', '?fields=cve_id', '?include=acsc', '?include=attack'].map(
        async (query) => (await get(FULL, query)).headers['etag'],
      ),
    )
    expect(new Set(tags).size).toBe(4)
    expect((await get(FULL, '?include=kev')).headers['etag']).toBe(tags[0])
  })
})

describe('GET /api/v1/cve/{cve-id}: price (decisions A6 and A9)', () => {
  async function payer(left: number) {
    const key = createTestKey()
    await given(account('pro').withQuota(100).withCreditsLeft(left).withKey(key))
    const used = async () => (await api.get('/api/v1/usage', { key: key.key })).json.data.usage.credits_used
    return { key: key.key, used }
  }

  it('answers 304 and 404 from the cache even without credits', async () => {
    const { key } = await payer(0)
    await expect
      .poll(async () => {
        // Records leave the cache when they are published again or become old, and a call without credits loads none.
        const { headers } = await get(FULL)
        await get('CVE-2021-9999998')
        const sent = { key, headers: { 'If-None-Match': headers['etag'] } }
        const known = await api.get(`/api/v1/cve/${FULL}`, sent)
        return [known.status, (await api.get('/api/v1/cve/CVE-2021-9999998', { key })).status]
      })
      .toEqual([304, 404])
    expect(
      (await api.get('/api/v1/cve/CVE-2021-044228', { key })).status,
      'an id with a leading zero never names a record',
    ).toBe(404)
  })
})

describe('GET /api/v1/cve/{cve-id}: removed CVE', () => {
  it('returns 404 for a CVE that was removed from the catalog', async () => {
    await given(cve('CVE-2026-4000'))
    await expect.poll(async () => (await get('CVE-2026-4000')).status).toBe(200)
    await given(withdrawnCve('CVE-2026-4000'))
    await expect.poll(async () => (await get('CVE-2026-4000')).status).toBe(404)
  })
})

describe('GET /api/v1/cve/{cve-id}: configurations (decision E7)', () => {
  it('returns the AND/OR tree of the CPE matches, also if the member cpe is not selected', async () => {
    const id = 'CVE-2026-4001'
    await given(
      cve(id, {
        cpeCount: 3,
        configurations: [
          [
            'AND',
            [
              ['OR', [0, 2]],
              ['OR', [2, 1]],
            ],
          ],
        ],
      }),
    )
    const { cpe, configurations } = await readCve(id, '?include=configurations')
    const nodes = [cpe.slice(0, 2), cpe.slice(2)].map((cpeMatch) => ({ operator: 'OR', negate: false, cpeMatch }))
    expect(configurations).toEqual([{ operator: 'AND', negate: false, nodes }])
    expect(await readCve(id, '?include=configurations&fields=configurations')).toEqual({ configurations })
  })
})

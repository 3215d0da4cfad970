import { describe, expect, it } from 'vitest'
import { ADD_ON_NAMES } from '../../../src/contract/record/add-ons/index.ts'
import { CVE_FIELD_NAMES, type CveField, isAvailableIn } from '../../../src/contract/record/cve-fields.ts'
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
    expect(Object.keys(json.data.cve)).toEqual(
      'cve_id source_tag published modified description severity status tags cvss cpe references kev epss'.split(' '),
    )
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

  it('accepts the id in any letter case and returns it in upper case (decision B5)', async () => {
    expect((await readCve('cVe-2021-44228')).cve_id).toBe(FULL)
  })

  it.each([
    'CVE-2021-9999999',
    'CVE-0000-0000',
    'CVE-2021-044228',
    'CVE-2024-9999999999999999999',
    'CVE-2024-100000000000000',
  ])('returns 404 NOT_FOUND for %s, which has no record (decisions B4 and B5)', async (id) => {
    const { status, json } = await get(id)
    expect([status, json.error.code, json.error.message]).toEqual([404, 'NOT_FOUND', `There is no record of ${id}.`])
  })

  it.each(['log4shell', 'CVE-2021-123', `CVE-2021-${'1'.repeat(20)}`, '__proto__'])(
    'returns 400 with parameter "cve-id" for the invalid id %s (decision B4)',
    async (id) => {
      const { status, json } = await get(id)
      expect([status, json.error.parameter, json.error.value]).toEqual([400, 'cve-id', id])
    },
  )

  it('returns 400 instead of 404 for an invalid field of an unknown CVE (decision B2)', async () => {
    const { status, json } = await get('CVE-2021-9999999', '?fields=colour')
    expect([status, json.error.parameter, json.error.value]).toEqual([400, 'fields', 'colour'])
  })

  it('allows private caching for one minute (decision B13)', async () => {
    expect((await get(FULL)).headers['cache-control']).toBe('private, max-age=60')
  })
})

describe('GET /api/v1/cve/{cve-id}: fields (decision D1)', () => {
  const inSingle = <T extends CveField>(names: readonly T[]) => names.filter((name) => isAvailableIn(name, 'single'))

  it.each(inSingle(CVE_FIELD_NAMES))('returns only %s when only that field is selected', async (field) => {
    expect(Object.keys(await readCve(FULL, `?fields=${field}&include=${inSingle(ADD_ON_NAMES).join()}`))).toEqual([
      field,
    ])
  })

  it('returns the fields in the order of the schema for any order, letter case and repetition', async () => {
    expect(Object.keys(await readCve(FULL, '?fields=EPSS,cvss&fields=cve_id,cvss'))).toEqual(['cve_id', 'cvss', 'epss'])
  })

  it('returns a member such as acsc only if both include and fields name that member', async () => {
    expect(await readCve(FULL, '?fields=cve_id,acsc')).toEqual({ cve_id: FULL })
    expect(await readCve(FULL, '?fields=cve_id&include=acsc')).toEqual({ cve_id: FULL })
  })

  it('returns an empty object for fields=kev of a CVE that is not in KEV', async () => {
    expect(await readCve(BARE, '?fields=kev')).toEqual({})
  })

  it('treats empty fields and include as absent (decision B8)', async () => {
    expect(await readCve(FULL, '?fields=&include=')).toEqual(await readCve(FULL))
  })

  it('rejects acsc_notices, which is an output key and not a field name', async () => {
    expect((await get(FULL, '?fields=acsc_notices')).json.error).toMatchObject({
      parameter: 'fields',
      value: 'acsc_notices',
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

  it('returns [], {techniques: [], mapping: null} and null for included members without data (decision C2)', async () => {
    expect(await readCve(BARE, '?include=acsc,attack,enrichment&fields=acsc,attack,enrichment')).toEqual({
      acsc: [],
      attack: { techniques: [], mapping: null },
      enrichment: null,
    })
  })

  it('accepts epss and kev in any letter case, and ignores them', async () => {
    expect(await readCve(FULL, '?include=EPSS,Kev')).toEqual(await readCve(FULL))
  })

  it('returns 400 for an unknown include value', async () => {
    expect((await get(FULL, '?include=acsc,weather')).json.error).toMatchObject({
      parameter: 'include',
      value: 'weather',
    })
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

  it('charges 5 credits for 200, and nothing for 304 and 404', async () => {
    const { key, used } = await payer(100)
    const { headers } = await api.get(`/api/v1/cve/${FULL}`, { key })
    expect(await used()).toBe(5)
    await api.get(`/api/v1/cve/${FULL}`, { key, headers: { 'If-None-Match': headers['etag'] } })
    await api.get('/api/v1/cve/CVE-2021-9999999', { key })
    await expect.poll(used).toBe(5)
  })

  it('returns 429 with only 4 credits left', async () => {
    const { key } = await payer(4)
    const { status, json } = await api.get(`/api/v1/cve/${BARE}`, { key })
    expect([status, json.error.code]).toEqual([429, 'CREDIT_LIMIT_EXCEEDED'])
  })

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

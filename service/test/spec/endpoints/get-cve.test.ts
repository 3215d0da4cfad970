import { describe, expect, it } from 'vitest'
import { FIELDS } from '../../../src/api/cve-record/selection.ts'
import { account, aKey } from '../../support/builders.ts'
import { cve, noCve } from '../../support/catalog/cve-builder.ts'
import { PATIENT, testService } from '../../support/service.ts'

const { api, given } = await testService({ environment: PATIENT })

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
const cveOf = async (id: string, query = '') => (await get(id, query)).json.data.cve

describe('GET /api/v1/cve/{cve-id}', () => {
  it('has data.cve with the members of the CVE object, in the order of the schema', async () => {
    const { status, json } = await get(FULL)
    expect(status).toBe(200)
    expect(Object.keys(json.data)).toEqual(['cve'])
    expect(Object.keys(json.data.cve)).toEqual(
      'cve_id source_tag published modified description cvss cpe references kev epss'.split(' '),
    )
    expect(json.data.cve).toMatchObject({
      cve_id: FULL,
      source_tag: 'nvd',
      published: '2026-08-01T10:00:00Z',
      modified: '2026-08-02T11:00:00Z',
      description: 'A weakness of something.',
      cvss: { v3_1: { baseScore: 10 } },
      epss: { score: 0.97565, percentile: 0.99996, date: '2026-08-21' },
      kev: { dateAdded: '2021-12-10', knownRansomware: true, dueDate: '2021-12-24' },
    })
  })

  it('shows kev and epss only when available; everything else as null or [] (C2)', async () => {
    const found = await cveOf(BARE)
    expect(found).not.toHaveProperty('kev')
    expect(found).not.toHaveProperty('epss')
    expect([found.cvss, found.cpe, found.references]).toEqual([{ v3_1: null }, [], []])
  })

  it('serves a KEV id without a CVE record as a stub (D18)', async () => {
    const found = await cveOf(STUB, '?include=enrichment')
    expect(found).toMatchObject({ source_tag: 'kev', published: null, description: null, enrichment: null })
    expect(found.kev).toMatchObject({ dateAdded: '2026-08-10' })
    expect(await cveOf(STUB, '?fields=status,enrichment_status')).toEqual({
      status: 'Received',
      enrichment_status: 'pending',
    })
  })

  it('takes the id in any letter case and answers in upper case (B5)', async () => {
    expect((await cveOf('cVe-2021-44228')).cve_id).toBe(FULL)
  })

  it.each([
    'CVE-2021-9999999',
    'CVE-0000-0000',
    'CVE-2021-044228',
    'CVE-2024-9999999999999999999',
    'CVE-2024-100000000000000',
  ])('%s, which has no record, is 404 NOT_FOUND (B4, B5)', async (id) => {
    const { status, json } = await get(id)
    expect([status, json.error.code, json.error.message]).toEqual([404, 'NOT_FOUND', `There is no record of ${id}.`])
  })

  it.each(['log4shell', 'CVE-2021-123', `CVE-2021-${'1'.repeat(20)}`, '__proto__'])(
    '%s, which is no id, is 400 naming cve-id (B4)',
    async (id) => {
      const { status, json } = await get(id)
      expect([status, json.error.parameter, json.error.value]).toEqual([400, 'cve-id', id])
    },
  )

  it('checks parameters before data: a bad field of an unknown CVE is 400 (B2)', async () => {
    const { status, json } = await get('CVE-2021-9999999', '?fields=colour')
    expect([status, json.error.parameter, json.error.value]).toEqual([400, 'fields', 'colour'])
  })

  it('may be kept for a minute, privately (B13)', async () => {
    expect((await get(FULL)).headers['cache-control']).toBe('private, max-age=60')
  })
})

describe('fields (D1)', () => {
  it.each(FIELDS)('%s is literal: nothing else comes with it', async (field) => {
    expect(Object.keys(await cveOf(FULL, `?fields=${field}&include=acsc,attack,enrichment`))).toEqual([field])
  })

  it('come in the order of the schema, in any letter case, repeated or not', async () => {
    expect(Object.keys(await cveOf(FULL, '?fields=EPSS,cvss&fields=cve_id,cvss'))).toEqual(['cve_id', 'cvss', 'epss'])
  })

  it('an add-on must be included and selected', async () => {
    expect(await cveOf(FULL, '?fields=cve_id,acsc')).toEqual({ cve_id: FULL })
    expect(await cveOf(FULL, '?fields=cve_id&include=acsc')).toEqual({ cve_id: FULL })
  })

  it('kev of a CVE that is not in the catalogue leaves an empty object', async () => {
    expect(await cveOf(BARE, '?fields=kev')).toEqual({})
  })

  it('empty counts as absent (B8)', async () => {
    expect(await cveOf(FULL, '?fields=&include=')).toEqual(await cveOf(FULL))
  })

  it('acsc_notices is an output key, no field name', async () => {
    expect((await get(FULL, '?fields=acsc_notices')).json.error).toMatchObject({
      parameter: 'fields',
      value: 'acsc_notices',
    })
  })
})

describe('include (D2)', () => {
  it('adds notices, techniques and enrichment', async () => {
    const found = await cveOf(FULL, '?include=acsc,attack,enrichment')
    expect(found.acsc).toEqual([
      { id: 'act-now', title: 'Act now', type: 'alert', priority: 'Critical', publishedDate: '2026-08-02T00:00:00Z' },
    ])
    expect(found.attack).toEqual({ techniques: ['T1059.003', 'T1190'] })
    expect(found.enrichment).toMatchObject({ kev_flag: true, enriched_at: '2026-08-03T12:00:00Z' })
    expect(found.enrichment).not.toHaveProperty('attack_techniques')
  })

  it('included but nothing there: [], {techniques: []}, null (C2)', async () => {
    expect(await cveOf(BARE, '?include=acsc,attack,enrichment&fields=acsc,attack,enrichment')).toEqual({
      acsc: [],
      attack: { techniques: [] },
      enrichment: null,
    })
  })

  it('takes epss and kev, which change nothing, and any letter case', async () => {
    expect(await cveOf(FULL, '?include=EPSS,Kev')).toEqual(await cveOf(FULL))
  })

  it('of anything else is 400', async () => {
    expect((await get(FULL, '?include=acsc,weather')).json.error).toMatchObject({
      parameter: 'include',
      value: 'weather',
    })
  })
})

describe('The ETag of a CVE (B13)', () => {
  it('gives 304, also when the list of tags holds others', async () => {
    const { etag } = (await get(FULL)).headers
    expect(etag).toMatch(/^W\/"/)
    const { status, headers, text } = await api.get(`/api/v1/cve/${FULL}`, {
      headers: { 'If-None-Match': `"other", ${etag}` },
    })
    expect([status, text, headers['etag'], headers['cache-control']]).toEqual([304, '', etag, 'private, max-age=60'])
  })

  it('differs with fields and include', async () => {
    const tags = await Promise.all(
      ['', '?fields=cve_id', '?include=acsc', '?include=attack'].map(
        async (query) => (await get(FULL, query)).headers['etag'],
      ),
    )
    expect(new Set(tags).size).toBe(4)
    expect((await get(FULL, '?include=kev')).headers['etag']).toBe(tags[0])
  })
})

describe('The price of a CVE (A6, A9)', () => {
  async function payer(left: number) {
    const key = aKey()
    await given(account('pro').withQuota(100).withCreditsLeft(left).withKey(key))
    const used = async () => (await api.get('/api/v1/usage', { key: key.key })).json.data.usage.credits_used
    return { key: key.key, used }
  }

  it('is 5 credits; 304 and 404 cost nothing', async () => {
    const { key, used } = await payer(100)
    const { headers } = await api.get(`/api/v1/cve/${FULL}`, { key })
    expect(await used()).toBe(5)
    await api.get(`/api/v1/cve/${FULL}`, { key, headers: { 'If-None-Match': headers['etag'] } })
    await api.get('/api/v1/cve/CVE-2021-9999999', { key })
    await expect.poll(used).toBe(5)
  })

  it('is asked for before the work: with 4 credits left it is 429', async () => {
    const { key } = await payer(4)
    const { status, json } = await api.get(`/api/v1/cve/${BARE}`, { key })
    expect([status, json.error.code]).toEqual([429, 'CREDIT_LIMIT_EXCEEDED'])
  })

  it('is not asked for what the node knows: an equal ETag is 304, an absent id 404, without credits', async () => {
    const { key } = await payer(0)
    const { headers } = await get(FULL)
    await get('CVE-2021-9999998')
    await expect
      .poll(async () => {
        const sent = { key, headers: { 'If-None-Match': headers['etag'] } }
        const known = await api.get(`/api/v1/cve/${FULL}`, sent)
        return [known.status, (await api.get('/api/v1/cve/CVE-2021-9999998', { key })).status]
      })
      .toEqual([304, 404])
    expect((await api.get('/api/v1/cve/CVE-2021-044228', { key })).status, 'names no record, whatever is stored').toBe(
      404,
    )
  })
})

describe('A CVE that is published no more', () => {
  it('is 404', async () => {
    await given(cve('CVE-2026-4000'))
    await expect.poll(async () => (await get('CVE-2026-4000')).status).toBe(200)
    await given(noCve('CVE-2026-4000'))
    await expect.poll(async () => (await get('CVE-2026-4000')).status, { timeout: 5000 }).toBe(404)
  })
})

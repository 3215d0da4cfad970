import { describe, expect, it } from 'vitest'
import { getDefaultFields } from '../../../../src/contract/record/cve-fields.ts'
import { account, createTestKey } from '../../../support/builders.ts'
import { cve } from '../../../support/catalog/cve-builder.ts'
import { runStatements } from '../../../support/run-statements.ts'
import { startTestService } from '../../../support/service.ts'

const { api, database, given } = await startTestService()

const FULL = 'CVE-2021-44228'
const BARE = 'CVE-2026-0001'
const STUB = 'CVE-2026-777777'

const branches = ['2.12', '2.3', '2.2', '2.1']
const workaround = { kind: 'workaround', text: 'Block the port.', url: null, source: 'redhat', applies_to: [] }

await given(
  cve(FULL, {
    score: 10,
    kev: { dateAdded: '2021-12-10', dueDate: '2021-12-24', knownRansomware: true, notes: 'https://maker.example/n' },
    epss: [0.97565, 0.99996],
    notices: ['Act now'],
    techniques: ['T1059.003', 'T1190'],
    tags: ['disputed'],
    fixes: [{ version: '2.15.0', source: 'cna:maker', branch: null }, ...branches.map((branch) => ({ branch }))],
    remediations: [workaround],
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

describe('GET /api/v1/cve/{cve-id}: fixes and remediations', () => {
  it('has the fixed versions of all sources, and what publishers advise', async () => {
    const found = await readCve(FULL, '?include=fixes,remediations&fields=fixes,remediations')
    expect(Object.keys(found)).toEqual(['fixes', 'remediations'])
    expect(found.fixes).toHaveLength(5)
    expect(found.fixes[0]).toMatchObject({ product: 'thing', version: '2.15.0', source: 'cna:maker', rivals: [] })
    expect(found.remediations).toEqual([workaround])
  })

  it('has empty lists if no source names a fixed version or advises anything', async () => {
    const query = '?include=fixes,remediations&fields=fixes,remediations'
    expect(await readCve(BARE, query)).toEqual({ fixes: [], remediations: [] })
  })

  it('has the first rows in lists of CVEs, and counts the others', async () => {
    const query = 'fields=fixes&include=fixes'
    const searched = await api.get(`/api/v1/cves?ids=${FULL},${BARE}&sort=published_desc&${query}`)
    const bySize = searched.json.data.cves.toSorted((a: Listed, b: Listed) => b.fixes.length - a.fixes.length)
    expect(bySize[0].fixes.map(({ branch }: Listed['fixes'][number]) => branch)).toEqual([null, '2.12', '2.3'])
    expect(bySize[0].fixes_omitted).toBe(2)
    expect(bySize[1]).toEqual({ fixes: [] })
    const batch = await api.send('POST', '/api/v1/cve/batch', {
      body: JSON.stringify({ cve_ids: [FULL], fields: ['fixes'], include: ['fixes'] }),
      headers: { 'Content-Type': 'application/json' },
    })
    expect(batch.json.data.cves[FULL].fixes).toHaveLength(5)
  })
})

interface Listed {
  readonly fixes: readonly { readonly branch: string | null }[]
}

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

describe('GET /api/v1/cve/{cve-id}: configurations (decision E7)', () => {
  it('returns the AND/OR tree of the CPE matches, even if the member cpe is not selected', async () => {
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
    const nodes = [cpe.slice(0, 2), cpe.slice(2)].map((cpe_match) => ({ operator: 'OR', negate: false, cpe_match }))
    expect(configurations).toEqual([{ operator: 'AND', negate: false, nodes }])
    expect(await readCve(id, '?include=configurations&fields=configurations')).toEqual({ configurations })
  })
})

describe('CVE aliases', () => {
  const advisory = 'RHSA-2021:5127'

  it('name all CVEs in an advisory', async () => {
    const [first, second] = ['CVE-2026-8001', 'CVE-2026-8002']
    await given(cve(first, { aliases: { [advisory]: 'redhat' } }), cve(second, { aliases: { [advisory]: 'redhat' } }))
    const { json } = await api.get(`/api/v1/alias/${encodeURIComponent(advisory)}`)
    expect(json.data).toEqual({ alias: advisory, cve_ids: [first, second], source: 'redhat' })
  })

  it('change the ETag of a CVE when they change', async () => {
    const readEtag = async () => (await get(BARE, '?include=aliases')).headers['etag']
    const before = await readEtag()
    await given(cve(BARE, { aliases: { 'PYSEC-2021-335': 'pypa' } }))
    await expect.poll(readEtag).not.toBe(before)
    expect(await readCve(BARE, '?fields=aliases&include=aliases')).toEqual({
      aliases: [{ alias: 'PYSEC-2021-335', source: 'pypa' }],
    })
  })
})

describe('A CVE that no source describes (decision E32)', () => {
  const KNOWN = 'CVE-2026-9001'
  const notFound = { code: 'NOT_FOUND', details: { known_to: ['epss', 'poc'] } }

  it('returns 404 that names the sources that know it, from the database and from memory, uncharged', async () => {
    await runStatements(
      database.url,
      `
      insert into source.epss_score values ('${KNOWN}', 0.1, 0.5, 'v1');
      insert into source.exploit_item (feed, id, kind, title, url, content_hash)
      values ('poc', '${KNOWN} 1', 'repository', 'someone/something', 'https://example.org', '');
      insert into source.exploit_item_cve values ('poc', '${KNOWN} 1', '${KNOWN}');
    `,
    )
    const key = createTestKey()
    await given(account('pro').withQuota(100).withCreditsLeft(100).withKey(key))
    for (const path of ['', '', '/detail', '/exploits', '/epss', '/history']) {
      const { status, json } = await api.get(`/api/v1/cve/${KNOWN}${path}`, { key: key.key })
      expect([path, status, json.error.code, json.error.details]).toEqual([path, 404, notFound.code, notFound.details])
    }
  })

  it('has no details if no source knows it', async () => {
    const { json } = await get('CVE-2026-9002')
    expect(json.error).toMatchObject({ code: 'NOT_FOUND' })
    expect(json.error).not.toHaveProperty('details')
  })
})

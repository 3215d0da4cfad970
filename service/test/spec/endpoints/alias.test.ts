import { describe, expect, it } from 'vitest'
import { cve } from '../../support/catalog/cve-builder.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService()

const [FIRST, SECOND, PLAIN] = ['CVE-2026-8001', 'CVE-2026-8002', 'CVE-2026-8003']
const GHSA = 'GHSA-jfh8-c2jp-5v3q'

await given(
  cve(FIRST, { aliases: { [GHSA]: 'ghsa', 'RHSA-2021:5127': 'reference', KB5008212: 'msrc' } }),
  cve(SECOND, { aliases: { 'RHSA-2021:5127': 'redhat' } }),
  cve(PLAIN),
)

const send = (alias: string, key?: string) =>
  api.get(`/api/v1/alias/${encodeURIComponent(alias)}`, key === undefined ? {} : { key })

const sendBatch = (body: object) =>
  api.send('POST', '/api/v1/cve/batch', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('GET /api/v1/alias/{alias}', () => {
  it('returns the CVE and the source of an alias', async () => {
    expect((await send(GHSA)).json.data).toEqual({ alias: GHSA, cve_ids: [FIRST], source: 'ghsa' })
  })

  it('returns all CVEs of an advisory, and a feed rather than a reference as the source', async () => {
    expect((await send('RHSA-2021:5127')).json.data).toEqual({
      alias: 'RHSA-2021:5127',
      cve_ids: [FIRST, SECOND],
      source: 'redhat',
    })
  })

  it('accepts any letter case and returns the usual spelling', async () => {
    expect((await send('ghsa-JFH8-c2jp-5V3Q')).json.data.alias).toBe(GHSA)
    expect((await send('kb5008212')).json.data.cve_ids).toEqual([FIRST])
  })

  it('answers ids of the authority 0 of GCVE with the CVE of the same number', async () => {
    expect((await send('GCVE-0-2026-8003')).json.data).toEqual({
      alias: 'GCVE-0-2026-8003',
      cve_ids: [PLAIN],
      source: 'gcve',
    })
    expect((await send('GCVE-0-2026-8999')).status).toBe(404)
  })

  it.each(['GHSA-2222-2222-2222', 'EUVD-2021-31351', 'GCVE-1-2025-0001', 'USN-5192-1'])(
    'returns 404 for %s and names the known forms and those that are not held',
    async (alias) => {
      const { status, json } = await send(alias)
      expect(status).toBe(404)
      expect(json.error.code).toBe('NOT_FOUND')
      expect(json.error.message).toContain(alias)
      expect(json.error.message).toContain('EUVD and GCVE are not held yet')
      expect(json.error.details.not_held).toEqual(['EUVD', 'GCVE'])
      expect(json.error.details.forms).toContainEqual({ form: 'GHSA', issuer: 'GitHub', example: GHSA })
    },
  )

  it('returns 400 for a CVE id and suggests the path of the CVE', async () => {
    const { status, json } = await send('cve-2021-44228')
    expect([status, json.error.parameter]).toEqual([400, 'alias'])
    expect(json.error.details.errors[0].did_you_mean).toBe('/api/v1/cve/CVE-2021-44228')
  })

  it.each(['x', 'GHSA jfh8', 'ghsa\u0000', 'ü'.repeat(10), 'a'.repeat(105)])('returns 400 for %j', async (alias) => {
    const { status, json } = await send(alias)
    expect([status, json.error.code, json.error.parameter]).toEqual([400, 'INVALID_PARAMETER', 'alias'])
  })
})

describe('include=aliases', () => {
  const EXPECTED = [
    { alias: GHSA, source: 'ghsa' },
    { alias: 'KB5008212', source: 'msrc' },
    { alias: 'RHSA-2021:5127', source: 'reference' },
  ]

  it('adds the aliases of a CVE to every form of the record', async () => {
    const single = (await api.get(`/api/v1/cve/${FIRST}?include=aliases`)).json.data.cve
    const [listed] = (await api.get(`/api/v1/cves?ids=${FIRST}&include=aliases`)).json.data.cves
    const batch = (await sendBatch({ cve_ids: [FIRST], include: ['aliases'] })).json.data.cves[FIRST]
    for (const record of [single, listed, batch]) expect(record.aliases).toEqual(EXPECTED)
    const recent = (await api.get('/api/v1/cves/recent?days=30&include=aliases')).json.data.cves
    expect(recent.find(({ cve_id }: { cve_id: string }) => cve_id === FIRST).aliases).toEqual(EXPECTED)
  })

  it('is an empty list for a CVE without aliases, and absent unless it is included', async () => {
    expect((await api.get(`/api/v1/cve/${PLAIN}?include=aliases`)).json.data.cve.aliases).toEqual([])
    expect((await api.get(`/api/v1/cve/${FIRST}`)).json.data.cve).not.toHaveProperty('aliases')
    expect((await api.get(`/api/v1/cves?ids=${FIRST}`)).json.data.cves[0]).not.toHaveProperty('aliases')
  })

  it('changes the ETag when the aliases of a CVE change', async () => {
    const id = 'CVE-2026-8004'
    const readEtag = async () => (await api.get(`/api/v1/cve/${id}?include=aliases`)).headers['etag']
    await given(cve(id))
    const before = await readEtag()
    await given(cve(id, { aliases: { 'ZDI-23-1471': 'reference' } }))
    await expect.poll(readEtag).not.toBe(before)
    expect((await api.get(`/api/v1/cve/${id}?include=aliases`)).json.data.cve.aliases).toEqual([
      { alias: 'ZDI-23-1471', source: 'reference' },
    ])
  })
})

describe('An alias in the place of a CVE id', () => {
  const path = `/api/v1/alias/${GHSA}`

  it.each(['', '/detail', '/exploits'])(
    'returns 400 and suggests the path of the alias: GET /cve/{alias}%s',
    async (end) => {
      const { status, json } = await api.get(`/api/v1/cve/${GHSA.toUpperCase()}${end}`)
      expect([status, json.error.code, json.error.parameter]).toEqual([400, 'INVALID_PARAMETER', 'cve-id'])
      expect(json.error.details.errors[0]).toMatchObject({ parameter: 'cve-id', did_you_mean: path })
      expect(json.error.message).toContain('GET /api/v1/alias/{alias}')
    },
  )

  it('is suggested for lists of ids as well', async () => {
    const search = await api.get(`/api/v1/cves?ids=${GHSA}`)
    expect(search.json.error.details.errors[0]).toMatchObject({ parameter: 'ids', did_you_mean: path })
    const batch = await sendBatch({ cve_ids: [FIRST, GHSA] })
    expect(batch.json.error.details.errors[0]).toMatchObject({ parameter: 'cve_ids', did_you_mean: path })
  })

  it('gives no suggestion for text that is neither', async () => {
    const { json } = await api.get('/api/v1/cve/nonsense')
    expect(json.error.details.errors[0]).not.toHaveProperty('did_you_mean')
  })
})

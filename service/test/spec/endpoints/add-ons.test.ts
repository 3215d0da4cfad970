import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { cve } from '../../support/catalog/cve-builder.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService()

const ID = 'CVE-2026-5001'
await given(
  cve(ID, {
    epss: [0.5, 0.9],
    kev: { dateAdded: '2026-08-10' },
    euKevSince: '2026-08-18',
    cpeCount: 2,
    configurations: [
      [
        'AND',
        [
          ['OR', [0, 1]],
          ['OR', [1, 1]],
        ],
      ],
    ],
  }),
)

const batch = (body: object) =>
  api.send('POST', '/api/v1/cve/batch', {
    body: JSON.stringify({ cve_ids: [ID], ...body }),
    headers: { 'Content-Type': 'application/json' },
  })

describe('Add-ons of the single and the batch form only (decision D2)', () => {
  it('returns configurations in a batch, also if the member cpe is not selected', async () => {
    const { configurations } = (await batch({ include: ['configurations'] })).json.data.cves[ID]
    expect(configurations).toMatchObject([{ operator: 'AND', nodes: [{ operator: 'OR' }, { operator: 'OR' }] }])
    const { cves } = (await batch({ include: 'configurations', fields: 'configurations' })).json.data
    expect(cves[ID]).toEqual({ configurations })
  })

  it('returns the sources of a single CVE and in a batch, with the day of the EPSS score', async () => {
    const { sources } = (await api.get(`/api/v1/cve/${ID}?include=sources`)).json.data.cve
    const nvd = { source: 'nvd', time: '2026-08-02T11:00:00Z' }
    expect(sources).toEqual({
      source_tag: { from: [nvd] },
      description: { from: [nvd] },
      cvss_v3_1: { from: [nvd] },
      epss: { from: [{ source: 'epss', date: '2026-08-21' }] },
    })
    expect((await batch({ include: 'sources' })).json.data.cves[ID].sources).toEqual(sources)
  })

  it('returns the KEV catalogs that list a single CVE, also in a batch (decision E23)', async () => {
    const { exploits } = (await api.get(`/api/v1/cve/${ID}?include=exploits`)).json.data.cve
    expect(exploits.kev_catalogs).toEqual([
      { name: 'cisa', since: '2026-08-10', removed_at: null, first: true },
      { name: 'eu', since: '2026-08-18', removed_at: null, first: false },
    ])
    const { cves } = (await batch({ include: 'exploits', fields: ['cve_id', 'exploits'] })).json.data
    expect(cves[ID]).toEqual({ cve_id: ID, exploits })
  })

  it('returns the maturity, the counts and at most 50 items of evidence of exploits', async () => {
    await given(cve('CVE-2026-5002', { repositoryCount: 60 }))
    const { exploits } = (await api.get('/api/v1/cve/CVE-2026-5002?include=exploits')).json.data.cve
    const { evidence, ...others } = exploits
    expect(others).toEqual({
      maturity: 'poc',
      verified: false,
      first_public: '2026-01-01',
      kev_added: null,
      counts: { repository: 60 },
      kev_catalogs: [],
    })
    expect(evidence).toHaveLength(50)
    expect(evidence[0]).toEqual({
      kind: 'repository',
      date: '2026-01-01',
      date_is: 'creation',
      id: 'someone/repository-0',
      url: 'https://github.com/someone/repository-0',
      maturity: 'poc',
    })
  })

  it('returns no exploits member unless include names it', async () => {
    expect((await api.get(`/api/v1/cve/${ID}`)).json.data.cve).not.toHaveProperty('exploits')
    expect((await api.get(`/api/v1/cve/${ID}?fields=cve_id,exploits`)).json.data.cve).toEqual({ cve_id: ID })
  })

  it('returns the same sources on every plan (decision E15)', async () => {
    const [free, enterprise] = [createTestKey(), createTestKey()]
    await given(account('free').withKey(free), account('enterprise').withKey(enterprise))
    const read = async ({ key }: { key: string }) =>
      (await api.get(`/api/v1/cve/${ID}?include=sources`, { key })).json.data
    expect(await read(free)).toEqual(await read(enterprise))
  })

  it.each(['/api/v1/cves', '/api/v1/cves/recent'])(
    'says nothing about other places for a typing error in %s',
    async (path) => {
      const { json } = await api.get(`${path}?include=enrichmint`)
      expect(json.error.message).not.toContain('available')
      expect(json.error.details.errors[0].did_you_mean).toBe('enrichment')
    },
  )
})

import { describe, expect, it } from 'vitest'
import { explainAdvisory, findAdvisory, isAdvisoryId } from '../../../src/catalog/reports/advisories.ts'
import { createCatalogHarness } from '../catalog-setup.ts'

const { context, selectRows } = await createCatalogHarness()

const record = {
  advisories: ['GO-2024-0001'],
  aliases: ['GHSA-2222-3333-4444'],
  title: 'Request smuggling\u001b[2J in larkfield',
  published: '2024-05-06T07:08:09Z',
  modified: '2026-08-01T10:00:00Z',
  withdrawn: false,
  severity: 'HIGH',
  scores: [{ vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N', base_score: null }],
  weaknesses: ['CWE-444'],
  products: [
    { vendor: 'Go', product: 'example.org/lark', purl: 'pkg:golang/example.org/lark', introduced: '1.0', fixed: '1.2' },
    { vendor: 'Go', product: 'example.org/wing', purl: null, last_affected: '3' },
    { vendor: 'Go', product: 'example.org/beak', purl: null },
  ],
  references: [{ url: 'https://pkg.go.dev/vuln/GO-2024-0001', tags: [] }],
}

await selectRows(`
  insert into source.osv_advisory (feed, id, modified, record, content_hash)
  values ('osv-go', 'GO-2024-0001', '2026-08-01T10:00:00Z', '${JSON.stringify(record)}', ''),
         ('osv-bitnami', 'BIT-larkfield-2024-0001', '2026-08-01T10:00:00Z', '{}', '')
`)
await selectRows(`
  insert into source.osv_advisory_cve (feed, advisory_id, cve_id)
  values ('osv-go', 'GO-2024-0001', 'CVE-2024-0002'), ('osv-go', 'GO-2024-0001', 'CVE-2024-0001')
`)
await selectRows(`
  insert into source.ghsa_advisory (ghsa_id, cve_id, content_hash, modified, record)
  values ('GHSA-2222-3333-4444', null, '', '2026-08-01T10:00:00Z', '{"withdrawn": true}')
`)

const find = (id: string) => findAdvisory(context.session.db, id)

describe('Explanation of an advisory', () => {
  it("lists an advisory's source, CVEs, aliases, package ranges and references", async () => {
    const advisory = await find('GO-2024-0001')
    if (!advisory) throw new Error('the advisory was not found')

    expect(explainAdvisory(advisory).map(({ name, value }) => [name, value])).toEqual([
      ['source', 'osv-go'],
      ['cve', 'CVE-2024-0001, CVE-2024-0002'],
      ['alias', 'GHSA-2222-3333-4444'],
      ['title', 'Request smuggling [2J in larkfield'],
      ['published', '2024-05-06T07:08:09Z'],
      ['modified', '2026-08-01T10:00:00Z'],
      ['withdrawn', 'no'],
      ['severity', 'HIGH'],
      ['score', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N'],
      ['weakness', 'CWE-444'],
      ['affected', 'pkg:golang/example.org/lark (Go) from 1.0 before 1.2'],
      ['affected', 'example.org/wing (Go) up to 3'],
      ['affected', 'example.org/beak (Go) all versions'],
      ['reference', 'https://pkg.go.dev/vuln/GO-2024-0001'],
    ])
  })

  it('shows that an advisory is withdrawn and names no CVE', async () => {
    const advisory = await find('GHSA-2222-3333-4444')
    expect(advisory && explainAdvisory(advisory)).toEqual([
      { name: 'source', value: 'ghsa' },
      { name: 'cve', value: 'none' },
      { name: 'withdrawn', value: 'yes' },
    ])
  })

  it.each(['go-2024-0001', 'ghsa-2222-3333-4444', 'GHSA-2222-3333-4444', 'BIT-LARKFIELD-2024-0001'])(
    'finds the advisory %s in any letter case',
    async (id) => {
      expect((await find(id))?.id.toLowerCase()).toBe(id.toLowerCase())
    },
  )

  it('finds nothing for an unknown advisory id', async () => {
    expect(await find('PYSEC-2024-9')).toBeUndefined()
  })

  it.each([
    'GHSA-jfh8-c2jp-5v3q',
    'GO-2021-0113',
    'RUSTSEC-2016-0001',
    'PYSEC-2021-335',
    'BIT-a-2020-1',
    'ALSA-2025:10073',
  ])('recognises the id %s', (id) => {
    expect(isAdvisoryId(id)).toBe(true)
  })

  it.each(['CVE-2021-44228', 'RHSA-2024:1', 'GO', ''])('does not recognise %j as an advisory id', (id) => {
    expect(isAdvisoryId(id)).toBe(false)
  })
})

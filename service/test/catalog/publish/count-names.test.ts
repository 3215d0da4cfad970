import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../catalog-setup.ts'
import { configuration, cpe, cveListRecord, nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
const [FIRST, SECOND] = ['CVE-2024-0001', 'CVE-2024-0002']

beforeEach(() => catalog.reset())

const readCounts = async () => {
  const rows = await catalog.selectRows<{ kind: string; name: string; cve_count: number }>(
    'select kind, name, cve_count from catalog.name_count order by kind, name',
  )
  return Object.fromEntries(rows.map(({ kind, name, cve_count }) => [`${kind} ${name}`, cve_count]))
}

const weakness = (id: string) => ({
  weaknesses: [{ source: 'nvd@nist.gov', type: 'Primary', description: [{ lang: 'en', value: id }] }],
})

describe('Publisher: name counts', () => {
  it('counts a CVE once for each of its names, however many products of one vendor it has', async () => {
    const configurations = [configuration([{ criteria: cpe('router') }, { criteria: cpe('switch') }])]
    await catalog.storeRecord('nvd', FIRST, nvdRecord(FIRST, { configurations }))
    await catalog.storeRecord('cve', FIRST, cveListRecord(FIRST))
    await catalog.storeRecord('nvd', SECOND, nvdRecord(SECOND))
    await catalog.publish()
    expect(await readCounts()).toMatchObject({ 'assigner routers': 1, 'cwe CWE-20': 2, 'vendor examplesoft': 2 })
  })

  it('changes the counts with the names of a CVE, and removes names that no CVE has', async () => {
    await catalog.storeRecord('nvd', FIRST, nvdRecord(FIRST))
    await catalog.storeRecord('nvd', SECOND, nvdRecord(SECOND))
    await catalog.publish()
    await catalog.storeRecord('nvd', FIRST, nvdRecord(FIRST, weakness('CWE-79')), '2026-08-21T00:00:00Z')
    await catalog.publish()
    expect(await readCounts()).toMatchObject({ 'cwe CWE-20': 1, 'cwe CWE-79': 1, 'vendor examplesoft': 2 })
    await catalog.storeRecord('nvd', SECOND, nvdRecord(SECOND, weakness('CWE-79')), '2026-08-21T00:00:00Z')
    await catalog.publish()
    const counts = await readCounts()
    expect(counts).toMatchObject({ 'cwe CWE-79': 2 })
    expect(counts).not.toHaveProperty('cwe CWE-20')
  })

  it('leaves the counts unchanged when the same CVEs are published again', async () => {
    await catalog.storeRecord('nvd', FIRST, nvdRecord(FIRST))
    await catalog.publish()
    const before = await readCounts()
    await catalog.storeRecord(
      'nvd',
      FIRST,
      nvdRecord(FIRST, { descriptions: [{ lang: 'en', value: 'Another text.' }] }),
      '2026-08-21T00:00:00Z',
    )
    await catalog.publish()
    expect(await readCounts()).toEqual(before)
  })

  it('no longer counts a CVE that is removed', async () => {
    await catalog.storeKev([{ cveId: FIRST, dateAdded: '2026-08-19' }])
    await catalog.storeRecord('nvd', SECOND, nvdRecord(SECOND))
    await catalog.publish()
    const before = await readCounts()
    await catalog.storeKev([])
    expect(await catalog.publish()).toMatchObject({ removed: 1 })
    const after = await readCounts()
    for (const [name, count] of Object.entries(before)) expect(after[name] ?? 0, name).toBeLessThanOrEqual(count)
    expect(after).toMatchObject({ 'vendor examplesoft': 1 })
  })

  it('stores the title of a weakness', async () => {
    await catalog.selectRows(`
      insert into source.weakness (cwe_id, kind, name, status, is_deprecated, description, content_hash)
      values ('CWE-20', 'weakness', 'Improper check of input', 'Stable', false, 'A text.', '')
    `)
    await catalog.storeRecord('nvd', FIRST, nvdRecord(FIRST))
    await catalog.publish()
    expect(await catalog.selectRows("select title from catalog.name_count where name = 'CWE-20'")).toEqual([
      { title: 'Improper check of input' },
    ])
  })
})

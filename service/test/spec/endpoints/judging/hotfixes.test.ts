// A vendor whose record in the CVE List has one range per branch, and whose own document lists the hotfix of each release.
import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../../catalog/catalog-setup.ts'
import { advisory, storeCsaf } from '../../../catalog/csaf-documents.ts'
import { cveListRecord } from '../../../catalog/source-fixtures.ts'
import { claimComplete } from '../../../support/coverage.ts'
import { startTestService } from '../../../support/service.ts'

const service = await startTestService()
const catalog = await createCatalogHarness(service.database.url)
const { db } = catalog.context.session

const FIXES = ['7.2.0-h3', '7.2.3-h13', '7.2.9-h1', '8.1.0-h3', '8.1.1-h1', '8.1.2-h3']
const named = (product: string) => ({
  category: 'product_name',
  name: product,
  branches: FIXES.map((version) => ({
    category: 'product_version_range',
    name: `vers:generic/>=${version}`,
    product: { name: `Acme ${product}`, product_id: `${product}-${version}` },
  })),
})
const PRODUCTS = ['Firewall', 'Longwall', 'Drywall', 'Plainwall']
const tree = { branches: [{ category: 'vendor', name: 'Acme', branches: PRODUCTS.map(named) }] }

const vectorString = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
const URGENT = {
  metrics: [{ cvssV3_1: { version: '3.1', vectorString, baseScore: 9.8 } }],
  references: [{ url: 'https://acme.example/exploit', tags: ['exploit'] }],
}
const branch = (version: string, lessThan: string) => ({ version, lessThan, status: 'affected', versionType: 'custom' })
const BRANCHES = [branch('7.2.0', '7.2.9-h1'), branch('8.1.0', '8.1.2-h3')]

async function store(
  id: string,
  product: string,
  { source = 'csaf-paloalto' as const, versions = BRANCHES, marks = [] as readonly string[] } = {},
): Promise<void> {
  const entry = { vendor: 'Acme', product, defaultStatus: 'unaffected', versions }
  await catalog.storeRecord('cve', id, cveListRecord(id, { affected: [entry], ...URGENT }))
  const toIds = (fixes: readonly string[]) => fixes.map((each) => `${product}-${each}`)
  const status = { fixed: toIds(FIXES), ...(marks.length > 0 && { known_affected: toIds(marks) }) }
  await storeCsaf(db, source, advisory(id, id, { product_status: status }, { tree }))
}

await store('CVE-2026-2001', 'Firewall', { marks: ['7.2.0-h3', '8.1.0-h3'] })
await store('CVE-2026-2002', 'Longwall', { versions: [branch('7.2.0', '7.2.10'), branch('8.1.0', '8.1.2-h3')] })
await store('CVE-2026-2003', 'Plainwall', { marks: ['7.2.0-h3', '7.2.3-h13'] })
await store('CVE-2026-2004', 'Drywall', { source: 'csaf-cisa' as never })
await catalog.publish()
await catalog.selectRows(claimComplete(['nvd', 'cve', 'kev', 'eukev', 'overrides'], service.clock.now()))

async function match(product: string, version: string) {
  const body = JSON.stringify({ components: [{ vendor: 'Acme', product, version }] })
  return (await service.api.send('POST', '/api/v1/match', { body })).json.data.components[0]
}

describe('POST /api/v1/match: hotfixes that a vendor lists for each release', () => {
  it.each([
    ['7.2.0', 'affected'],
    ['7.2.0-h3', 'not_affected'],
    ['7.2.3', 'affected'],
    ['7.2.3-h12', 'affected'],
    ['7.2.3-h13', 'not_affected'],
    ['7.2.3-h14', 'not_affected'],
    ['7.2.4', 'affected'],
    ['7.2.9', 'affected'],
    ['7.2.9-h1', 'not_affected'],
    ['7.2.10', 'not_affected'],
    ['8.1.0', 'affected'],
    ['8.1.0-h3', 'not_affected'],
    ['8.1.1', 'affected'],
  ])('%s is %s', async (version, verdict) => {
    expect(await match('Firewall', version)).toMatchObject({ verdict })
  })

  it('recommends the hotfix of the same release, before the fix of the branch', async () => {
    const { matches, upgrade_to: upgrade } = await match('Firewall', '7.2.3')
    expect(matches[0].fixed_in.map((each: { version: string }) => each.version)).toEqual(['7.2.3-h13', '7.2.9-h1'])
    expect(matches[0].statement.text).toContain('acme firewall from 7.2.0 before 7.2.9-h1; 7.2.3 is inside.')
    expect(upgrade).toMatchObject({ version: '7.2.3-h13', seen_in: 'fixed_version', clean_version: '7.2.3-h13' })
    expect(await match('Firewall', '8.1.0')).toMatchObject({ upgrade_to: { version: '8.1.0-h3' } })
  })

  it('names no hotfix of another release', async () => {
    const { matches, upgrade_to: upgrade } = await match('Firewall', '7.2.4')
    expect(matches[0].fixed_in.map((each: { version: string }) => each.version)).toEqual(['7.2.9-h1'])
    expect(upgrade).toMatchObject({ version: '7.2.9-h1' })
  })

  it('a range that ends with a fix that the document does not name stays whole', async () => {
    expect(await match('Longwall', '7.2.3-h13')).toMatchObject({ verdict: 'possibly_affected' })
    expect(await match('Longwall', '7.2.9-h1')).toMatchObject({ verdict: 'possibly_affected' })
    expect(await match('Longwall', '8.1.0-h3')).toMatchObject({ verdict: 'not_affected' })
  })

  it('a hotfix that the document also calls affected decides nothing', async () => {
    expect(await match('Plainwall', '7.2.3-h13')).toMatchObject({ verdict: 'affected' })
    expect(await match('Plainwall', '8.1.0-h3')).toMatchObject({ verdict: 'not_affected' })
  })

  it('the list of a coordinator divides no range', async () => {
    expect(await match('Drywall', '7.2.3-h13')).toMatchObject({ verdict: 'affected' })
  })
})

import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../../catalog/catalog-setup.ts'
import { nvdRating, nvdRecord } from '../../../catalog/source-fixtures.ts'
import { startTestService } from '../../../support/service.ts'

const { api, database } = await startTestService()
const catalog = await createCatalogHarness(database.url)

const range = (product: string, versionEndExcluding: string, versionStartIncluding?: string) => ({
  vulnerable: true,
  criteria: `cpe:2.3:a:examplesoft:${product}:*:*:*:*:*:*:*:*`,
  versionEndExcluding,
  ...(versionStartIncluding && { versionStartIncluding }),
})
const NETWORK = nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8)
const LOCAL = nvdRating('CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.8)
const store = async (id: string, rating: typeof NETWORK, ...cpeMatch: readonly object[]) => {
  // An exploit reference raises a CVE that can be attacked over the network to P2 or above.
  const references = rating === NETWORK ? [{ url: `https://example.org/${id}`, tags: ['Exploit'] }] : []
  const configurations = [{ nodes: [{ operator: 'OR', negate: false, cpeMatch }] }]
  await catalog.storeRecord(
    'nvd',
    id,
    nvdRecord(id, { metrics: { cvssMetricV31: [rating] }, configurations, references }),
  )
}

// The first fix of the newest branch has a second urgent flaw, and its next version a harmless one.
await store('CVE-2026-2001', NETWORK, range('logger', '2.12.2', '2.4.0'), range('logger', '2.15.0', '2.13.0'))
await store('CVE-2026-2002', NETWORK, range('logger', '2.12.3', '2.12.2'), range('logger', '2.16.0', '2.13.0'))
await store('CVE-2026-2003', LOCAL, range('logger', '2.12.4', '2.12.0'), range('logger', '2.17.1', '2.13.0'))
await store('CVE-2026-2004', LOCAL, range('viewer', '1.2'))
await store('CVE-2026-2005', NETWORK, range('editor', '3.1'))
await store('CVE-2026-2006', NETWORK, range('editor', '9.9'), {
  vulnerable: true,
  criteria: 'cpe:2.3:a:examplesoft:editor:9.9:*:*:*:*:*:*:*',
})
await store('CVE-2026-2007', NETWORK, range('parser', '1.5'))
await store('CVE-2026-2008', NETWORK, range('parser', 'beta-kappa', 'beta-alpha'))
await catalog.publish()

const matchOne = async (product: string, version: string) => {
  const body = JSON.stringify({ components: [{ vendor: 'ExampleSoft', product, version }] })
  return (await api.send('POST', '/api/v1/match', { body })).json.data.components[0]
}

describe('POST /api/v1/match: the clean version (decision E36)', () => {
  it("is the lowest version in the component's branch without an urgent match, unlike the upgrade", async () => {
    const { upgrade_to: target } = await matchOne('logger', '2.12.1')
    expect(target).toEqual({
      version: '2.12.4',
      seen_in: 'range_end',
      clean_version: '2.12.3',
      branch: '2.12',
      not_clean: null,
    })
  })

  it('is not the first fixed version if that has another urgent match (CVE-2021-44228)', async () => {
    const component = await matchOne('logger', '2.14.1')
    expect(component.matches[0].fixed_in).toMatchObject([{ product: 'logger', branch: null }])
    expect(component.upgrade_to).toMatchObject({ version: '2.17.1', clean_version: '2.16.0', branch: null })
  })

  it('comes with the fixed version of the branch', async () => {
    const { matches } = await matchOne('logger', '2.12.1')
    expect(matches.find(({ id }: { readonly id: string }) => id === 'CVE-2026-2001').fixed_in).toEqual([
      { product: 'logger', branch: '2.12', version: '2.12.2', source: 'nvd' },
    ])
  })

  it.each([
    ['no_urgent_match', 'viewer', '1.1'],
    ['none_known', 'editor', '9.8'],
    ['unordered', 'parser', '1.4'],
  ])('is null with the reason %s for %s %s', async (reason, product, version) => {
    const { upgrade_to: target } = await matchOne(product, version)
    expect(target).toMatchObject({ clean_version: null, not_clean: reason })
  })
})

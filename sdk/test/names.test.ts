import { describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { countedNames } from '../../service/test/support/catalog/cve-names.ts'
import { startSdkSetup } from './sdk-setup.ts'

const service = await startSdkSetup()
await service.given(
  cve('CVE-2026-0001', {
    score: 9.8,
    products: ['fortinet/fortios'],
    aliases: { 'GHSA-jfh8-c2jp-5v3q': 'ghsa', 'RHSA-2021:5127': 'redhat' },
  }),
  cve('CVE-2026-0002', { score: 5, products: ['fortinet/fortiweb'], kev: {} }),
  countedNames(),
)
const client = await service.client()

describe('client.facets', () => {
  it('counts the values of the CVEs that match the filters', async () => {
    expect(await client.facets(['severity', 'product'], { kev: true, facet_size: 5 })).toEqual({
      total: 1,
      facets: { severity: [{ value: 'medium', count: 1 }], product: [{ value: 'fortiweb', count: 1 }] },
    })
  })

  it('rejects an unknown facet with a suggestion', async () => {
    await expect(
      // @ts-expect-error There is no such facet.
      client.facets(['severty']),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMETER', parameter: 'facets' })
  })
})

describe('client.suggest', () => {
  it('returns names with the number of their CVEs', async () => {
    expect(await client.suggest('vendor', 'fortient')).toEqual([{ value: 'fortinet', count: 2 }])
    expect(await client.suggest('product', 'forti', { limit: 1 })).toEqual([
      { value: 'fortios', vendor: 'fortinet', count: 1 },
    ])
  })
})

describe('client.alias', () => {
  it('returns the CVEs of an advisory, and escapes its id', async () => {
    expect(await client.alias('rhsa-2021:5127')).toEqual({
      alias: 'RHSA-2021:5127',
      cve_ids: ['CVE-2026-0001'],
      source: 'redhat',
    })
  })

  it('rejects with NOT_FOUND if no CVE has the alias', async () => {
    await expect(client.alias('GHSA-2222-2222-2222')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('returns the aliases of a CVE as an add-on', async () => {
    const { aliases } = await client.cve('CVE-2026-0001', { include: ['aliases'] })
    expect(aliases?.map(({ alias }) => alias)).toEqual(['GHSA-jfh8-c2jp-5v3q', 'RHSA-2021:5127'])
  })
})

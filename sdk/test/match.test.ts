import { describe, expect, it } from 'vitest'
import { freshDatasets, publishExamples } from '../../service/test/support/catalog/example-catalog.ts'
import { COVERAGE_GAPS } from '../src/generated/vocabulary.ts'
import { startSdkSetup } from './sdk-setup.ts'

const service = await startSdkSetup()
await publishExamples(service.database.url)
await service.given(...freshDatasets)
const client = await service.client()

describe('client.match', () => {
  it('says which CVEs affect a component, and which version to upgrade to', async () => {
    const { components, overview } = await client.match(
      [{ ref: 'shop', vendor: 'apache', product: 'log4j', version: '2.14.1' }],
      { priority_max: 'P0' },
    )

    expect(components).toMatchObject([
      { ref: 'shop', verdict: 'affected', matches: [{ id: 'CVE-2021-44228' }], upgrade_to: { version: '2.15.0' } },
    ])
    expect(overview.by_verdict.affected).toBe(1)
  })

  it('names the planned version, and what is not covered with a sentence for its gap', async () => {
    const { components, fix_plan, overview } = await client.match([
      { cpe: 'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*' },
      { purl: 'pkg:generic/acme-tool@1.0' },
    ])

    expect(fix_plan).toMatchObject([
      { from_version: '2.14.1', to_version: '2.15.0', resolves_total: 1, remains: [], indexes: [0] },
    ])
    expect(components[1]).toMatchObject({ verdict: 'not_covered', coverage: [] })
    expect(COVERAGE_GAPS[components[1]?.coverage_gap ?? 'stale']).toBe(COVERAGE_GAPS.no_source)
    expect([overview.by_verdict.not_covered, overview.by_coverage_gap.no_source, overview.oldest_data?.source]).toEqual(
      [1, 1, 'overrides'],
    )
  })

  it('rejects with the path of an invalid member', async () => {
    await expect(client.match([{ cpe: 'log4j 2.14.1' }])).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      parameter: 'components[0].cpe',
    })
  })
})

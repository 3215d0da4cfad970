import { describe, expect, it } from 'vitest'
import { publishExamples } from '../../service/test/support/catalog/example-catalog.ts'
import { startSdkSetup } from './sdk-setup.ts'

const service = await startSdkSetup()
await publishExamples(service.database.url)
const client = await service.client()

describe('client.match', () => {
  it('says which CVEs affect a component, and which version to upgrade to', async () => {
    const { components, summary } = await client.match(
      [{ ref: 'shop', vendor: 'apache', product: 'log4j', version: '2.14.1' }],
      { priority_max: 'P0' },
    )

    expect(components).toMatchObject([
      { ref: 'shop', verdict: 'affected', matches: [{ id: 'CVE-2021-44228' }], upgrade_to: { version: '2.15.0' } },
    ])
    expect(summary.affected).toBe(1)
  })

  it('rejects with the path of an invalid member', async () => {
    await expect(client.match([{ cpe: 'log4j 2.14.1' }])).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      parameter: 'components[0].cpe',
    })
  })
})

import { describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { epssHistory, epssMovers } from '../../service/test/support/catalog/epss-history.ts'
import { startSdkSetup } from './sdk-setup.ts'

const [ID, OTHER] = ['CVE-2026-0001', 'CVE-2026-0002']
const service = await startSdkSetup()
await service.given(
  cve(ID, { kev: {} }),
  cve(OTHER),
  epssHistory({ '2026-08-20': { [ID]: [0.1, 0.9] }, '2026-08-21': { [ID]: [0.4, 0.97] } }),
  epssMovers({ [ID]: [0.1, 0.4], [OTHER]: [0.1, 0.2] }),
)
const client = await service.client()

describe('client.epssSeries', () => {
  it('returns the scores in a window, and says why there is no LEV', async () => {
    const { series, lev, no_lev_reason, first_scored } = await client.epssSeries(ID, {
      from: '2026-08-21',
      to: '2026-08-21',
    })
    expect(series).toEqual([{ date: '2026-08-21', score: 0.4, percentile: 0.97, model: 'v2026.06.15' }])
    expect([lev, no_lev_reason, first_scored]).toEqual([null, 'exploited', '2026-08-20'])
  })

  it('rejects with NOT_FOUND for an unknown CVE', async () => {
    await expect(client.epssSeries('CVE-1999-9999')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('client.epssMovers', () => {
  it('reads all pages, and returns the window with each page', async () => {
    const movers = client.epssMovers({ days: 1, limit: 1 })
    expect(await Array.fromAsync(movers, ({ cve_id, delta }) => [cve_id, delta])).toEqual([
      [ID, 0.3],
      [OTHER, 0.1],
    ])
    expect((await movers.page()).window).toEqual({
      days: 1,
      from: '2026-08-20',
      to: '2026-08-21',
      comparable: true,
      not_comparable_reason: null,
    })
  })
})

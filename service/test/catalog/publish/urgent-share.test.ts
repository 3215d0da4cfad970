import { beforeEach, describe, expect, it } from 'vitest'
import { describeUrgentShare, isShareTooLarge } from '../../../src/catalog/publish/urgent-share.ts'
import { findLevelOfRank, listRanks } from '../../../src/domain/priority/policy.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
beforeEach(() => catalog.reset())

describe('Proportion of CVEs with the priority P0 or P1', () => {
  it('is reported by every publication that publishes something', async () => {
    for (const id of ['CVE-2026-1000', 'CVE-2026-1001', 'CVE-2026-1002'])
      await catalog.storeRecord('nvd', id, nvdRecord(id))
    await catalog.storeKev([{ cveId: 'CVE-2026-1000' }])
    expect((await catalog.publish()).urgentShare).toEqual({ urgent: 1, cves: 3 })
    expect((await catalog.publish()).urgentShare).toBeUndefined()
  })

  it.each([
    [251, 10_000, false],
    [250, 10_001, false],
    [251, 10_001, true],
    [6500, 260_000, false],
    [6501, 260_000, true],
  ])('of %d among %d CVEs is too large: %s', (urgent, cves, isTooLarge) => {
    expect(isShareTooLarge({ urgent, cves })).toBe(isTooLarge)
  })

  it('is described with numbers and the next step', () => {
    expect(describeUrgentShare({ urgent: 7000, cves: 260_000 })).toBe(
      '7000 of 260000 CVEs (2.69 %) have the priority P0 or P1, more than 2.5 %; check the feeds kev, eukev and epss with vis-server catalog priorities',
    )
  })
})

describe('Priority in the catalog', () => {
  const ID = 'CVE-2026-1000'
  const readRank = () => catalog.selectRows('select priority, ssvc from catalog.cve')

  it('follows KEV, EU KEV and EPSS, and the change log names it', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    const [before] = await readRank()
    await catalog.storeEpss('2026-08-20', { [ID]: 0.25 })
    await catalog.publish()
    expect(await readRank()).toEqual([
      { ...(before as object), priority: expect.toSatisfy((rank) => findLevelOfRank(rank) === 'P2') },
    ])
    expect(await catalog.selectRows('select fields from catalog.change order by seq desc limit 1')).toEqual([
      { fields: ['priority'] },
    ])
    await catalog.storeEuKev({ [ID]: '2026-08-21' })
    await catalog.publish()
    expect(await readRank()).toEqual([
      { priority: expect.toSatisfy((rank) => rank >= listRanks('P1').min), ssvc: expect.any(Number) },
    ])
    await catalog.storeEuKev({})
    await catalog.storeKev([{ cveId: ID }])
    await catalog.publish()
    expect(await readRank()).toEqual([
      { priority: expect.toSatisfy((rank) => rank >= listRanks('P1').min), ssvc: expect.any(Number) },
    ])
    await catalog.storeKev([])
    await catalog.publish()
    expect(await readRank()).toEqual([
      { ...(before as object), priority: expect.toSatisfy((rank) => findLevelOfRank(rank) === 'P2') },
    ])
  })

  it('is computed again for every CVE after the policy version changed', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    const before = await readRank()
    await catalog.selectRows("update catalog.cve set priority = 4999, content_hash = ''")
    await catalog.publish()
    expect(await readRank()).toEqual([{ ...(before[0] as object), priority: 4999 }])
    await catalog.selectRows("update catalog.resolver_inputs set policy_version = '2025-01'")
    await catalog.publish()
    expect(await readRank()).toEqual(before)
  })
})

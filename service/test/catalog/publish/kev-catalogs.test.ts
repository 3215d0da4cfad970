import { beforeEach, describe, expect, it } from 'vitest'
import { formatInstant } from '../../../src/domain/instant.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
const ID = 'CVE-2024-0001'
const NAMES = { vendor: 'Example Networks', product: 'Example Router' }

beforeEach(() => catalog.reset())

const readPublished = async () => {
  const rows = await catalog.selectRows<{ listed: boolean; exploits: string }>(
    'select in_eu_kev as listed, exploits from catalog.cve join catalog.cve_document using (cve_key)',
  )
  return rows.map(({ listed, exploits }) => ({ listed, kev_catalogs: JSON.parse(exploits)?.kev_catalogs ?? [] }))
}
const countChanges = async () =>
  (await catalog.selectRows('select from catalog.change where cve_key is not null')).length

describe('Publisher: EU KEV (decision E23)', () => {
  it('publishes an added, a changed and a removed entry with its CVE', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    expect(await readPublished()).toEqual([{ listed: false, kev_catalogs: [] }])

    await catalog.storeEuKev({ [ID]: '2026-08-18' })
    expect(await catalog.publish()).toMatchObject({ changed: 1 })
    const entry = { name: 'eu', ...NAMES, since: '2026-08-18', removed_at: null, first: true }
    expect(await readPublished()).toEqual([{ listed: true, kev_catalogs: [entry] }])

    await catalog.storeEuKev({ [ID]: '2026-08-17' })
    await catalog.publish()
    expect(await readPublished()).toMatchObject([{ kev_catalogs: [{ since: '2026-08-17' }] }])

    const removedAt = formatInstant(catalog.clock.now())
    await catalog.storeEuKev({})
    await catalog.publish()
    expect(await readPublished()).toEqual([
      {
        listed: false,
        kev_catalogs: [{ name: 'eu', ...NAMES, since: '2026-08-17', removed_at: removedAt, first: true }],
      },
    ])
    expect(await countChanges()).toBe(4)
    const logged = await catalog.selectRows('select types, upstream_day::text as day from catalog.change order by seq')
    expect(logged).toMatchObject([
      { types: ['published'] },
      { types: expect.arrayContaining(['eu_kev_added']), day: '2026-08-18' },
      { types: ['updated'], day: null },
      { types: expect.arrayContaining(['eu_kev_removed']), day: removedAt.slice(0, 10) },
    ])
  })

  it("publishes the removal of an entry from CISA's KEV catalog", async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.storeKev([{ cveId: ID, dateAdded: '2026-08-19' }])
    await catalog.storeEuKev({ [ID]: '2026-08-20' })
    await catalog.publish()
    expect(await readPublished()).toMatchObject([
      { kev_catalogs: [{ name: 'cisa', removed_at: null }, { name: 'eu' }] },
    ])

    const removedAt = formatInstant(catalog.clock.now())
    await catalog.storeKev([])
    await catalog.publish()
    expect(await readPublished()).toEqual([
      {
        listed: true,
        kev_catalogs: [
          { name: 'cisa', ...NAMES, since: '2026-08-19', removed_at: removedAt, first: true },
          { name: 'eu', ...NAMES, since: '2026-08-20', removed_at: null, first: false },
        ],
      },
    ])
  })

  it('publishes a CVE that only EU KEV lists (decision E32)', async () => {
    await catalog.storeEuKev({ [ID]: '2026-08-18' })
    expect(await catalog.publish()).toMatchObject({ added: 1, setAside: 0 })
    expect(await readPublished()).toMatchObject([{ listed: true, kev_catalogs: [{ name: 'eu' }] }])
  })

  it('writes nothing when an entry changes in a member that no response contains', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.storeEuKev({ [ID]: '2026-08-18' })
    await catalog.publish()
    await catalog.selectRows("update source.eu_kev_entry set origin = 'CERT-YY'")
    await catalog.storeEuKev({ [ID]: '2026-08-18' })
    expect(await catalog.publish()).toMatchObject({ changed: 0 })
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
beforeEach(() => catalog.reset())

const ID = 'CVE-2026-1000'

describe('Publisher: words of a CVE', () => {
  it('are those of the new description after the description changed', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    const text = 'Example Router accepts unsigned firmware.'
    await catalog.storeRecord('nvd', ID, { ...nvdRecord(ID), descriptions: [{ lang: 'en', value: text }] })
    expect(await catalog.publish()).toMatchObject({ changed: 1 })
    const [row] = await catalog.selectRows(`
      select words = catalog.search_words('${ID} ${text}') as "isCurrent"
        from catalog.cve
    `)
    expect(row).toEqual({ isCurrent: true })
  })

  it('are not computed again if only another value of the CVE changed', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    await catalog.selectRows("update catalog.cve set words = 'marker:1'")
    await catalog.storeRecord('nvd', ID, { ...nvdRecord(ID), vulnStatus: 'Deferred' })
    expect(await catalog.publish()).toMatchObject({ changed: 1 })
    expect(await catalog.selectRows('select words::text as words from catalog.cve')).toEqual([{ words: "'marker':1" }])
  })
})

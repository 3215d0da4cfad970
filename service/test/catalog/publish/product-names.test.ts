import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../catalog-setup.ts'
import { configuration, cveListRecord, nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
const BEFORE = 'CVE-2026-1001'
const ANALYSED = 'CVE-2026-2001'

async function readCpe(cveId: string): Promise<unknown> {
  const rows = await catalog.selectRows<{ cpe: string }>(
    `select cpe from catalog.cve_document where cve_key = catalog.cve_key('${cveId}')`,
  )
  return JSON.parse(rows[0]?.cpe ?? 'null')
}

describe('Publisher: dictionary of product names', () => {
  it('publishes a CVE again once the name of its unmapped product is known', async () => {
    const affected = [{ vendor: 'ExampleSoft Corporation', product: 'Router' }]
    await catalog.storeRecord('cve', BEFORE, cveListRecord(BEFORE, { affected }))
    await catalog.publish()
    expect(await readCpe(BEFORE)).toMatchObject([
      { criteria: 'cpe:2.3:a:examplesoft_corporation:router:*:*:*:*:*:*:*:*', derived: true, unmapped: true },
    ])

    const criteria = 'cpe:2.3:o:examplesoft:router:*:*:*:*:*:*:*:*'
    await catalog.storeRecord('nvd', ANALYSED, nvdRecord(ANALYSED, { configurations: [configuration([{ criteria }])] }))
    await catalog.publish()
    expect(await readCpe(BEFORE)).toEqual([{ vulnerable: true, criteria, derived: true, unknown_versions: true }])
    expect(await catalog.selectRows('select * from catalog.cpe_unmapped')).toEqual([])
    expect(await catalog.selectRows('select cve_id from source.publication_queue')).toEqual([])
  })

  it("publishes a CVE again once the name beside NVD's other name is known (CVE-2017-10340)", async () => {
    const [id, analysed] = ['CVE-2026-1003', 'CVE-2026-2003']
    const configure = (product: string) => ({
      configurations: [configuration([{ criteria: `cpe:2.3:a:examplesoft:${product}:1.0:*:*:*:*:*:*:*` }])],
    })
    const affected = [{ vendor: 'ExampleSoft', product: 'Finch', versions: [{ version: '1.0', status: 'affected' }] }]
    await catalog.storeRecord('cve', id, cveListRecord(id, { affected }))
    await catalog.storeRecord('nvd', id, nvdRecord(id, configure('birds')))
    await catalog.publish()
    await catalog.storeRecord('nvd', analysed, nvdRecord(analysed, configure('finch')))
    const readKeys = () => catalog.selectRows('select product_key from catalog.cpe_unmapped')
    expect(await readKeys()).toContainEqual({ product_key: 'finch' })
    await catalog.publish()
    expect(await readKeys()).toEqual([])
  })

  it('publishes a CVE again once the name of its package, for which none was made up, is known', async () => {
    const [id, analysed] = ['CVE-2026-1002', 'CVE-2026-2002']
    const collectionURL = 'https://wordpress.org/plugins'
    const affected = [{ vendor: 'ExampleSoft', product: 'Lark', collectionURL, packageName: 'lark' }]
    await catalog.storeRecord('cve', id, cveListRecord(id, { affected }))
    await catalog.publish()
    expect(await readCpe(id)).toEqual([])

    const criteria = 'cpe:2.3:a:examplesoft:lark:*:*:*:*:*:*:*:*'
    await catalog.storeRecord('nvd', analysed, nvdRecord(analysed, { configurations: [configuration([{ criteria }])] }))
    await catalog.publish()
    expect(await readCpe(id)).toMatchObject([{ criteria, derived: true }])
    expect(await catalog.selectRows('select * from catalog.cpe_unmapped')).toEqual([])
  })

  it('counts each CVE of a name once, even if the CVE is published again', async () => {
    const criteria = 'cpe:2.3:o:examplesoft:switch:*:*:*:*:*:*:*:*'
    const readSample = () =>
      catalog.selectRows<{ cve_sample: number }>(`select cve_sample from catalog.cpe_name where product = 'switch'`)
    const store = (id: string, version: string) =>
      catalog.storeRecord(
        'nvd',
        id,
        nvdRecord(id, { configurations: [configuration([{ criteria, versionEndExcluding: version }])] }),
      )
    await store('CVE-2026-64001', '1.0')
    await catalog.publish()
    expect(await readSample()).toEqual([{ cve_sample: 0b10 }])
    await store('CVE-2026-64001', '2.0')
    await store('CVE-2026-64003', '2.0')
    await catalog.publish()
    expect(await readSample()).toEqual([{ cve_sample: 0b1010 }])
  })

  it('does not learn a name that is too long for an index, but publishes the CVE', async () => {
    const id = 'CVE-2026-3001'
    const product = `Router ${'é'.repeat(2000)}`
    const criteria = 'cpe:2.3:o:examplesoft:router:*:*:*:*:*:*:*:*'
    const affected = [{ vendor: 'ExampleSoft', product }]
    await catalog.storeRecord('cve', id, cveListRecord(id, { affected }))
    await catalog.storeRecord('nvd', id, nvdRecord(id, { configurations: [configuration([{ criteria }])] }))
    await catalog.publish()
    expect(await readCpe(id)).toMatchObject([{ criteria }])
    expect(await catalog.selectRows('select * from catalog.cpe_alias where length(cna_product) > 512')).toEqual([])
  })
})

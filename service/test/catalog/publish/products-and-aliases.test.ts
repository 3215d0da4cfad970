import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../catalog-setup.ts'
import { configuration, cpe, nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
beforeEach(() => catalog.reset())

const [ID, OTHER] = ['CVE-2026-1000', 'CVE-2026-1001']
const ADVISORY = 'RHSA-2021:5127'

/** NVD record with these vulnerable products. */
function record(id: string, products: readonly string[]): object {
  const configurations = products.length === 0 ? [] : [configuration(products.map((name) => ({ criteria: cpe(name) })))]
  return nvdRecord(id, { configurations })
}

async function store(id: string, products: readonly string[], advisories: readonly string[] = []): Promise<void> {
  await catalog.storeRecord('nvd', id, record(id, products))
  await catalog.storeRecord('redhat', id, { advisories })
}

const readProducts = () =>
  catalog.selectRows<object>(`
    select catalog.cve_id(cve_key) as id, vendor, product
      from catalog.cve_product_name
     order by cve_key, vendor, product
  `)

const readCounts = () =>
  catalog.selectRows<object>('select product, cve_count as count from catalog.product order by product')

const readAliases = () =>
  catalog.selectRows<object>('select alias, catalog.cve_id(cve_key) as id, source from catalog.alias order by 1, 2')

/** Row versions: they change if a row is written again. */
const readVersions = () =>
  catalog.selectRows<object>(`
    select xmin::text, ctid::text, product_key::text as key from catalog.cve_product
     union all
    select xmin::text, ctid::text, alias from catalog.alias
     order by 3
  `)

describe('Publisher: products of a CVE', () => {
  it('are written with the CVE and counted', async () => {
    await store(ID, ['router', 'switch'])
    await store(OTHER, ['router'])
    await catalog.publish()
    expect(await readProducts()).toEqual([
      { id: ID, vendor: 'examplesoft', product: 'router' },
      { id: ID, vendor: 'examplesoft', product: 'switch' },
      { id: OTHER, vendor: 'examplesoft', product: 'router' },
    ])
    expect(await readCounts()).toEqual([
      { product: 'router', count: 2 },
      { product: 'switch', count: 1 },
    ])
  })

  it('change with the CVE, and a product without CVEs is removed', async () => {
    await store(ID, ['router', 'switch'])
    await store(OTHER, ['router'])
    await catalog.publish()
    await store(ID, ['switch', 'camera'])
    await catalog.publish()
    expect(await readCounts()).toEqual([
      { product: 'camera', count: 1 },
      { product: 'router', count: 1 },
      { product: 'switch', count: 1 },
    ])
    await store(ID, [])
    await catalog.publish()
    expect(await readCounts()).toEqual([{ product: 'router', count: 1 }])
    expect(await readProducts()).toEqual([{ id: OTHER, vendor: 'examplesoft', product: 'router' }])
  })

  it('are removed with the CVE', async () => {
    await store(ID, ['router'], [ADVISORY])
    await catalog.publish()
    await catalog.selectRows(`delete from source.source_record where cve_id = '${ID}'`)
    await catalog.selectRows(`insert into source.publication_queue (cve_id, feed) values ('${ID}', 'nvd')`)
    expect(await catalog.publish()).toMatchObject({ removed: 1 })
    expect([await readProducts(), await readCounts(), await readAliases()]).toEqual([[], [], []])
  })
})

describe('Publisher: aliases of a CVE', () => {
  it('are added, changed and removed with its advisories', async () => {
    await store(ID, ['router'], ['RHSA-2021:5126', ADVISORY])
    await store(OTHER, ['router'], [ADVISORY])
    await catalog.publish()
    expect(await readAliases()).toEqual([
      { alias: 'RHSA-2021:5126', id: ID, source: 'redhat' },
      { alias: ADVISORY, id: ID, source: 'redhat' },
      { alias: ADVISORY, id: OTHER, source: 'redhat' },
    ])
    await store(ID, ['router'], ['RHSA-2021:5128'])
    await catalog.publish()
    expect(await readAliases()).toEqual([
      { alias: ADVISORY, id: OTHER, source: 'redhat' },
      { alias: 'RHSA-2021:5128', id: ID, source: 'redhat' },
    ])
  })
})

describe('Publisher: unchanged products and aliases', () => {
  it('are not written again if another value of the CVE changes', async () => {
    await store(ID, ['router', 'switch'], [ADVISORY])
    await catalog.publish()
    const before = await readVersions()
    await catalog.storeRecord('nvd', ID, { ...record(ID, ['router', 'switch']), vulnStatus: 'Deferred' })
    expect(await catalog.publish()).toMatchObject({ changed: 1 })
    expect(await readVersions()).toEqual(before)
  })
})

describe('Publisher: a transaction that ends before its commit', () => {
  it('leaves products, counts and aliases as they were', async () => {
    await store(ID, ['router'], [ADVISORY])
    await catalog.publish()
    const before = [await readProducts(), await readCounts(), await readAliases()]
    await store(ID, ['switch'])
    await store(OTHER, ['router', 'switch'])
    await catalog.selectRows(`
      create function fail_at_commit() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
      create constraint trigger fail after update or insert on catalog.product deferrable initially deferred
        for each row execute function fail_at_commit()
    `)
    await expect(catalog.publish()).rejects.toThrow('killed')
    expect([await readProducts(), await readCounts(), await readAliases()]).toEqual(before)
    await catalog.selectRows('drop trigger fail on catalog.product; drop function fail_at_commit()')
    await catalog.publish()
    expect(await readCounts()).toEqual([
      { product: 'router', count: 1 },
      { product: 'switch', count: 2 },
    ])
    expect(await readAliases()).toEqual([])
  })
})

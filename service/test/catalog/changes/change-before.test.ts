import { beforeEach, describe, expect, it } from 'vitest'
import { KEPT_COLUMNS } from '../../../src/catalog/publish/steps/keep-before.ts'
import { listColumnsInMemory, listFilterColumns, listFilterTables } from '../../support/search/filter-columns.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { configuration, cpe, nvdRating, nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
const ID = 'CVE-2026-1000'
beforeEach(() => catalog.reset())

interface Before {
  readonly cve?: Readonly<Record<string, unknown>>
  readonly product?: readonly object[]
  readonly kev?: readonly object[]
  readonly epss?: readonly object[]
}

/** The kept values of each change, oldest first; null for a change without any. */
const readBefore = async () =>
  (
    await catalog.selectRows<{ row: Before | null }>(
      'select row from catalog.change left join catalog.change_before using (seq) order by seq',
    )
  ).map(({ row }) => row)

const withProduct = (product: string, changes: object = {}) =>
  nvdRecord(ID, {
    configurations: [configuration([{ criteria: cpe(product), versionEndExcluding: '2.4' }])],
    ...changes,
  })

async function publishRecord(record: object): Promise<void> {
  await catalog.storeRecord('nvd', ID, record)
  await catalog.publish()
}

describe('Columns that filters read', () => {
  const { db } = catalog.context.session
  const read = new Set([...listFilterColumns(db), ...listColumnsInMemory(db)])

  it('are in tables whose old rows are kept, or in the change log itself', () => {
    expect([...listFilterTables(db)].sort()).toEqual(['change', 'product'])
  })

  it('are kept, except for percentiles, which move with the scores of other CVEs, and the key, which never changes', () => {
    const kept = Object.entries(KEPT_COLUMNS).flatMap(([table, names]) => names.map((name) => `${table}.${name}`))
    expect([...read].filter((column) => !kept.includes(column)).sort()).toEqual(['cve.cve_key', 'epss.percentile'])
    expect([...read]).toEqual(expect.arrayContaining(['cve.words', 'kev.date_added', 'product.vendor', 'cve.in_kev']))
  })
})

describe('Publisher: values before a change', () => {
  it('are the old values of the columns that differ, and no others', async () => {
    await publishRecord(withProduct('router'))
    const metrics = { cvssMetricV31: [nvdRating('CVSS:3.1/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 8.4)] }
    await publishRecord(withProduct('router', { metrics, vulnStatus: 'Analyzed' }))
    const [added, changed, ...others] = await readBefore()
    expect(others).toEqual([])
    expect(added).toBeNull()
    expect(changed?.cve).toMatchObject({ score: 7.5, attack_vector: 'network' })
    expect(Object.keys(changed ?? {})).toEqual(['cve'])
    for (const name of ['words', 'cwes', 'in_kev', 'published', 'content_hash'])
      expect(changed?.cve).not.toHaveProperty(name)
  })

  it('are all old products of a CVE whose products differ, and its old words', async () => {
    await publishRecord(withProduct('router'))
    const [published] = await catalog.selectRows<{ words: string }>('select words::text from catalog.cve')
    await publishRecord(withProduct('switch'))
    const changed = (await readBefore()).at(-1)
    expect(changed?.product).toEqual([{ vendor: 'examplesoft', product: 'router' }])
    expect(changed?.cve?.['words']).toBe(published?.words)
  })

  it('have no products if the CVE had none', async () => {
    await publishRecord(nvdRecord(ID, { configurations: [] }))
    await publishRecord(withProduct('router'))
    expect((await readBefore()).at(-1)?.product).toEqual([])
  })

  it('are the old words of a CVE whose description changed', async () => {
    await publishRecord(withProduct('router'))
    await publishRecord(withProduct('router', { descriptions: [{ lang: 'en', value: 'Another text.' }] }))
    expect((await readBefore()).at(-1)?.cve).toEqual({ words: expect.stringContaining("'") })
  })

  it('have the old KEV entry, or none', async () => {
    await catalog.storeKev([])
    await publishRecord(withProduct('router'))
    await catalog.storeKev([{ cveId: ID }])
    await catalog.publish()
    await catalog.storeKev([{ cveId: ID, dateAdded: '2026-08-20' }])
    await catalog.publish()
    await catalog.storeKev([])
    await catalog.publish()
    const [, added, moved, removed] = await readBefore()
    expect(added).toMatchObject({ kev: [], cve: { in_kev: false } })
    expect(moved?.kev).toEqual([{ date_added: '2026-08-19' }])
    expect(removed).toMatchObject({ kev: [{ date_added: '2026-08-20' }], cve: { in_kev: true } })
  })

  it('are all values of a removed CVE', async () => {
    await catalog.storeEpss('2026-08-20', { [ID]: 0.1 })
    await publishRecord(withProduct('router'))
    await catalog.selectRows(`delete from source.source_record where cve_id = '${ID}'`)
    await catalog.selectRows(`insert into source.publication_queue (cve_id, feed) values ('${ID}', 'nvd')`)
    await catalog.publish()
    const removed = (await readBefore()).at(-1)
    expect(removed).toMatchObject({
      cve: { score: 7.5, in_kev: false },
      product: [{ vendor: 'examplesoft', product: 'router' }],
      epss: [{ score: 0.1 }],
    })
    expect(Object.keys(removed?.cve ?? {}).sort()).toEqual([...KEPT_COLUMNS.cve].sort())
  })
})

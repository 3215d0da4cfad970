import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../catalog-setup.ts'
import { configuration, cpe, nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
beforeEach(() => catalog.reset())

const [ID, OTHER] = ['CVE-2026-1000', 'CVE-2026-1001']

const store = (id: string, matches: readonly object[], changes: object = {}) =>
  catalog.storeRecord('nvd', id, nvdRecord(id, { configurations: [configuration(matches)], ...changes }))

const before = (product: string, version: string) => ({ criteria: cpe(product), versionEndExcluding: version })

/** Affected versions as `id product <high`. */
const readRows = async () =>
  (
    await catalog.selectRows<{ text: string }>(`
      select concat_ws(' ', catalog.cve_id(subject_key), vendor || '/' || product, source, '<' || high) as text
        from catalog.affected
        join catalog.affected_name using (name_key)
       order by subject_key, nr
    `)
  ).map(({ text }) => text)

/** Row versions: they change if a row is written again. */
const readVersions = () =>
  catalog.selectRows<object>('select xmin::text, ctid::text, nr from catalog.affected order by subject_key, nr')

describe('Publisher: affected versions of a CVE', () => {
  it('are written with the CVE', async () => {
    await store(ID, [before('router', '2.4'), before('switch', '3')])
    await store(OTHER, [before('router', '2.5')])
    await catalog.publish()
    expect(await readRows()).toEqual([
      `${ID} examplesoft/router nvd <2.4`,
      `${ID} examplesoft/switch nvd <3`,
      `${OTHER} examplesoft/router nvd <2.5`,
    ])
    expect(await catalog.selectRows('select kind, vendor, product from catalog.affected_name order by 3')).toEqual([
      { kind: 'cpe', vendor: 'examplesoft', product: 'router' },
      { kind: 'cpe', vendor: 'examplesoft', product: 'switch' },
    ])
  })

  it('change with the CVE, and unchanged rows are not written again', async () => {
    await store(ID, [before('router', '2.4'), before('switch', '3')])
    await catalog.publish()
    const [first] = await readVersions()
    await store(ID, [before('router', '2.4'), before('switch', '4'), before('watch', '1')])
    await catalog.publish()
    expect(await readRows()).toEqual([
      `${ID} examplesoft/router nvd <2.4`,
      `${ID} examplesoft/switch nvd <4`,
      `${ID} examplesoft/watch nvd <1`,
    ])
    expect((await readVersions())[0]).toEqual(first)
  })

  it('are not written again if another value of the CVE changes, or if nothing changes', async () => {
    await store(ID, [before('router', '2.4'), before('switch', '3')])
    await catalog.publish()
    const written = await readVersions()
    await store(ID, [before('router', '2.4'), before('switch', '3')], { vulnStatus: 'Deferred' })
    expect(await catalog.publish()).toMatchObject({ changed: 1 })
    await store(ID, [before('router', '2.4'), before('switch', '3')], { vulnStatus: 'Deferred' })
    expect(await catalog.publish()).toMatchObject({ changed: 0 })
    expect(await readVersions()).toEqual(written)
  })

  it('are written for a CVE that was published before the table existed, without any other change to the CVE', async () => {
    await store(ID, [before('router', '2.4')])
    await catalog.publish()
    await catalog.selectRows('truncate catalog.affected, catalog.affected_name')
    await catalog.selectRows(`insert into source.publication_queue (cve_id, feed) values ('${ID}', 'catalog')`)
    expect(await catalog.publish()).toMatchObject({ added: 0, changed: 0 })
    expect(await readRows()).toEqual([`${ID} examplesoft/router nvd <2.4`])
  })

  it('are removed with the CVE', async () => {
    await store(ID, [before('router', '2.4')])
    await catalog.publish()
    await catalog.selectRows(`delete from source.source_record where cve_id = '${ID}'`)
    await catalog.selectRows(`insert into source.publication_queue (cve_id, feed) values ('${ID}', 'nvd')`)
    expect(await catalog.publish()).toMatchObject({ removed: 1 })
    expect(await readRows()).toEqual([])
  })
})

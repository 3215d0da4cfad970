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
    expect(await catalog.publish()).toMatchObject({ added: 0, changed: 1 })
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

describe('Change log: affected versions', () => {
  /** Row of the log as `id kind fields types cause: touched products`. */
  const readLog = async () =>
    (
      await catalog.selectRows<{ text: string }>(`
        select concat_ws(' ', catalog.cve_id(cve_key), kind, fields, types, cause) || ': ' || coalesce(
                 (
                   select string_agg(product, ', ' order by product)
                     from catalog.affected_touched touched
                     join catalog.affected_name using (name_key)
                    where touched.seq = change.seq and touched.subject_key = change.cve_key
                 ),
                 ''
               ) as text
          from catalog.change
         order by seq
      `)
    ).map(({ text }) => text)
  const queue = () =>
    catalog.selectRows(`insert into source.publication_queue (cve_id, feed) values ('${ID}', 'osv-debian')`)

  it('names the products of a new CVE, and those that a change adds, removes or changes', async () => {
    await store(ID, [before('router', '2.4'), before('switch', '3')])
    await catalog.publish()
    await store(ID, [before('router', '2.4'), before('switch', '4'), before('watch', '1')])
    await catalog.publish()
    await store(ID, [before('router', '2.4')])
    await catalog.publish()
    const rows = await readLog()
    expect(rows).toMatchObject([
      `${ID} added {} {published} data: router, switch`,
      expect.stringMatching(/^CVE-2026-1000 changed {.*affected.*} {.*affected_changed.*} data: switch, watch$/),
      expect.stringMatching(/^CVE-2026-1000 changed {.*affected.*} {.*affected_changed.*} data: switch, watch$/),
    ])
  })

  it('has a row for a CVE of which only the affected versions changed', async () => {
    await store(ID, [before('router', '2.4'), before('switch', '3')])
    await catalog.publish()
    await catalog.selectRows("update catalog.affected set high = '2.3' where high = '2.4'")
    await queue()
    expect(await catalog.publish()).toMatchObject({ changed: 1 })
    expect((await readLog()).slice(1)).toEqual([`${ID} changed {affected} {affected_changed} data: router`])
    expect(await readRows()).toEqual([`${ID} examplesoft/router nvd <2.4`, `${ID} examplesoft/switch nvd <3`])
  })

  it('has no row if only the order of the ranges changed', async () => {
    await store(ID, [before('router', '2.4'), before('switch', '3')])
    await catalog.publish()
    await catalog.selectRows('update catalog.affected set nr = nr + 10')
    await catalog.selectRows('update catalog.affected set nr = 13 - nr')
    await queue()
    expect(await catalog.publish()).toMatchObject({ changed: 0 })
    expect((await readLog()).slice(1)).toEqual([])
  })

  it('names the products of a removed CVE', async () => {
    await store(ID, [before('router', '2.4')])
    await catalog.publish()
    await catalog.selectRows(`delete from source.source_record where cve_id = '${ID}'`)
    await queue()
    await catalog.publish()
    expect((await readLog()).slice(1)).toEqual([`${ID} removed {} {removed} data: router`])
  })
})

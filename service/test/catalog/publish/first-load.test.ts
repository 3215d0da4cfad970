// The first load of an empty catalog: nothing is published before the feeds that teach product names have run, and what
// they teach applies to every CVE.
import { beforeEach, describe, expect, it } from 'vitest'
import { expectFeeds } from '../../../src/catalog/publish/first-load/first-load.ts'
import { publish } from '../../../src/catalog/publish/publish.ts'
import { verify } from '../../../src/catalog/publish/verify.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { configuration, cveListRecord, nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
const { db } = catalog.context.session

beforeEach(async () => {
  await catalog.reset()
  await catalog.selectRows('delete from catalog.first_load_feed')
  await catalog.selectRows(
    'update catalog.dataset set last_success_at = null, last_run_at = null, last_run_result = null, table_count = 0',
  )
  await catalog.selectRows(`insert into source.feed (name) values ('nvd'), ('cve') on conflict do nothing`)
  await catalog.selectRows(
    `update catalog.first_load set finished_at = null, learnt_from = '{}', cves_done = 0, cves_total = null`,
  )
})

const expectAll = (...names: string[]) =>
  expectFeeds(
    db,
    names.map((name) => ({ name, isSkipped: false })),
  )

const endRun = (name: string, result: 'succeeded' | 'failed' | 'stopped' | 'absent' = 'succeeded') =>
  catalog.selectRows(`
    update catalog.dataset
       set last_run_at = now(), last_run_result = '${result}',
           last_success_at = case when '${result}' = 'succeeded' then now() end,
           table_count = (select count(*) from source.source_record where source = '${name}')
     where name = '${name}'`)

async function readState() {
  const [state] = await catalog.selectRows<{ isFinished: boolean; done: string; total: string | null }>(
    'select finished_at is not null as "isFinished", cves_done as done, cves_total as total from catalog.first_load',
  )
  return state
}

const NAMED_BY_CNA = 'CVE-2026-1000'

/** NVD calls the product of the CNA an application in the first record, and an operating system in the others. */
async function storeRecords(): Promise<void> {
  await storeNvdRecord('CVE-2026-0001', 'a')
  const affected = [{ vendor: 'Acme', product: 'Gate', versions: [{ version: '1.0', status: 'affected' }] }]
  await catalog.storeRecord('cve', NAMED_BY_CNA, cveListRecord(NAMED_BY_CNA, { affected }))
  await storeNvdRecord('CVE-2026-0002', 'o')
  await storeNvdRecord('CVE-2026-0003', 'o')
}

const storeNvdRecord = (id: string, part: 'a' | 'o') =>
  catalog.storeRecord(
    'nvd',
    id,
    nvdRecord(id, { configurations: [configuration([{ criteria: `cpe:2.3:${part}:acme:gate:1.0:*:*:*:*:*:*:*` }])] }),
  )

const countDiffering = async () => (await verify(catalog.context, { repair: false })).differing

describe('the first load', () => {
  it('publishes nothing until the feeds that teach product names have run', async () => {
    await storeRecords()
    await expectAll('nvd', 'cve', 'kev')

    expect(await catalog.publish()).toMatchObject({ firstLoad: 'waiting', added: 0 })
    await endRun('nvd')
    expect(await catalog.publish()).toMatchObject({ firstLoad: 'waiting', added: 0 })
    await endRun('cve')
    expect(await catalog.publish()).toMatchObject({ firstLoad: 'loading', added: 4 })
  })

  it('publishes every CVE with the names that all records teach', async () => {
    await storeRecords()
    await expectAll('nvd', 'cve')
    await endRun('nvd')
    await endRun('cve')

    await publish(catalog.context, 1)

    expect(await countDiffering()).toBe(0)
  })

  it('is finished once every expected feed has run and the queue is empty', async () => {
    await storeRecords()
    await expectAll('nvd', 'cve', 'kev', 'acsc')
    await endRun('nvd')
    await endRun('cve')
    await endRun('kev', 'stopped')
    await endRun('acsc', 'absent')
    await catalog.publish()
    expect(await readState()).toEqual({ isFinished: false, done: '4', total: '4' })

    await storeNvdRecord('CVE-2026-0004', 'o')
    await catalog.publish()
    expect(await readState()).toEqual({ isFinished: false, done: '5', total: '5' })

    await endRun('kev', 'failed')
    expect(await catalog.publish()).toMatchObject({ firstLoad: 'finished' })
    expect(await readState()).toMatchObject({ isFinished: true })
    expect(await catalog.publish()).not.toHaveProperty('firstLoad')
  })

  it('waits for no feed without an address', async () => {
    await storeRecords()
    await expectFeeds(db, [
      { name: 'nvd', isSkipped: false },
      { name: 'csaf-oracle', isSkipped: true },
    ])
    await endRun('nvd')

    expect(await catalog.publish()).toMatchObject({ firstLoad: 'finished', added: 4 })
  })

  it('is not finished by feeds of which none has succeeded', async () => {
    await catalog.publish()
    expect(await readState()).toMatchObject({ isFinished: false })
    await expectAll('nvd')
    await endRun('nvd', 'failed')
    await catalog.publish()
    expect(await readState()).toMatchObject({ isFinished: false })
  })

  it('has analyzed the tables when it is finished', async () => {
    await storeRecords()
    await expectAll('nvd')
    await endRun('nvd')
    await catalog.publish()

    const rows = await catalog.selectRows<{ estimate: number }>(
      `select reltuples::integer as estimate from pg_class where oid = 'catalog.cve'::regclass`,
    )
    expect(rows).toEqual([{ estimate: 4 }])
  })

  it('merges the published CVEs again when a feed that teaches names succeeds, or loads everything, only later', async () => {
    await storeNvdRecord('CVE-2026-0001', 'a')
    await catalog.storeRecord(
      'cve',
      NAMED_BY_CNA,
      cveListRecord(NAMED_BY_CNA, {
        affected: [{ vendor: 'Acme', product: 'Gate', versions: [{ version: '1.0', status: 'affected' }] }],
      }),
    )
    await expectAll('nvd', 'cve')
    await endRun('nvd', 'failed')
    await endRun('cve')
    await publish(catalog.context, 1)
    await storeNvdRecord('CVE-2026-0002', 'o')
    await storeNvdRecord('CVE-2026-0003', 'o')
    await endRun('nvd')

    await publish(catalog.context, 1)

    expect(await countDiffering()).toBe(0)
  })
})

describe('the change log of a first load', () => {
  const readLog = () =>
    catalog.selectRows<{ seq: string; kind: string; types: readonly string[]; diff: object }>(
      'select seq, kind, types, diff from catalog.change order by seq',
    )

  it('has one row with the counts, and rows of its own for each later change', async () => {
    await storeRecords()
    await catalog.storeKev([{ cveId: NAMED_BY_CNA, dateAdded: '2021-11-03' }])
    await catalog.storeEpss('2026-08-20', { [NAMED_BY_CNA]: 0.5 })
    await expectAll('nvd', 'cve')
    await endRun('nvd')
    await endRun('cve')
    await catalog.publish()
    await storeNvdRecord('CVE-2026-0009', 'a')
    await catalog.publish()

    const [loaded, added, ...others] = await readLog()
    expect(loaded).toMatchObject({
      kind: 'loaded',
      types: ['loaded'],
      diff: { 'loaded.cves': { old: 0, new: 4 }, 'loaded.kev': { new: 1 }, 'loaded.epss': { new: 1 } },
    })
    expect([added, others]).toMatchObject([{ kind: 'added' }, []])
    const [floor] = await catalog.selectRows('select data_seq, complete_seq from catalog.change_floor')
    expect(floor).toEqual({ data_seq: loaded?.seq, complete_seq: loaded?.seq })
    const [past] = await catalog.selectRows('select complete_since from catalog.past_start')
    expect(past).toEqual({ complete_since: expect.any(Date) })
    expect(await catalog.selectRows('select total_cves::integer as total from catalog.statistic')).toEqual([
      { total: 5 },
    ])
  })

  it('is empty until the end, and records of the past are not complete', async () => {
    await storeRecords()
    await expectAll('nvd', 'cve', 'kev')
    await endRun('nvd')
    await endRun('cve')
    await catalog.publish()

    expect(await readLog()).toEqual([])
    expect(await catalog.selectRows('select complete_since from catalog.past_start')).toEqual([
      { complete_since: null },
    ])
    expect(await catalog.selectRows('select total_cves::integer as total from catalog.statistic')).toEqual([
      { total: 4 },
    ])
  })
})

import { Client } from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { createMissingIndexes, dropIndexesForFirstLoad } from '../../../src/catalog/publish/first-load.ts'
import { withPublishLock } from '../../../src/catalog/publish/publish.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()

const ID = 'CVE-2026-1000'
const DROPPED = ['cve_word_pairs', 'cve_words']

const listIndexes = () =>
  catalog.selectRows(`select indexname, indexdef from pg_indexes where schemaname = 'catalog' order by 1`)
const MIGRATED = await listIndexes()

beforeEach(() => catalog.reset())

async function queue(count: number): Promise<void> {
  await catalog.selectRows(`
    insert into source.publication_queue (cve_id, feed)
    select 'CVE-2026-' || number, 'nvd' from generate_series(10001, 10000 + ${count}) as number
  `)
}

const drop = () => withPublishLock(catalog.context, (tx) => dropIndexesForFirstLoad(tx))
const create = () => withPublishLock(catalog.context, (tx) => createMissingIndexes(tx))

describe('Publisher: search indexes of a first load', () => {
  it('are dropped if the catalog is empty and 1,000 CVEs are queued, and are created as the migrations created them', async () => {
    await queue(1000)
    expect(await drop()).toBe(true)
    const remaining = (await listIndexes()).length
    expect(remaining).toBe(MIGRATED.length - DROPPED.length)
    await create()
    expect(await listIndexes()).toEqual(MIGRATED)
  })

  it('stay if the catalog contains a CVE, however many CVEs are queued', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    await queue(1000)
    expect(await drop()).toBe(false)
    expect(await listIndexes()).toEqual(MIGRATED)
  })

  it('stay if fewer than 1,000 CVEs are queued', async () => {
    await queue(999)
    expect(await drop()).toBe(false)
    expect(await listIndexes()).toEqual(MIGRATED)
  })

  it('stay if another session reads the catalog for longer than 2 s', async () => {
    await queue(1000)
    const reader = new Client({ connectionString: catalog.url })
    await reader.connect()
    await reader.query('begin')
    await reader.query('select from catalog.cve')
    expect(await drop()).toBe(false)
    await reader.end()
    expect(await listIndexes()).toEqual(MIGRATED)
  })

  it('are created by a publication of few CVEs if they are missing', async () => {
    await queue(1000)
    await drop()
    await catalog.selectRows('truncate source.publication_queue')
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    expect(await listIndexes()).toEqual(MIGRATED)
  })
})

// Kills the process of a first load, which drops search indexes and creates them at its end.
import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../catalog/catalog-setup.ts'
import { nvdRecord } from '../../catalog/source-fixtures.ts'
import { createNthFaultProxy, type Fault, type NthFaultProxy } from '../../support/network/nth-fault-proxy.ts'
import { startFeeds } from '../feeds/process.ts'

const catalog = await createCatalogHarness()

/** As many CVEs as the publisher needs to treat a publication as a first load. */
const FIRST_LOAD = 1000
const PLACEHOLDER = 'CVE-2026-9999'

interface Index {
  readonly name: string
  readonly definition: string
}

const listIndexes = () =>
  catalog.selectRows<Index>(`
    select indexname as name, indexdef as definition from pg_indexes where schemaname = 'catalog' order by 1
  `)
const MIGRATED = await listIndexes()

async function listMissing(): Promise<readonly string[]> {
  const names = (await listIndexes()).map(({ name }) => name)
  return MIGRATED.map(({ name }) => name).filter((name) => !names.includes(name))
}

const DROPPED = ['cve_word_pairs', 'cve_words']

async function storeCves(count: number): Promise<void> {
  await catalog.selectRows(`
    with stored as (
      insert into source.source_record (source, cve_id, content_hash, modified, record)
      select 'nvd', id, sha256(convert_to(id, 'UTF8')), '2026-08-20T09:30:00Z',
             replace('${JSON.stringify(nvdRecord(PLACEHOLDER))}', '${PLACEHOLDER}', id)
        from (select 'CVE-2026-' || number as id from generate_series(10001, 10000 + ${count}) as number) as listed
      returning cve_id
    )
    insert into source.publication_queue (cve_id, feed) select cve_id, 'nvd' from stored
  `)
}

async function countPublished(): Promise<number> {
  const rows = await catalog.selectRows<{ count: number }>('select count(*)::integer as count from catalog.cve')
  return rows[0]?.count ?? 0
}

const publish = (url: string) => startFeeds(['catalog', 'publish'], { DATABASE_URL: url })

async function publishAndKill(fault: Omit<Fault, 'trigger'>): Promise<void> {
  const proxy = await createNthFaultProxy(catalog.url)
  const publication = publish(proxy.url)
  proxy.arm({
    ...fault,
    trigger: ({ disconnect }) => {
      publication.signal('SIGKILL')
      disconnect()
    },
  })
  expect((await publication.ended).code).toBeNull()
  proxy.close()
}

async function publishWithoutFault(): Promise<NthFaultProxy> {
  const proxy = await createNthFaultProxy(catalog.url)
  proxy.arm()
  expect((await publish(proxy.url).ended).code).toBe(0)
  proxy.close()
  return proxy
}

const CREATE_INDEXES = /create_first_load_indexes/
const TAKE_QUEUED = /delete from source.publication_queue/

describe('first load whose process is killed', () => {
  beforeEach(async () => {
    await catalog.reset()
    await storeCves(FIRST_LOAD)
  })

  it('is repeated by the next publisher if the kill came before the first commit of CVEs', async () => {
    await publishAndKill({ call: TAKE_QUEUED, moment: 'answered' })
    expect(await countPublished()).toBe(0)
    expect(await listMissing()).toEqual(DROPPED)
    await publishWithoutFault()
    expect(await countPublished()).toBe(FIRST_LOAD)
    expect(await listIndexes()).toEqual(MIGRATED)
  })

  it('gets its indexes from the next publisher, which creates them before it publishes changed CVEs', async () => {
    await publishAndKill({ call: CREATE_INDEXES, moment: 'before' })
    expect(await countPublished()).toBe(FIRST_LOAD)
    expect(await listMissing()).toEqual(DROPPED)
    await catalog.storeRecord('nvd', PLACEHOLDER, nvdRecord(PLACEHOLDER))
    const { calls } = await publishWithoutFault()
    const created = calls.findIndex((call) => CREATE_INDEXES.test(call))
    expect(created).toBeGreaterThan(-1)
    expect(created).toBeLessThan(calls.findIndex((call) => TAKE_QUEUED.test(call)))
    expect(await countPublished()).toBe(FIRST_LOAD + 1)
    expect(await listIndexes()).toEqual(MIGRATED)
  })

  it('leaves no index behind if the kill came while the indexes were created, and the next publisher creates them', async () => {
    await publishAndKill({ call: CREATE_INDEXES, moment: 'answered' })
    expect(await listMissing()).toEqual(DROPPED)
    await publishWithoutFault()
    expect(await listIndexes()).toEqual(MIGRATED)
  })
})

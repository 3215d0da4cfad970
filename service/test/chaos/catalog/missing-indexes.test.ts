// Kills a publisher that creates missing search indexes.
import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../catalog/catalog-setup.ts'
import { nvdRecord } from '../../catalog/source-fixtures.ts'
import { createNthFaultProxy, type NthFaultProxy } from '../../support/network/nth-fault-proxy.ts'
import { startFeeds } from '../feeds/process.ts'

const catalog = await createCatalogHarness()

const ID = 'CVE-2026-1000'
const MISSING = ['cve_known_words', 'cve_name_words', 'cve_word_pairs', 'cve_words']
const CREATE_INDEXES = /create_missing_indexes/
const TAKE_QUEUED = /delete from source.publication_queue/

const listIndexes = () =>
  catalog.selectRows<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes where schemaname = 'catalog' order by 1
  `)
const MIGRATED = await listIndexes()

async function listMissing(): Promise<readonly string[]> {
  const names = (await listIndexes()).map(({ name }) => name)
  return MIGRATED.map(({ name }) => name).filter((name) => !names.includes(name))
}

const publish = (url: string) => startFeeds(['catalog', 'publish'], { DATABASE_URL: url })

async function publishAndKill(moment: 'before' | 'answered'): Promise<void> {
  const proxy = await createNthFaultProxy(catalog.url)
  const publication = publish(proxy.url)
  proxy.arm({
    call: CREATE_INDEXES,
    moment,
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

describe('missing search indexes', () => {
  beforeEach(async () => {
    await catalog.reset()
    for (const name of MISSING) await catalog.selectRows(`drop index if exists catalog.${name}`)
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
  })

  it.each(['before', 'answered'] as const)('are created by the next publisher if one is killed: %s', async (moment) => {
    await publishAndKill(moment)
    expect(await listMissing()).toEqual(MISSING)
    await publishWithoutFault()
    expect(await listIndexes()).toEqual(MIGRATED)
  })

  it('are created before the publisher takes CVEs from the queue', async () => {
    const { calls } = await publishWithoutFault()
    const created = calls.findIndex((call) => CREATE_INDEXES.test(call))
    expect(created).toBeGreaterThan(-1)
    expect(created).toBeLessThan(calls.findIndex((call) => TAKE_QUEUED.test(call)))
  })
})

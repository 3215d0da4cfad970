// Facets on a node that reads from a streaming replica: they show the state that the replica has, as its searches do,
// while the replica lags, after it has caught up, and after it was killed.
import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../../service/test/catalog/catalog-setup.ts'
import { nvdRecord } from '../../../service/test/catalog/source-fixtures.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { migrateAll } from '../../../service/test/support/migrate-all.ts'
import {
  postgresMissingReason,
  startPrivatePostgres,
  startPrivateReplica,
} from '../../../service/test/support/processes/private-postgres.ts'
import { runStatements } from '../../../service/test/support/run-statements.ts'
import { startTestService } from '../../../service/test/support/service.ts'

const POLL = { timeout: 60_000, interval: 100 }

describe.skipIf(postgresMissingReason !== undefined)('Facets on a node that reads a replica', async () => {
  const primary = await startPrivatePostgres()
  await migrateAll(primary.url)
  const catalog = await createCatalogHarness(primary.url)
  const publish = async (id: string) => {
    await catalog.storeRecord('nvd', id, nvdRecord(id))
    await catalog.publish()
  }
  await publish('CVE-2026-1000')
  const replica = await startPrivateReplica(primary, 0)
  const { api, given, metrics } = await startTestService({
    environment: { DATABASE_URL: primary.url, DATABASE_READ_URL: replica.url },
  })
  const { key, ...rest } = createTestKey()
  await given(account('enterprise').withKey({ key, ...rest }))

  /** Returns the number of CVEs as facets and as the search know it, or the status if one is not answered. */
  async function count(): Promise<readonly number[]> {
    const [facets, list] = [
      await api.get('/api/v1/cves/facets?facets=status', { key }),
      await api.get('/api/v1/cves?limit=100', { key }),
    ]
    if (facets.status !== 200 || list.status !== 200) return [facets.status, list.status]
    return [facets.json.data.total, list.json.data.cves.length]
  }
  const countInMemory = async () =>
    Number(/^vis_facet_answers_total\{counted_in="memory"\} (\d+)$/m.exec(await metrics.text())?.[1] ?? 0)

  it('show the state of the replica while it lags, and the new state once it has it', {
    timeout: 120_000,
  }, async () => {
    await expect.poll(count, POLL).toEqual([1, 1])
    await runStatements(replica.url, 'select pg_wal_replay_pause()')
    await publish('CVE-2026-1001')
    expect(await count()).toEqual([1, 1])
    await runStatements(replica.url, 'select pg_wal_replay_resume()')
    await expect.poll(count, POLL).toEqual([2, 2])
    await expect.poll(countInMemory, POLL).toBeGreaterThan(0)
  })

  it('follow the replica again after it was killed', { timeout: 120_000 }, async () => {
    await replica.stop('killed')
    await publish('CVE-2026-1002')
    await replica.start()
    await expect.poll(count, POLL).toEqual([3, 3])
    const before = await countInMemory()
    expect(await count()).toEqual([3, 3])
    expect(await countInMemory()).toBe(before + 1)
  })
})

// The change log on real PostgreSQL servers: calls that wait on a streaming replica, and positions of clients after a
// backup was restored, after a replica that lagged was promoted, and while a replica lags.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { type CatalogHarness, createCatalogHarness } from '../../../service/test/catalog/catalog-setup.ts'
import { nvdRecord } from '../../../service/test/catalog/source-fixtures.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { migrateAll } from '../../../service/test/support/migrate-all.ts'
import { createFaultyProxy } from '../../../service/test/support/network/faulty-proxy.ts'
import {
  postgresMissingReason,
  startBackupOf,
  startPrivatePostgres,
  startPrivateReplica,
} from '../../../service/test/support/processes/private-postgres.ts'
import { readRows, runStatements } from '../../../service/test/support/run-statements.ts'
import { startTestService, type TestService } from '../../../service/test/support/service.ts'
import { chooseBySize, isLongRun } from '../../../service/test/support/size.ts'

const CALLS_PER_ACCOUNT = 16
const POOL_SIZE = 2
const POLL = { timeout: 60_000, interval: 50 }
/** The limit of the short run is that of a busy machine. */
const MAX_LATENCY_MS = chooseBySize({ short: 10_000, long: 1500 })

const get = ({ api }: TestService, path: string, key?: string) => api.get(`/api/v1/${path}`, key ? { key } : {})

async function publishCves(catalog: CatalogHarness, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await catalog.storeRecord('nvd', id, nvdRecord(id))
  await catalog.publish()
}

/** Returns the newest position of the log in a database. */
async function readNewest(url: string): Promise<string> {
  const [row] = await readRows(
    url,
    "select seq || ':' || lpad(to_hex(tag), 16, '0') as position from catalog.change order by seq desc limit 1",
  )
  return row?.position
}

const toSeq = (position: string) => Number(position.split(':')[0])

async function startServers() {
  const primary = await startPrivatePostgres()
  await migrateAll(primary.url)
  const catalog = await createCatalogHarness(primary.url)
  await publishCves(catalog, 'CVE-2026-1000')
  return { primary, catalog }
}

/** Waits until the node has read the log up to a position, so that calls with it can wait. */
async function waitUntilFollowed(service: TestService, position: string): Promise<void> {
  const line = `vis_change_log_position ${toSeq(position)}`
  await expect.poll(async () => (await service.metrics.text()).includes(line), POLL).toBe(true)
}

describe.skipIf(postgresMissingReason !== undefined)('Change log on a node that reads a replica', async () => {
  const { primary, catalog } = await startServers()
  const replica = await startPrivateReplica(primary, 0)
  const service = await startTestService({
    environment: {
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: replica.url,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
    },
  })

  /** Starts as many waiting calls as each of the given number of accounts may have. */
  async function startWaiting(accounts: number) {
    const position = await readNewest(primary.url)
    await waitUntilFollowed(service, position)
    const keys = Array.from({ length: accounts }, createTestKey)
    for (const key of keys) await service.given(account('pro').withKey(key))
    const calls = keys.flatMap(({ key }) =>
      Array.from({ length: CALLS_PER_ACCOUNT }, () => get(service, `changes?since=${position}&wait=25`, key)),
    )
    const ended = calls.map(async (call) => ({ ...(await call), atMs: performance.now() }))
    await sleep(chooseBySize({ short: 1500, long: 3000 }))
    return { position, keys, ended }
  }

  /** Publishes a CVE, and returns how long the slowest of the waiting calls took to list it. */
  async function publishAndMeasure(id: string, ended: Awaited<ReturnType<typeof startWaiting>>['ended']) {
    await publishCves(catalog, id)
    const publishedAtMs = performance.now()
    const answers = await Promise.all(ended)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const listed = answers.map(({ json }) => json.data.changes.map(({ cve_id }: { cve_id: string }) => cve_id).join())
    expect(new Set(listed)).toEqual(new Set([id]))
    return Math.max(...answers.map(({ atMs }) => atMs)) - publishedAtMs
  }

  it('answers 64 waiting calls soon after a change, and they hold no connection while they wait', async () => {
    const { position, keys, ended } = await startWaiting(4)
    const connections = await readRows(
      replica.url,
      "select application_name as name, count(*)::integer as count from pg_stat_activity where application_name like 'vis-%' group by 1",
    )
    const reads = connections.find(({ name }) => name === 'vis-reads')
    expect(reads?.count ?? 0).toBeLessThanOrEqual(POOL_SIZE)
    const refused = await get(service, `changes?since=${position}&wait=25`, keys[0]?.key)
    expect([refused.status, refused.json.error.message]).toEqual([503, expect.stringContaining('16 calls that wait')])
    expect((await get(service, `changes?since=${position}`, keys[0]?.key)).status, 'a call without wait').toBe(200)
    const latencyMs = await publishAndMeasure('CVE-2026-1001', ended)
    console.log(`64 waiting calls on a replica: the last one was answered ${latencyMs.toFixed(0)} ms after the commit`)
    expect(latencyMs).toBeLessThan(MAX_LATENCY_MS)
  })

  it.runIf(isLongRun)('lets 512 calls wait, and refuses one more from another account', async () => {
    const { position, ended } = await startWaiting(32)
    const other = createTestKey()
    await service.given(account('pro').withKey(other))
    const refused = await get(service, `changes?since=${position}&wait=25`, other.key)
    expect([refused.status, refused.json.error.message]).toEqual([
      503,
      expect.stringContaining('Too many calls wait for changes on this node'),
    ])
    const latencyMs = await publishAndMeasure('CVE-2026-1002', ended)
    console.log(`512 waiting calls on a replica: the last one was answered ${latencyMs.toFixed(0)} ms after the commit`)
  })

  it('answers 503 for a position that the replica has not received yet, then the changes, and never 410', async () => {
    await runStatements(replica.url, 'select pg_wal_replay_pause()')
    await publishCves(catalog, 'CVE-2026-1003')
    const position = await readNewest(primary.url)
    for (const path of ['changes', 'changes/records', 'changes/summary']) {
      const { status, json, headers } = await get(service, `${path}?since=${position}`)
      expect([status, json.error.message]).toEqual([
        503,
        expect.stringContaining('not received the changes up to this'),
      ])
      expect(headers['retry-after']).toBeDefined()
    }
    await publishCves(catalog, 'CVE-2026-1004')
    await runStatements(replica.url, 'select pg_wal_replay_resume()')
    const statuses = new Set<number>()
    const readNext = async () => {
      const { status, json } = await get(service, `changes?since=${position}`)
      statuses.add(status)
      return json.data?.changes.map(({ cve_id }: { cve_id: string }) => cve_id)
    }
    await expect.poll(readNext, POLL).toEqual(['CVE-2026-1004'])
    expect([...statuses].filter((status) => status !== 503 && status !== 200)).toEqual([])
  })
})

describe.skipIf(postgresMissingReason !== undefined)(
  'Positions from a database that lost its newest changes',
  async () => {
    const { primary, catalog } = await startServers()
    const [backup, replica] = [await startBackupOf(primary), await startPrivateReplica(primary, 0)]
    const kept = await readNewest(primary.url)
    const addresses = { current: primary.url }
    const proxy = await createFaultyProxy(() => addresses.current)
    const service = await startTestService({ environment: { DATABASE_URL: proxy.url } })
    const lost = await publishChangesToLose()

    /** Publishes changes that neither the backup nor the replica has, lets a client read them, and stops the primary. */
    async function publishChangesToLose(): Promise<string> {
      await runStatements(replica.url, "alter system set primary_conninfo = ''", 'select pg_reload_conf()')
      const countReplicas = async () => (await readRows(primary.url, 'select from pg_stat_replication')).length
      await vi.waitFor(async () => expect(await countReplicas()).toBe(0), POLL)
      await publishCves(catalog, 'CVE-2026-1001', 'CVE-2026-1002')
      const position = await readNewest(primary.url)
      expect((await get(service, `changes/records?since=${kept}`)).json.data.next_since).toBe(position)
      await primary.stop('immediate')
      return position
    }

    /**
     * Publishes other changes to another server until its log has grown past the lost position, and lets the node use it.
     * Then the lost position must get 410, and an earlier one exactly the changes after it.
     */
    async function expectNoSilentGap(url: string): Promise<void> {
      const other = await createCatalogHarness(url)
      const ids: string[] = []
      // The numbers of a promoted replica continue up to 32 after those that it has received.
      while (ids.length < 3 || toSeq(await readNewest(url)) <= toSeq(lost)) {
        const id = `CVE-2026-${2000 + ids.length}`
        await publishCves(other, id)
        ids.push(id)
      }
      addresses.current = url
      proxy.resetAll()
      const key = createTestKey()
      await expect.poll(() => service.given(account('pro').withKey(key)).then(() => true, String), POLL).toBe(true)
      for (const path of ['changes?', 'changes?wait=1&', 'changes/records?', 'changes/summary?']) {
        const read = async () => (await get(service, `${path}since=${lost}`, key.key)).status
        // The node notices within half a second that the log is another one.
        await expect.poll(read, POLL).toBe(410)
      }
      const { json } = await get(service, `changes?since=${kept}`, key.key)
      expect(json.data.changes.map(({ cve_id }: { cve_id: string }) => cve_id)).toEqual(ids)
    }

    it('get 410 after a backup was restored and its log has grown past them', () => expectNoSilentGap(backup.url))

    it('get 410 after a lagging replica was promoted and its log has grown past them', async () => {
      await runStatements(replica.url, 'select pg_promote()')
      await expectNoSilentGap(replica.url)
    })
  },
)

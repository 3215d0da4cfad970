// Rotates secrets as docs/operations.md describes, on two nodes behind a load balancer, while clients page through
// lists.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../service/src/database/postgres.ts'
import { call } from '../../service/test/faults/nodes/call.ts'
import { createNodesSetup, PATIENT_SETTINGS } from '../../service/test/faults/nodes/setup.ts'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { cleanUpAfterTests } from '../../service/test/support/cleanup.ts'
import { type ServiceProcess, startProcess } from '../../service/test/support/processes/server-process.ts'
import { startBalancer } from '../chaos/nodes/balancer.ts'

const NODES = ['A', 'B'] as const
const OVERLAP_MS = 1000
/** Enough for 60 pages per second. Without a pause, the readers would use all processors. */
const PAGE_INTERVAL_MS = 50
const LIMITS = { poolSize: 1, statementTimeoutMs: 20_000, lockTimeoutMs: 20_000, acquireTimeoutMs: 20_000 }
const [world, balancer] = [await createNodesSetup(), await startBalancer()]
const nodes = new Map<string, ServiceProcess>()

const pool = openPool(world.databaseUrl, 'rotate', LIMITS, () => {})
cleanUpAfterTests(() => pool.close())
for (const number of [1, 2, 3, 4]) await cve(`CVE-2026-000${number}`).store(pool.db)

/** Restarts the API nodes one after the other with new settings. */
async function restartNodes(settings: Readonly<Record<string, string>>): Promise<void> {
  const environment = { ...world.environment, ...PATIENT_SETTINGS, ...settings }
  for (const name of NODES) {
    await nodes.get(name)?.stop()
    const node = await startProcess({ environment: { ...environment, DRAIN_DELAY_MS: '1500' } })
    nodes.set(name, node)
    await balancer.register(name, node)
    // Nodes with old and with new settings run together for a while, so that each node receives page cursors that the
    // other node created.
    await sleep(OVERLAP_MS)
  }
}

/** Pages through a list of CVEs in a loop. The load balancer sends each request to the next node. */
function startPaging() {
  const agent = new Agent({ keepAlive: true })
  const failures: string[] = []
  const stopped = new AbortController()
  let pages = 0
  const fetchPage = async (cursor: string | undefined): Promise<string | undefined> => {
    const path = `/api/v1/cves?limit=1${cursor ? `&after=${encodeURIComponent(cursor)}` : ''}`
    const headers = { 'X-API-Key': world.key }
    // A lost connection is a failure like any answer other than 200. It must not reject, because the readers are not
    // awaited until the paging stops.
    const { status, body } = await call({ port: balancer.port, path, agent, headers }).catch((error: unknown) => ({
      status: 0,
      body: String(error),
    }))
    pages += 1
    if (status !== 200) failures.push(`${status} ${body}`)
    return status === 200 ? JSON.parse(body).data.pagination.nextCursor : undefined
  }
  const readPages = async () => {
    for (let cursor: string | undefined; !stopped.signal.aborted; await sleep(PAGE_INTERVAL_MS))
      cursor = await fetchPage(cursor)
  }
  const readers = Promise.all([readPages(), readPages(), readPages()])
  return {
    stop: async () => {
      stopped.abort()
      await readers
      agent.destroy()
      return { pages, failures }
    },
  }
}

const OLD_SECRET = 'an older secret, known to all nodes'
const NEW_SECRET = 'a newer secret, known to all nodes'

describe('Rotating secrets', () => {
  it('fails no request while the cursor secret and the database login are replaced', async () => {
    const suffix = new URL(world.databaseUrl).pathname.slice(-8)
    const [first, second] = [`vis_rotate_a_${suffix}`, `vis_rotate_b_${suffix}`]
    const admin = new Client({ connectionString: world.databaseUrl })
    await admin.connect()
    const createLogin = async (name: string) => {
      await admin.query(`create role ${name} login in role vis_api`)
      return Object.assign(new URL(world.databaseUrl), { username: name }).href
    }
    let paging: ReturnType<typeof startPaging> | undefined
    try {
      const before = await createLogin(first)
      await restartNodes({ CURSOR_SECRET: OLD_SECRET, DATABASE_URL: before })
      paging = startPaging()
      await restartNodes({ CURSOR_SECRET: OLD_SECRET, CURSOR_SECRET_PREVIOUS: NEW_SECRET, DATABASE_URL: before })
      const after = await createLogin(second)
      await restartNodes({ CURSOR_SECRET: NEW_SECRET, CURSOR_SECRET_PREVIOUS: OLD_SECRET, DATABASE_URL: after })
      await admin.query(`drop role ${first}`)
      const { pages, failures } = await paging.stop()

      console.log(`a cursor secret and a database login replaced: ${pages} pages, ${failures.length} failed`)
      expect(failures.slice(0, 3)).toEqual([])
      expect(pages).toBeGreaterThan(100)
      expect(await readUsedLogins(admin)).toEqual([second])
    } finally {
      await paging?.stop()
      for (const node of nodes.values()) await node.stop()
      await admin.query(`drop role if exists ${first}, ${second}`)
      await admin.end()
    }
  }, 600_000)
})

async function readUsedLogins(admin: Client): Promise<readonly string[]> {
  const { rows } = await admin.query<{ name: string }>(`
    select distinct usename as name
      from pg_stat_activity
     where datname = current_database()
       and usename like 'vis_rotate%'
  `)
  return rows.map(({ name }) => name)
}

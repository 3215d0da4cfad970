// What docs/operations.md says of rotating secrets, done to two nodes behind a balancer while callers page through lists.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../src/database/postgres.ts'
import { startBalancer } from '../chaos/nodes/balancer.ts'
import { call } from '../chaos/nodes/call.ts'
import { chaosWorld, PATIENT_WITH_THE_DATABASE } from '../chaos/nodes/setup.ts'
import { cve } from '../support/catalog/cve-builder.ts'
import { atEnd } from '../support/cleanup.ts'
import { type ServiceProcess, startProcess } from '../support/processes/server-process.ts'

const NODES = ['A', 'B'] as const
const SIDE_BY_SIDE_MS = 1000
const LIMITS = { poolSize: 1, statementTimeoutMs: 20_000, lockTimeoutMs: 20_000, acquireTimeoutMs: 20_000 }
const [world, balancer] = [await chaosWorld(), await startBalancer()]
const nodes = new Map<string, ServiceProcess>()

const pool = openPool(world.databaseUrl, 'rotate', LIMITS, () => {})
atEnd(() => pool.close())
for (const number of [1, 2, 3, 4]) await cve(`CVE-2026-000${number}`).store(pool.db)

/** One node after the other, as in a rolling restart. */
async function restartAllWith(settings: Readonly<Record<string, string>>): Promise<void> {
  const environment = { ...world.environment, ...PATIENT_WITH_THE_DATABASE, CHARGE_DEADLINE_MS: '5000', ...settings }
  for (const name of NODES) {
    await nodes.get(name)?.stop()
    const node = await startProcess({ environment: { ...environment, DRAIN_DELAY_MS: '600' } })
    nodes.set(name, node)
    await balancer.place(name, node)
    // Old and new side by side: without this, pages hardly ever go from one to the other.
    await sleep(SIDE_BY_SIDE_MS)
  }
}

/** Pages through a list again and again, each page from whichever node is next. */
function startPaging() {
  const agent = new Agent({ keepAlive: true })
  const failures: string[] = []
  const over = new AbortController()
  let pages = 0
  const next = async (cursor: string | undefined): Promise<string | undefined> => {
    const path = `/api/v1/cves?limit=1${cursor ? `&after=${encodeURIComponent(cursor)}` : ''}`
    const { status, body } = await call({ port: balancer.port, path, agent, headers: { 'X-API-Key': world.key } })
    pages += 1
    if (status !== 200) failures.push(`${status} ${body}`)
    return status === 200 ? JSON.parse(body).data.pagination.nextCursor : undefined
  }
  const walk = async () => {
    for (let cursor: string | undefined; !over.signal.aborted; ) cursor = await next(cursor)
  }
  const walks = Promise.all([walk(), walk(), walk()])
  return {
    stop: async () => {
      over.abort()
      await walks
      agent.destroy()
      return { pages, failures }
    },
  }
}

const OLDER = 'an older secret, known to all nodes'
const NEWER = 'a newer secret, known to all nodes'

describe('Secrets are replaced', () => {
  it('and no request fails: of cursors known to all before anybody signs, of logins two at a time', async () => {
    const suffix = new URL(world.databaseUrl).pathname.slice(-8)
    const [first, second] = [`vis_rotate_a_${suffix}`, `vis_rotate_b_${suffix}`]
    const admin = new Client({ connectionString: world.databaseUrl })
    await admin.connect()
    const login = async (name: string) => {
      await admin.query(`create role ${name} login in role vis_api`)
      return Object.assign(new URL(world.databaseUrl), { username: name }).href
    }
    try {
      const before = await login(first)
      await restartAllWith({ CURSOR_SECRET: OLDER, DATABASE_URL: before })
      const paging = startPaging()
      await restartAllWith({ CURSOR_SECRET: OLDER, CURSOR_SECRET_PREVIOUS: NEWER, DATABASE_URL: before })
      const after = await login(second)
      await restartAllWith({ CURSOR_SECRET: NEWER, CURSOR_SECRET_PREVIOUS: OLDER, DATABASE_URL: after })
      await admin.query(`drop role ${first}`)
      const { pages, failures } = await paging.stop()

      console.log(`a cursor secret and a database login replaced: ${pages} pages, ${failures.length} failed`)
      expect(failures.slice(0, 3)).toEqual([])
      expect(pages).toBeGreaterThan(100)
      expect(await loginsInUse(admin)).toEqual([second])
    } finally {
      for (const node of nodes.values()) await node.stop()
      await admin.query(`drop role if exists ${first}, ${second}`)
      await admin.end()
    }
  }, 180_000)
})

async function loginsInUse(admin: Client): Promise<readonly string[]> {
  const { rows } = await admin.query<{ name: string }>(`
    select distinct usename as name
      from pg_stat_activity
     where datname = current_database()
       and usename like 'vis_rotate%'
  `)
  return rows.map(({ name }) => name)
}

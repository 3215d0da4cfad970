// A small cluster as far as one machine carries it: two API processes behind haproxy, a primary for charges, a streaming
// replica for reading. What docs/scale.md says of it was measured here.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { freePort } from '../../../tools/free-port.ts'
import { openPool } from '../../src/database/postgres.ts'
import { migrateAll } from '../chaos/credits/setup.ts'
import { account, aKey } from '../support/builders.ts'
import { cve } from '../support/catalog/cve-builder.ts'
import { atEnd } from '../support/cleanup.ts'
import { privatePostgres, privateReplica, whyNoPostgres } from '../support/processes/private-postgres.ts'
import { type ServiceProcess, startProcess } from '../support/processes/server-process.ts'
import { requestText } from './load/connection.ts'
import { openCrowd } from './load/crowd.ts'
import { percentile } from './load/percentile.ts'

const HAPROXY = '/usr/sbin/haproxy'
const whyNot =
  whyNoPostgres ?? (existsSync(HAPROXY) ? undefined : `${HAPROXY} does not exist: install Debian's haproxy`)
if (whyNot !== undefined) process.stderr.write(`SKIPPED: the small cluster: ${whyNot}\n`)

const IDS = Array.from({ length: 200 }, (_, index) => `CVE-2026-${1000 + index}`)
const CALLERS = 64

/** Everything through one door, as docs/operations.md tells a balancer to be set up: it asks each node for readiness. */
async function startBalancer(nodes: readonly ServiceProcess[]): Promise<number> {
  const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'vis-haproxy-'))]
  const servers = nodes.map(
    (node, index) => `  server node${index} 127.0.0.1:${node.port} check port ${node.opsPort} inter 500 fall 1 rise 1`,
  )
  writeFileSync(
    join(folder, 'haproxy.cfg'),
    `defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  retries 3
  option redispatch
frontend api
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  option httpchk GET /ready
${servers.join('\n')}
`,
  )
  const haproxy = spawn(HAPROXY, ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
  atEnd(() => haproxy.kill())
  await sleep(1500)
  return port
}

async function startCluster() {
  const primary = await privatePostgres()
  await migrateAll(primary.url)
  const pool = openPool(primary.url, 'test', LIMITS, () => {})
  atEnd(() => pool.close())
  for (const id of IDS) await cve(id, { description: 'First.' }).store(pool.db)
  const key = aKey()
  await account('pro').withQuota(100_000_000).withKey(key).store(pool.db)
  const replica = await privateReplica(primary, 0)
  const environment = {
    NODE_ENV: 'production',
    CURSOR_SECRET: 'a secret that is known to both nodes of the cluster',
    DATABASE_URL: primary.url,
    DATABASE_READ_URL: replica.url,
    REDIS_URL: inject('redisUrl'),
    NODE_COUNT: '2',
    // A machine that is busy with something else sheds load; that is not what is looked at here.
    CHARGE_DEADLINE_MS: '5000',
  }
  const nodes = [await startProcess({ environment }), await startProcess({ environment })] as const
  return { primary, pool, nodes, key: key.key, port: await startBalancer(nodes) }
}

const LIMITS = { poolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }

/** How far the replica was behind, looked at every 100 ms. */
function watchLag(url: string) {
  const lags: number[] = []
  const over = new AbortController()
  const watching = (async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    while (!over.signal.aborted) {
      const { rows } = await client.query<{ ms: number | null }>(
        `select (extract(epoch from replay_lag) * 1000)::float8 as ms from pg_stat_replication`,
      )
      lags.push(rows[0]?.ms ?? 0)
      await sleep(100)
    }
    await client.end()
  })()
  return {
    stop: async () => {
      over.abort()
      await watching
      return lags
    },
  }
}

describe.skipIf(whyNot !== undefined)('Two nodes behind a balancer, reading a replica', { timeout: 240_000 }, () => {
  it('answer without a failure while one of them is restarted, and a change is served by both within 2 s', async () => {
    const { primary, pool, nodes, key, port } = await startCluster()
    const requests = IDS.map((id) => requestText(`/api/v1/cve/${id}`, key))
    const [direct, cluster] = [await openCrowd([nodes[0].port], CALLERS), await openCrowd([port], CALLERS)]
    await direct.ask(requests, 1000)
    await cluster.ask(requests, 1000)
    const lag = watchLag(primary.url)
    const alone = await direct.ask(requests, 5000)
    const together = await cluster.ask(requests, 5000)

    const seen = await changeSeen(
      pool.db,
      nodes.map((node) => node.port),
      key,
    )

    const during = cluster.ask(requests, 8000)
    await sleep(2000)
    expect(await nodes[1].stop()).toBe(0)
    const restarted = await during

    const lags = await lag.stop()
    const rate = ({ calls, seconds }: { calls: number; seconds: number }) => (calls / seconds).toFixed(0)
    process.stdout.write(
      `one node alone ${rate(alone)} calls/s; two behind haproxy ${rate(together)}; while one stops ${rate(restarted)}, ${restarted.failures} failures; ` +
        `replica behind by p50 ${percentile(lags, 0.5).toFixed(1)}, p99 ${percentile(lags, 0.99).toFixed(1)}, at most ${Math.max(...lags).toFixed(1)} ms; ` +
        `a change was served after ${seen.map((ms) => `${ms.toFixed(0)} ms`).join(' and ')}\n`,
    )
    for (const crowd of [direct, cluster]) crowd.close()
    expect([alone.failures, together.failures, restarted.failures]).toEqual([0, 0, 0])
    for (const ms of seen) expect(ms).toBeLessThan(2000)
  })
})

/** How long until each port answers with a record that was just published. */
async function changeSeen(db: Parameters<ReturnType<typeof cve>['store']>[0], ports: readonly number[], key: string) {
  const id = IDS[0] ?? ''
  await cve(id, { description: 'Second.' }).store(db)
  const publishedAt = performance.now()
  return Promise.all(
    ports.map(async (port) => {
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${port}/api/v1/cve/${id}`, { headers: { 'X-API-Key': key } })
        if ((await answer.text()).includes('Second.')) return performance.now() - publishedAt
        await sleep(20)
      }
    }),
  )
}

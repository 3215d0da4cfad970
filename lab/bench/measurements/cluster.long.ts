// A small cluster on one machine: two API processes behind haproxy, a primary for charges and a streaming replica for
// reads. lab/docs/scale.md quotes the results.

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { openPool } from '../../../service/src/database/postgres.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { cve } from '../../../service/test/support/catalog/cve-builder.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { buildGetRequest } from '../../../service/test/support/load/connection.ts'
import { percentile } from '../../../service/test/support/load/percentile.ts'
import { migrateAll } from '../../../service/test/support/migrate-all.ts'
import {
  postgresMissingReason,
  startPrivatePostgres,
  startPrivateReplica,
} from '../../../service/test/support/processes/private-postgres.ts'
import { type ServiceProcess, startProcess } from '../../../service/test/support/processes/server-process.ts'
import { freePort } from '../../../tools/free-port.ts'
import { openCallerPool } from '../load/caller-pool.ts'

const HAPROXY = '/usr/sbin/haproxy'
const missingReason =
  postgresMissingReason ?? (existsSync(HAPROXY) ? undefined : `${HAPROXY} does not exist: install Debian's haproxy`)
if (missingReason !== undefined) process.stderr.write(`SKIPPED: the measurement of a small cluster: ${missingReason}\n`)

const IDS = Array.from({ length: 200 }, (_, index) => `CVE-2026-${1000 + index}`)
const CALLER_COUNT = 64

/** Starts haproxy with a readiness check per node, as docs/operations.md recommends. */
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
  cleanUpAfterTests(() => haproxy.kill())
  await sleep(1500)
  return port
}

async function startCluster() {
  const primary = await startPrivatePostgres()
  await migrateAll(primary.url)
  const pool = openPool(primary.url, 'test', LIMITS, () => {})
  cleanUpAfterTests(() => pool.close())
  for (const id of IDS) await cve(id, { description: 'First.' }).store(pool.db)
  const key = createTestKey()
  await account('pro').withQuota(100_000_000).withKey(key).store(pool.db)
  const replica = await startPrivateReplica(primary, 0)
  const environment = {
    NODE_ENV: 'production',
    CURSOR_SECRET: 'a secret that is known to both nodes of the cluster',
    DATABASE_URL: primary.url,
    DATABASE_READ_URL: replica.url,
    REDIS_URL: inject('redisUrl'),
    NODE_COUNT: '2',
    // Timeouts longer than in production, because load shedding on a busy machine is not the subject of this
    // measurement.
    CHARGE_DEADLINE_MS: '5000',
  }
  const nodes = [await startProcess({ environment }), await startProcess({ environment })] as const
  return { primary, pool, nodes, key: key.key, port: await startBalancer(nodes) }
}

const LIMITS = { poolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }

/** Records the replication lag of the replica every 100 ms. */
function startLagWatcher(url: string) {
  const lags: number[] = []
  const stopping = new AbortController()
  const watching = (async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    while (!stopping.signal.aborted) {
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
      stopping.abort()
      await watching
      return lags
    },
  }
}

describe.skipIf(missingReason !== undefined)(
  'cluster: two nodes behind a load balancer, reading a replica',
  { timeout: 240_000 },
  () => {
    it('answers every call while one node stops, and both nodes serve a change within 2 s', async () => {
      const { primary, pool, nodes, key, port } = await startCluster()
      const requests = IDS.map((id) => buildGetRequest(`/api/v1/cve/${id}`, key))
      const [direct, cluster] = [
        await openCallerPool([nodes[0].port], CALLER_COUNT),
        await openCallerPool([port], CALLER_COUNT),
      ]
      await direct.run(requests, 1000)
      await cluster.run(requests, 1000)
      const lag = startLagWatcher(primary.url)
      const alone = await direct.run(requests, 5000)
      const together = await cluster.run(requests, 5000)

      const servedAfterMs = await measureChangeLatency(
        pool.db,
        nodes.map((node) => node.port),
        key,
      )

      const during = cluster.run(requests, 8000)
      await sleep(2000)
      expect(await nodes[1].stop()).toBe(0)
      const restarted = await during

      const lags = await lag.stop()
      const rate = ({ calls, seconds }: { calls: number; seconds: number }) => (calls / seconds).toFixed(0)
      process.stdout.write(
        `one node alone ${rate(alone)} calls/s; two behind haproxy ${rate(together)}; while one stops ${rate(restarted)}, ${restarted.failures} failures; ` +
          `replica lag p50 ${percentile(lags, 0.5).toFixed(1)}, p99 ${percentile(lags, 0.99).toFixed(1)}, at most ${Math.max(...lags).toFixed(1)} ms; ` +
          `a change was served after ${servedAfterMs.map((ms) => `${ms.toFixed(0)} ms`).join(' and ')}\n`,
      )
      for (const pool of [direct, cluster]) pool.close()
      expect([alone.failures, together.failures, restarted.failures]).toEqual([0, 0, 0])
      for (const ms of servedAfterMs) expect(ms).toBeLessThan(2000)
    })
  },
)

/** Publishes a change of a CVE and measures how long it takes until the node on each port serves the change. */
async function measureChangeLatency(
  db: Parameters<ReturnType<typeof cve>['store']>[0],
  ports: readonly number[],
  key: string,
) {
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

// Replaces Redis by a replica that lags behind while two nodes serve paid and free accounts (fault F-10).
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../service/src/api/endpoints/index.ts'
import { openPool } from '../../../service/src/database/postgres.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { startSecondNode } from '../../../service/test/support/console.ts'
import { findBrokenBalances, readBalances } from '../../../service/test/support/ledger-assertions.ts'
import { createFaultyProxy } from '../../../service/test/support/network/faulty-proxy.ts'
import { priceProbes } from '../../../service/test/support/price-probes.ts'
import { type PrivateRedis, startPrivateRedis } from '../../../service/test/support/processes/private-redis.ts'
import { startTestService } from '../../../service/test/support/service.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'
import { startRedisLoad } from './redis-load.ts'

const NODES = 2
const LIMIT = 20
const WINDOW_SECONDS = 4
const FREE_ACCOUNTS = 3
const FAILOVERS = chooseBySize({ short: 1, long: 10 })
/** Time from the loss of the primary until the replica accepts writes. */
const PROMOTION_MS = 300
/**
 * The replica has counted nothing of the window. Each node knows its own calls, and the count continues from the
 * largest of these numbers, so that the calls of the other nodes are allowed again. The two nodes have allowed about
 * half of the calls each; if Redis forgot the calls of both, the share would be 2.
 */
const MAX_SHARE = 1.75

/** Without the option, Redis waits 5 s for further replicas before it sends its data. */
const startRedis = () => startPrivateRedis('--repl-diskless-sync-delay', '0')

const served = [...endpoints, ...priceProbes]
const servers = { primary: await startRedis(), replica: await startRedis() }
const proxy = await createFaultyProxy(() => servers.primary.url)
const service = await startTestService({
  endpoints: served,
  environment: {
    REDIS_URL: proxy.url,
    NODE_COUNT: String(NODES),
    RATE_LIMIT_REQUESTS: String(LIMIT),
    RATE_LIMIT_WINDOW_SECONDS: String(WINDOW_SECONDS),
  },
})
const nodes = [service.api, await startSecondNode(service, served)]

/** Loses the primary when a rate limit window is used up of which the replica has seen nothing. */
async function failOver(): Promise<{ readonly onPrimary: number; readonly onReplica: number }> {
  const { primary, replica } = servers
  await replica.replicate(primary)
  const windowMs = WINDOW_SECONDS * 1000
  const startsAtMs = Math.ceil((Date.now() + 1000) / windowMs) * windowMs
  await sleep(startsAtMs - 500 - Date.now())
  await replica.lag()
  const count = (redis: PrivateRedis) => sumCounts(redis, startsAtMs / 1000)
  const isExhausted = async () => (await count(primary)) >= FREE_ACCOUNTS * LIMIT
  while (!(await isExhausted()) && Date.now() < startsAtMs + windowMs / 2) await sleep(50)
  const counted = { onPrimary: await count(primary), onReplica: await count(replica) }
  await primary.kill()
  // The address of Redis now leads to the replica, which refuses writes until it is promoted.
  Object.assign(servers, { primary: replica, replica: primary })
  await sleep(PROMOTION_MS)
  await replica.promote()
  // The rest of the window: more calls may be allowed if their count is lost.
  await sleep(startsAtMs + windowMs - Date.now())
  await primary.start()
  return counted
}

/** Returns the sum of the calls that Redis has counted in the window with this start. */
async function sumCounts({ url }: PrivateRedis, start: number): Promise<number> {
  const client = createClient({ url })
  await client.connect()
  let sum = 0
  for (const key of await client.keys('*rate:*')) {
    const { start: counted, used } = await client.hGetAll(key)
    if (Number(counted) === start) sum += Number(used)
  }
  await client.close()
  return sum
}

async function readLedger(paidAccountId: string) {
  const limits = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
  const pool = openPool(service.database.url, 'failover', limits, () => {})
  try {
    const paid = (await readBalances(pool.db)).find(({ accountId }) => accountId === paidAccountId)
    return { charges: paid?.charges, broken: await findBrokenBalances(pool.db) }
  } finally {
    await pool.close()
  }
}

describe('Redis failover to a lagging replica', () => {
  it('fails no call, charges every paid call once, and keeps counting the calls in the window', {
    timeout: 400_000,
  }, async () => {
    const [paid, free] = [createTestKey(), Array.from({ length: FREE_ACCOUNTS }, () => createTestKey())]
    const payer = account('enterprise').withKey(paid)
    await service.given(payer, ...free.map((key) => account('free').withKey(key)))
    const load = startRedisLoad({ nodes, paidKey: paid.key, freeKeys: free.map(({ key }) => key), limit: LIMIT })
    const lost = []
    for (let n = 0; n < FAILOVERS; n += 1) {
      load.enter('failover')
      lost.push(await failOver())
    }
    const report = await load.stop()
    process.stdout.write(`Redis failovers: ${JSON.stringify({ ...report, lost })}\n`)

    // The replica has really lost the window: otherwise the test would prove nothing.
    for (const { onPrimary, onReplica } of lost) {
      expect(onPrimary).toBeGreaterThan(LIMIT)
      expect(onReplica).toBe(0)
    }
    expect([report.paidFailures, report.freeFailures]).toEqual([0, 0])
    expect(report.worstFreeShare).toBeLessThanOrEqual(MAX_SHARE)
    expect(await readLedger(payer.id)).toEqual({ charges: report.paidCalls, broken: [] })
  })
})

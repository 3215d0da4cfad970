// Kills, suspends and empties Redis while paid and free accounts send requests.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../service/src/api/endpoints/index.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { priceProbes } from '../../../service/test/support/price-probes.ts'
import { type PrivateRedis, startPrivateRedis } from '../../../service/test/support/processes/private-redis.ts'
import { startTestService } from '../../../service/test/support/service.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'
import { type RedisLoadReport, startRedisLoad } from './redis-load.ts'

/** A slow machine must be able to reach the limit. */
const LIMIT = chooseBySize({ short: 20, long: 40 })
const WINDOW_SECONDS = 4
const FREE_ACCOUNTS = 5

/** Runs all phases of the Redis test for `phaseMs` each. The phases without faults are the baseline. */
async function breakRedis(phaseMs: number): Promise<RedisLoadReport> {
  const redis = await startPrivateRedis()
  const { api, given } = await startTestService({
    endpoints: [...endpoints, ...priceProbes],
    environment: {
      REDIS_URL: redis.url,
      RATE_LIMIT_REQUESTS: String(LIMIT),
      RATE_LIMIT_WINDOW_SECONDS: String(WINDOW_SECONDS),
    },
  })
  const paid = createTestKey()
  const free = Array.from({ length: FREE_ACCOUNTS }, () => createTestKey())
  await given(account('enterprise').withKey(paid), ...free.map((key) => account('free').withKey(key)))
  const load = startRedisLoad({
    nodes: [api],
    paidKey: paid.key,
    freeKeys: free.map(({ key }) => key),
    limit: LIMIT,
  })
  for (const [name, runPhase] of Object.entries(createPhases(redis, phaseMs))) {
    load.enter(name)
    await runPhase()
  }
  return load.stop()
}

function createPhases(redis: PrivateRedis, phaseMs: number): Readonly<Record<string, () => Promise<void>>> {
  return {
    quiet: () => sleep(phaseMs),
    killed: async () => {
      await redis.kill()
      await sleep(phaseMs)
      await redis.start()
    },
    'quiet again': () => sleep(phaseMs),
    suspended: async () => {
      redis.suspend()
      await sleep(phaseMs)
      redis.resume()
    },
    emptied: async () => {
      for (let part = 0; part < 4; part += 1) {
        await redis.flush()
        await sleep(phaseMs / 4)
      }
    },
  }
}

describe('API node while Redis is killed, suspended and emptied under load', () => {
  it('fails no call from a paid account and keeps free accounts within 1.2 times their rate limit', {
    timeout: 400_000,
  }, async () => {
    const report = await breakRedis(chooseBySize({ short: 2500, long: 30_000 }))
    process.stdout.write(`Redis faults: ${JSON.stringify(report)}\n`)
    expect(report.paidFailures).toBe(0)
    expect(report.freeFailures).toBe(0)
    expect(report.worstFreeShare).toBeLessThanOrEqual(1.2)
    expect(report.worstFreeShare).toBeGreaterThan(0.5)
    // A call waits at most 150 ms for Redis; the remainder of the limit allows for a slow machine.
    expect(report.slowestFreeMs).toBeLessThan(chooseBySize({ short: 10_000, long: 2000 }))
  })
})

// Kills, suspends and empties Redis while paid and free accounts send requests.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import type { Api, ApiAnswer } from '../../support/api.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { buildPricePath, priceProbes } from '../../support/price-probes.ts'
import { type PrivateRedis, startPrivateRedis } from '../../support/processes/private-redis.ts'
import { startTestService } from '../../support/service.ts'
import { chooseBySize } from '../../support/size.ts'

/** A slow machine must be able to reach the limit. */
const LIMIT = chooseBySize({ short: 20, long: 40 })
const WINDOW_SECONDS = 4
const FREE_ACCOUNTS = 5

interface RedisFaultsReport {
  readonly paidCalls: number
  readonly paidFailures: number
  /**
   * Highest number of accepted requests of a free account in one rate limit window, divided by the limit of the
   * account.
   */
  readonly worstFreeShare: number
  readonly freeFailures: number
  readonly slowestFreeMs: number
  readonly p99Ms: Readonly<Record<string, number>>
}

/** Runs all phases of the Redis test for `phaseMs` each. The phases without faults are the baseline. */
async function breakRedis(phaseMs: number): Promise<RedisFaultsReport> {
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
  const load = startLoad(
    api,
    paid.key,
    free.map(({ key }) => key),
  )
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

function startLoad(api: Api, paidKey: string, freeKeys: readonly string[]) {
  const [paidTimes, counters, over] = [new Map<string, number[]>(), createCounters(), new AbortController()]
  let phase = 'quiet'
  const payer = async () => {
    while (!over.signal.aborted) {
      const [times, started] = [paidTimes.get(phase) ?? [], performance.now()]
      paidTimes.set(phase, times)
      counters.paid((await api.get(buildPricePath(1), { key: paidKey })).status)
      times.push(performance.now() - started)
      await sleep(20)
    }
  }
  const caller = async (key: string) => {
    while (!over.signal.aborted) {
      const started = performance.now()
      counters.free(key, await api.get(buildPricePath(0.5), { key }), performance.now() - started)
      await sleep(25)
    }
  }
  const done = Promise.all([payer(), payer(), ...freeKeys.map(caller)])
  return {
    enter: (name: string) => {
      phase = name
    },
    stop: async (): Promise<RedisFaultsReport> => {
      over.abort()
      await done
      return {
        ...counters.report(),
        p99Ms: Object.fromEntries([...paidTimes].map(([name, times]) => [name, p99(times)])),
      }
    },
  }
}

function createCounters() {
  const passed = new Map<string, number>()
  let [paidCalls, paidFailures, freeFailures, slowestFreeMs] = [0, 0, 0, 0]
  return {
    paid: (status: number) => {
      paidCalls += 1
      if (status !== 200) paidFailures += 1
    },
    free: (key: string, { status, headers }: ApiAnswer, ms: number) => {
      slowestFreeMs = Math.max(slowestFreeMs, ms)
      const window = `${key} ${headers['x-rate-limit-reset']}`
      if (status === 200) passed.set(window, (passed.get(window) ?? 0) + 1)
      else if (status !== 429) freeFailures += 1
    },
    report: () => ({
      paidCalls,
      paidFailures,
      freeFailures,
      slowestFreeMs,
      worstFreeShare: Math.max(...passed.values()) / LIMIT,
    }),
  }
}

function p99(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  return Math.round((sorted[Math.floor(sorted.length * 0.99)] ?? 0) * 10) / 10
}

describe('API node while Redis is killed, suspended and emptied under load', () => {
  it('fails no call of a paid account and keeps free accounts within 1.2 times their rate limit', {
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

// Redis is killed, hung and emptied while paid and free accounts call.
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import type { Api, ApiAnswer } from '../../support/api.ts'
import { account, aKey } from '../../support/builders.ts'
import { pathOfPrice, priceProbes } from '../../support/price-probes.ts'
import { type PrivateRedis, privateRedis } from '../../support/processes/private-redis.ts'
import { testService } from '../../support/service.ts'

const LIMIT = 40
const WINDOW_SECONDS = 4
const FREE_ACCOUNTS = 5

export interface RedisFaultsReport {
  readonly paidCalls: number
  readonly paidFailures: number
  /** The most that any free account got through in one window, as a part of its limit. */
  readonly worstFreeShare: number
  readonly freeFailures: number
  readonly slowestFreeMs: number
  readonly p99Ms: Readonly<Record<string, number>>
}

/** Each phase lasts `phaseMs`; the quiet ones are there to compare with. */
export async function breakRedis(phaseMs: number): Promise<RedisFaultsReport> {
  const redis = await privateRedis()
  const { api, given } = await testService({
    endpoints: [...endpoints, ...priceProbes],
    environment: {
      REDIS_URL: redis.url,
      RATE_LIMIT_REQUESTS: String(LIMIT),
      RATE_LIMIT_WINDOW_SECONDS: String(WINDOW_SECONDS),
      CHARGE_DEADLINE_MS: '5000',
    },
  })
  const paid = aKey()
  const free = Array.from({ length: FREE_ACCOUNTS }, () => aKey())
  await given(account('enterprise').withKey(paid), ...free.map((key) => account('free').withKey(key)))
  const load = startLoad(
    api,
    paid.key,
    free.map(({ key }) => key),
  )
  for (const [name, act] of Object.entries(faultsOf(redis, phaseMs))) {
    load.enter(name)
    await act()
  }
  return load.stop()
}

function faultsOf(redis: PrivateRedis, phaseMs: number): Readonly<Record<string, () => Promise<void>>> {
  return {
    quiet: () => sleep(phaseMs),
    killed: async () => {
      await redis.kill()
      await sleep(phaseMs)
      await redis.start()
    },
    'quiet again': () => sleep(phaseMs),
    hung: async () => {
      redis.hang()
      await sleep(phaseMs)
      redis.goOn()
    },
    emptied: async () => {
      for (let part = 0; part < 4; part += 1) {
        await redis.empty()
        await sleep(phaseMs / 4)
      }
    },
  }
}

function startLoad(api: Api, paidKey: string, freeKeys: readonly string[]) {
  const [paidTimes, tally, over] = [new Map<string, number[]>(), createTally(), new AbortController()]
  let phase = 'quiet'
  const payer = async () => {
    while (!over.signal.aborted) {
      const [times, started] = [paidTimes.get(phase) ?? [], performance.now()]
      paidTimes.set(phase, times)
      tally.paid((await api.get(pathOfPrice(1), { key: paidKey })).status)
      times.push(performance.now() - started)
      await sleep(20)
    }
  }
  const caller = async (key: string) => {
    while (!over.signal.aborted) {
      const started = performance.now()
      tally.free(key, await api.get(pathOfPrice(0.5), { key }), performance.now() - started)
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
      return { ...tally.report(), p99Ms: Object.fromEntries([...paidTimes].map(([name, times]) => [name, p99(times)])) }
    },
  }
}

function createTally() {
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

// Load of one paid account and several free accounts, for tests of faults of Redis. A free account calls as often as it
// can, so that the rate limit refuses most of its calls.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api, ApiAnswer } from '../../../service/test/support/api.ts'
import { buildPricePath } from '../../../service/test/support/price-probes.ts'

export interface RedisLoadOptions {
  /** API nodes, which must serve the price probes. Each account calls all of them. */
  readonly nodes: readonly Api[]
  readonly paidKey: string
  readonly freeKeys: readonly string[]
  /** Rate limit of a free account. */
  readonly limit: number
}

export interface RedisLoadReport {
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

const PAYERS_PER_NODE = 2

export function startRedisLoad({ nodes, paidKey, freeKeys, limit }: RedisLoadOptions) {
  const [paidTimes, counters, over] = [new Map<string, number[]>(), createCounters(limit), new AbortController()]
  let phase = 'quiet'
  const pay = async (node: Api) => {
    while (!over.signal.aborted) {
      const [times, started] = [paidTimes.get(phase) ?? [], performance.now()]
      paidTimes.set(phase, times)
      counters.paid((await node.get(buildPricePath(1), { key: paidKey })).status)
      times.push(performance.now() - started)
      await sleep(20)
    }
  }
  const callFree = async (node: Api, key: string) => {
    while (!over.signal.aborted) {
      const started = performance.now()
      counters.free(key, await node.get(buildPricePath(0.5), { key }), performance.now() - started)
      await sleep(25)
    }
  }
  const done = Promise.all(
    nodes.flatMap((node) => [
      ...Array.from({ length: PAYERS_PER_NODE }, () => pay(node)),
      ...freeKeys.map((key) => callFree(node, key)),
    ]),
  )
  return {
    /** The answer times from now on are reported under this name. */
    enter: (name: string) => {
      phase = name
    },
    stop: async (): Promise<RedisLoadReport> => {
      over.abort()
      await done
      return {
        ...counters.report(),
        p99Ms: Object.fromEntries([...paidTimes].map(([name, times]) => [name, p99(times)])),
      }
    },
  }
}

function createCounters(limit: number) {
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
      worstFreeShare: Math.max(...passed.values()) / limit,
    }),
  }
}

function p99(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  return Math.round((sorted[Math.floor(sorted.length * 0.99)] ?? 0) * 10) / 10
}

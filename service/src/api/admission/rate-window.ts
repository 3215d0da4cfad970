// The free plan's rate limit: a fixed window per account (decision A11), counted in two places.
//
// Redis holds the count of all nodes. Only COUNT_SCRIPT writes the count, according to the clock of Redis. Redis may
// lose the count at any time.
//
// The memory of this process holds the number of requests that this process has allowed in the window. The process
// always counts, so that its count is correct when Redis fails, and so that a Redis that lost its data receives a lower
// bound. Each reply of Redis contains its time, and the process counts by this clock: with its own clock, it could send
// the count of an earlier window. The count in memory is lost when the process ends.
import type { Redis } from '../../database/redis.ts'

export interface RateLimit {
  readonly requests: number
  readonly windowSeconds: number
  /** Number of API nodes. While Redis is unavailable, each node allows an equal share of the limit. */
  readonly nodeCount: number
}

interface RateState {
  readonly isAllowed: boolean
  readonly remaining: number
  /** End of the rate limit window in Unix seconds. */
  readonly resetAt: number
  /**
   * Seconds until `resetAt`. The clock is that of Redis if Redis counted the request, otherwise that of this process.
   */
  readonly waitSeconds: number
}

/**
 * Counts a request in the rate limit window of an account. With cost 0, the state of the window is read and nothing is
 * counted. A refused request is not counted either.
 */
export type RateWindow = (accountId: string, cost: 0 | 1) => Promise<RateState>

/**
 * Lua script that Redis runs to count a request. ARGV[4] is the number of requests that this node has allowed in the
 * window that started at ARGV[5]. If this is the current window and Redis has lost its own count, the script continues
 * from this number.
 */
const COUNT_SCRIPT = `
local now = tonumber(redis.call('TIME')[1])
local limit, window, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local start = now - now % window
local seen = tonumber(ARGV[5]) == start and tonumber(ARGV[4]) or 0
local kept = redis.call('HMGET', KEYS[1], 'start', 'used')
local used = math.max(tonumber(kept[1]) == start and tonumber(kept[2]) or 0, seen)
local allowed = used + cost <= limit and 1 or 0
if allowed == 1 and cost > 0 then
  used = used + cost
  redis.call('HSET', KEYS[1], 'start', start, 'used', used)
  redis.call('EXPIREAT', KEYS[1], start + window + 1)
end
return { allowed, math.max(limit - used, 0), start + window, start + window - now }
`

/**
 * Maximum time to wait for a reply of Redis. The Redis client's own timeout covers only the writing of a command, so
 * without this timeout a Redis that hangs would block every request.
 */
const REPLY_TIMEOUT_MS = 150

function withTimeout<T>(reply: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Redis did not reply within ${ms} ms.`)), ms)
    reply.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

export function redisRateWindow(redis: Redis, prefix: string, limit: RateLimit, local: LocalRateWindow): RateWindow {
  return async (accountId, cost) => {
    const { start, count } = local.countAllowed(accountId)
    const script = redis.eval(COUNT_SCRIPT, {
      keys: [`${prefix}rate:${accountId}`],
      arguments: [limit.requests, limit.windowSeconds, cost, count, start].map(String),
    })
    const reply: unknown = await withTimeout(script, REPLY_TIMEOUT_MS)
    const [allowed, remaining, resetAt, waitSeconds] = Array.isArray(reply) ? reply.map(Number) : []
    if (remaining === undefined || resetAt === undefined || waitSeconds === undefined) {
      throw new Error('Redis returned an unexpected reply to the rate limit script.')
    }
    local.setNow(resetAt - waitSeconds)
    if (allowed === 1 && cost > 0) local.addAllowed(accountId)
    return { isAllowed: allowed === 1, remaining, resetAt, waitSeconds }
  }
}

export interface LocalRateWindow {
  readonly window: RateWindow
  /** Sets the clock of the window to the time of Redis in Unix seconds. */
  setNow(seconds: number): void
  /** Adds a request that Redis has allowed to this process's own count, which is used when Redis fails. */
  addAllowed(accountId: string): void
  /** Start of the current window, and the number of requests of the account that this process has allowed in it. */
  countAllowed(accountId: string): { readonly start: number; readonly count: number }
}

export function localRateWindow(limit: RateLimit, nowMs: () => number): LocalRateWindow {
  const share = Math.max(1, Math.floor(limit.requests / limit.nodeCount))
  let [start, used, offsetSeconds] = [0, new Map<string, number>(), 0]
  const readClock = () => Math.floor(nowMs() / 1000)
  const startWindow = () => {
    const now = readClock() + offsetSeconds
    const current = now - (now % limit.windowSeconds)
    // When a new rate limit window starts, the counts of all accounts are dropped. This also bounds the memory.
    if (current !== start) [start, used] = [current, new Map()]
    return now
  }
  const countAllowed = (accountId: string) => {
    startWindow()
    return { start, count: used.get(accountId) ?? 0 }
  }
  const addAllowed = (accountId: string) => void used.set(accountId, countAllowed(accountId).count + 1)
  const window: RateWindow = async (accountId, cost) => {
    const [now, spent] = [startWindow(), countAllowed(accountId).count]
    const isAllowed = spent + cost <= share
    if (isAllowed && cost > 0) addAllowed(accountId)
    const resetAt = start + limit.windowSeconds
    const remaining = Math.max(share - countAllowed(accountId).count, 0)
    return { isAllowed, remaining, resetAt, waitSeconds: resetAt - now }
  }
  const setNow = (seconds: number) => {
    offsetSeconds = seconds - readClock()
  }
  return { window, setNow, addAllowed, countAllowed }
}

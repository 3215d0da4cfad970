// The free plan's rate limit: a fixed window per account (decision A11), counted twice.
//
// Redis counts for all nodes, using its own clock, and only in COUNT_SCRIPT. It may lose the count at any time.
//
// This process counts the requests that it has allowed, even while Redis works. Its count takes over when Redis fails,
// and is a lower bound if Redis has lost its data. It follows Redis's clock, which each reply contains; by its own
// clock it could report the count of an earlier window.
import type { Redis } from '../../database/redis.ts'

export interface RateLimit {
  readonly requests: number
  readonly windowSeconds: number
  /** While Redis is unavailable, each node allows an equal share of the limit. */
  readonly nodeCount: number
}

interface RateState {
  readonly isAllowed: boolean
  readonly remaining: number
  /** The window's end in Unix seconds. */
  readonly resetAt: number
  /** Time until `resetAt`, by the clock that counted the request, either Redis's or this process's. */
  readonly waitSeconds: number
}

/** With cost 0, the window is only read. A refused request is not counted. */
export type RateWindow = (accountId: string, cost: 0 | 1) => Promise<RateState>

/**
 * ARGV[4] is how many requests this node has allowed in the window that started at ARGV[5]: a lower bound if Redis has
 * lost its count.
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
 * The Redis client's own timeout covers only writing a command, so without this one a hung Redis would block every
 * request.
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
  /** Sets the time in Unix seconds, by Redis's clock. */
  setNow(seconds: number): void
  /** Counts a request that Redis has allowed. */
  addAllowed(accountId: string): void
  /** Returns the number of requests that this process has allowed in the current window. */
  countAllowed(accountId: string): { readonly start: number; readonly count: number }
}

export function localRateWindow(limit: RateLimit, nowMs: () => number): LocalRateWindow {
  const share = Math.max(1, Math.floor(limit.requests / limit.nodeCount))
  let [start, used, offsetSeconds] = [0, new Map<string, number>(), 0]
  const readClock = () => Math.floor(nowMs() / 1000)
  const startWindow = () => {
    const now = readClock() + offsetSeconds
    const current = now - (now % limit.windowSeconds)
    // Dropping all counts at the start of a window also limits the memory.
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

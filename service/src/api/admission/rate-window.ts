// The free plan's fixed window (decision A11): two keepers of the same count, and the choice between them.
//
// Redis: shared by all nodes, written only by the script below. Lost with Redis: every window starts full again.
// Local: this process alone, while Redis is absent or fails; each node then gives out its share of the limit.
import type { Redis } from '../../database/redis.ts'

export interface RateLimit {
  readonly requests: number
  readonly windowSeconds: number
  /** How many nodes share the limit while each counts for itself. */
  readonly nodeCount: number
}

interface RateState {
  readonly isAllowed: boolean
  readonly remaining: number
  /** Unix seconds. */
  readonly resetAt: number
  /** Until then, by the clock that counted. */
  readonly waitSeconds: number
}

/** `cost` 0 looks without consuming; a refused call consumes nothing. */
export type RateWindow = (accountId: string, cost: 0 | 1) => Promise<RateState>

// The window is cut by Redis's own clock, so nodes with wrong clocks agree on it.
const COUNT = `
local now = tonumber(redis.call('TIME')[1])
local limit, window, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local start = now - now % window
local kept = redis.call('HMGET', KEYS[1], 'start', 'used')
local used = tonumber(kept[1]) == start and tonumber(kept[2]) or 0
local allowed = used + cost <= limit and 1 or 0
if allowed == 1 and cost > 0 then
  used = used + cost
  redis.call('HSET', KEYS[1], 'start', start, 'used', used)
  redis.call('EXPIREAT', KEYS[1], start + window + 1)
end
return { allowed, math.max(limit - used, 0), start + window, start + window - now }
`

export function redisRateWindow(redis: Redis, prefix: string, limit: RateLimit): RateWindow {
  return async (accountId, cost) => {
    const reply: unknown = await redis.eval(COUNT, {
      keys: [`${prefix}rate:${accountId}`],
      arguments: [String(limit.requests), String(limit.windowSeconds), String(cost)],
    })
    const [allowed, remaining, resetAt, waitSeconds] = Array.isArray(reply) ? reply.map(Number) : []
    if (remaining === undefined || resetAt === undefined || waitSeconds === undefined)
      throw new Error('Redis answered the rate script oddly')
    return { isAllowed: allowed === 1, remaining, resetAt, waitSeconds }
  }
}

export function localRateWindow(limit: RateLimit, nowMs: () => number): RateWindow {
  const share = Math.max(1, Math.floor(limit.requests / limit.nodeCount))
  let [start, used] = [0, new Map<string, number>()]
  return async (accountId, cost) => {
    const now = Math.floor(nowMs() / 1000)
    const current = now - (now % limit.windowSeconds)
    // A new window forgets everybody at once, which also bounds the memory.
    if (current !== start) [start, used] = [current, new Map()]
    const spent = used.get(accountId) ?? 0
    const isAllowed = spent + cost <= share
    if (isAllowed && cost > 0) used.set(accountId, spent + cost)
    const resetAt = start + limit.windowSeconds
    const remaining = Math.max(share - (used.get(accountId) ?? 0), 0)
    return { isAllowed, remaining, resetAt, waitSeconds: resetAt - now }
  }
}

export function withStandIn(shared: RateWindow, local: RateWindow, onFailure: (error: unknown) => void): RateWindow {
  return async (accountId, cost) => {
    try {
      return await shared(accountId, cost)
    } catch (error) {
      onFailure(error)
      return local(accountId, cost)
    }
  }
}

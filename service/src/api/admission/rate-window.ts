// The free plan's fixed window (decision A11): two keepers of the same count, and the choice between them.
//
// Redis: shared by all nodes, written only by the script below, by Redis's own clock. It may vanish at any moment.
// Local: what this process alone has let pass in the window. It is kept all the time, so that it knows what was spent
// when it must stand in, and so that a Redis that comes back empty is told. It dies with the process.
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

/** ARGV[4]: what this node has let pass in the current window, which Redis may have forgotten. */
const COUNT = `
local now = tonumber(redis.call('TIME')[1])
local limit, window, cost, seen = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local start = now - now % window
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

/** The client's own timeout ends when a command is written: a Redis that hangs after that would hang every call. */
const MAX_WAIT_MS = 150

function inTime<T>(reply: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ms} ms`)), ms)
    reply.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

export function redisRateWindow(redis: Redis, prefix: string, limit: RateLimit, local: LocalRateWindow): RateWindow {
  return async (accountId, cost) => {
    const script = redis.eval(COUNT, {
      keys: [`${prefix}rate:${accountId}`],
      arguments: [limit.requests, limit.windowSeconds, cost, local.passed(accountId)].map(String),
    })
    const reply: unknown = await inTime(script, MAX_WAIT_MS)
    const [allowed, remaining, resetAt, waitSeconds] = Array.isArray(reply) ? reply.map(Number) : []
    if (remaining === undefined || resetAt === undefined || waitSeconds === undefined) {
      throw new Error('Redis answered the rate script oddly')
    }
    if (allowed === 1 && cost > 0) local.note(accountId)
    return { isAllowed: allowed === 1, remaining, resetAt, waitSeconds }
  }
}

export interface LocalRateWindow {
  readonly window: RateWindow
  /** A call that somebody else has let pass. */
  note(accountId: string): void
  passed(accountId: string): number
}

export function localRateWindow(limit: RateLimit, nowMs: () => number): LocalRateWindow {
  const share = Math.max(1, Math.floor(limit.requests / limit.nodeCount))
  let [start, used] = [0, new Map<string, number>()]
  const turn = () => {
    const now = Math.floor(nowMs() / 1000)
    const current = now - (now % limit.windowSeconds)
    // A new window forgets everybody at once, which also bounds the memory.
    if (current !== start) [start, used] = [current, new Map()]
    return now
  }
  const passed = (accountId: string) => {
    turn()
    return used.get(accountId) ?? 0
  }
  const note = (accountId: string) => void used.set(accountId, passed(accountId) + 1)
  const window: RateWindow = async (accountId, cost) => {
    const [now, spent] = [turn(), passed(accountId)]
    const isAllowed = spent + cost <= share
    if (isAllowed && cost > 0) note(accountId)
    const resetAt = start + limit.windowSeconds
    return { isAllowed, remaining: Math.max(share - passed(accountId), 0), resetAt, waitSeconds: resetAt - now }
  }
  return { window, note, passed }
}

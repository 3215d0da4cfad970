import { expect, it } from 'vitest'
import { withFallback } from '../../../src/api/admission/circuit-breaker.ts'

it('counts every request in Redis again as soon as Redis has answered one', async () => {
  const redis = { isFailing: true }
  let nowMs = 0
  const events: string[] = []
  const state = { isAllowed: true, resetAt: 0, waitSeconds: 0 }
  const window = withFallback(
    async () => {
      if (redis.isFailing) throw new Error('Redis is unavailable.')
      return { ...state, remaining: 1 }
    },
    async () => ({ ...state, remaining: 0 }),
    { onFailure: () => {}, onOpen: () => events.push('open'), onClose: () => events.push('close') },
    () => nowMs,
  )
  const countInRedis = async () => (await window('a', 1)).remaining === 1
  for (let call = 0; call < 5; call += 1) await countInRedis()

  redis.isFailing = false
  expect(await countInRedis()).toBe(false)
  nowMs = 1000
  expect([await countInRedis(), await countInRedis()]).toEqual([true, true])
  expect(events).toEqual(['open', 'close'])
})

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { account, aKey } from '../../support/builders.ts'
import { etagProbe } from '../../support/probes.ts'
import { testService } from '../../support/service.ts'

const WINDOW_SECONDS = 2
const REQUESTS = 3
const { api, given } = await testService({
  endpoints: [etagProbe],
  environment: { RATE_LIMIT_REQUESTS: String(REQUESTS), RATE_LIMIT_WINDOW_SECONDS: String(WINDOW_SECONDS) },
})

describe('A free account that goes on calling while it is refused (A11)', () => {
  it('finds the next window open when it was promised: refusals do not move the window', async () => {
    const key = aKey()
    await given(account('free').withKey(key))
    const answers: { status: number; resetAt: number; seenAt: number }[] = []
    const endAt = performance.now() + 3 * WINDOW_SECONDS * 1000
    while (performance.now() < endAt) {
      const { status, headers } = await api.get(etagProbe.path, { key: key.key })
      answers.push({ status, resetAt: Number(headers['x-rate-limit-reset']), seenAt: Date.now() / 1000 })
      await sleep(40)
    }

    // What was promised stays promised until it has come.
    const broken = answers.filter(({ resetAt, seenAt }, n) => {
      const promised = answers[n - 1]?.resetAt ?? resetAt
      return resetAt !== promised && seenAt < promised
    })
    expect(broken).toEqual([])
    const windows = Map.groupBy(answers, ({ resetAt }) => resetAt)
    // The first and the last may have been seen in part only; three windows' time holds at least one whole.
    const whole = [...windows].slice(1, -1)
    expect(whole.length).toBeGreaterThanOrEqual(1)
    for (const [, within] of whole) {
      expect(within.filter(({ status }) => status === 200)).toHaveLength(REQUESTS)
      expect(within.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
    }
  })
})

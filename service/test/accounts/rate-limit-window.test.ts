import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../support/builders.ts'
import { etagProbe } from '../support/probes.ts'
import { startTestService } from '../support/service.ts'

const WINDOW_SECONDS = 2
const REQUESTS = 3
const { api, given } = await startTestService({
  endpoints: [etagProbe],
  environment: { RATE_LIMIT_REQUESTS: String(REQUESTS), RATE_LIMIT_WINDOW_SECONDS: String(WINDOW_SECONDS) },
})

describe('Rate limit window of the free plan (decision A11)', () => {
  it('rejected requests do not move the rate limit window', async () => {
    const key = createTestKey()
    await given(account('free').withKey(key))
    const answers: { status: number; resetAt: number; seenAt: number }[] = []
    const endAt = performance.now() + 3 * WINDOW_SECONDS * 1000
    while (performance.now() < endAt) {
      const { status, headers } = await api.get(etagProbe.path, { key: key.key })
      answers.push({ status, resetAt: Number(headers['x-rate-limit-reset']), seenAt: Date.now() / 1000 })
      await sleep(40)
    }

    // The reset time that the response headers announce must stay the same until that time is reached.
    const broken = answers.filter(({ resetAt, seenAt }, n) => {
      const announced = answers[n - 1]?.resetAt ?? resetAt
      return resetAt !== announced && seenAt < announced
    })
    expect(broken).toEqual([])
    const windows = Map.groupBy(answers, ({ resetAt }) => resetAt)
    // The first and the last rate limit window may be observed only partially. The requests run for the length of three
    // windows, so at least one window is observed completely.
    const complete = [...windows].slice(1, -1)
    expect(complete.length).toBeGreaterThanOrEqual(1)
    for (const [, within] of complete) {
      expect(within.filter(({ status }) => status === 200)).toHaveLength(REQUESTS)
      expect(within.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
    }
  })
})

import { VisError } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { computeRetryDelayMs, shouldRetry } from '../../src/data/retry.ts'

const failure = (status: number, retryAfter?: number) =>
  new VisError({ code: 'INVALID_RESPONSE', message: '', status, retryAfter })

describe('Retry policy', () => {
  it('retries a read twice after a 503 and waits as long as the service asks', () => {
    const error = failure(503, 3)

    expect([0, 1, 2].map((count) => shouldRetry(count, error))).toEqual([true, true, false])
    expect(computeRetryDelayMs(0, error)).toBe(3000)
  })

  it('does not retry a read after a 429, or if the service asks for a long wait', () => {
    expect(shouldRetry(0, failure(503, 60))).toBe(false)
    expect(shouldRetry(0, failure(429, 1))).toBe(false)
  })

  it.each([400, 401, 403, 404, 500])('does not retry a read after status %d', (status) => {
    expect(shouldRetry(0, failure(status))).toBe(false)
  })

  it('retries a read whose response was lost, with increasing delays', () => {
    const error = new VisError({ code: 'NETWORK_ERROR', message: '' })

    expect(shouldRetry(0, error)).toBe(true)
    expect(computeRetryDelayMs(1, error)).toBeGreaterThan(computeRetryDelayMs(0, error))
  })
})

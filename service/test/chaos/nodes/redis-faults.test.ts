import { describe, expect, it } from 'vitest'
import { breakRedis } from './redis-faults.ts'

describe('Redis killed, hung and emptied under load', () => {
  it('fails no paid call, and lets no free account past 1.2 times its limit', { timeout: 120_000 }, async () => {
    const report = await breakRedis(4000)
    process.stdout.write(`Redis faults: ${JSON.stringify(report)}\n`)
    expect(report.paidFailures).toBe(0)
    expect(report.freeFailures).toBe(0)
    expect(report.worstFreeShare).toBeLessThanOrEqual(1.2)
    expect(report.worstFreeShare).toBeGreaterThan(0.5)
    // No promise is left hanging: a call waits 150 ms for Redis at the most; the rest is this machine.
    expect(report.slowestFreeMs).toBeLessThan(2000)
  })
})

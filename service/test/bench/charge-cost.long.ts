import { describe, expect, it } from 'vitest'
import { costOfCharging } from './charge-cost.ts'

describe('Charged against uncharged calls of the same probe on one node', () => {
  it('keep at least 0.65 of the throughput and add at most 3 ms to the median', async () => {
    const report = await costOfCharging(10, 2000)
    process.stdout.write(`charge cost: ${JSON.stringify(report)}\n`)
    expect(report.charged.failures + report.uncharged.failures).toBe(0)
    expect(report.throughputRatio).toBeGreaterThanOrEqual(0.65)
    expect(report.addedP50Ms).toBeLessThanOrEqual(3)
  })
})

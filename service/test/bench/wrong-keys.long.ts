import { describe, expect, it } from 'vitest'
import { attackWithWrongKeys } from './wrong-keys.ts'

describe('Wrong keys, 1,000 a second, beside 200 valid calls a second', () => {
  it('are never accepted, and at most double the p99 of valid calls', async () => {
    const report = await attackWithWrongKeys(15_000, 60_000)
    process.stdout.write(`wrong keys: ${JSON.stringify(report)}\n`)
    expect([report.wrongAccepted, report.validFailures]).toEqual([0, 0])
    expect(report.wrongSent).toBeGreaterThan(59_000)
    expect(report.besideP99Ms).toBeLessThanOrEqual(report.aloneP99Ms * 2)
  })
})

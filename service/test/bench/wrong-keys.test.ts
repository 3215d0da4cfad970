import { describe, expect, it } from 'vitest'
import { attackWithWrongKeys } from './wrong-keys.ts'

describe('Wrong keys beside valid calls', () => {
  it('are never accepted, and fail no valid call', async () => {
    const report = await attackWithWrongKeys(1000, 4000)
    process.stdout.write(`wrong keys: ${JSON.stringify(report)}\n`)
    expect([report.wrongAccepted, report.validFailures]).toEqual([0, 0])
  })
})

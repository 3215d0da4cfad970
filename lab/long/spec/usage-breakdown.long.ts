import { expect, it } from 'vitest'
import { compareWhileCharging } from '../../../service/test/spec/self-service/usage-sums.ts'
import { startTestService } from '../../../service/test/support/service.ts'

const service = await startTestService()

it('the usage breakdown has the same sum as /api/v1/usage in 100 snapshots under load', {
  timeout: 600_000,
}, async () => {
  const { calls, differences } = await compareWhileCharging(service, { callers: 16, comparisons: 100 })
  process.stdout.write(`${calls} calls were charged or refunded during 100 comparisons\n`)
  expect(differences).toEqual([])
})

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { expect, inject, it } from 'vitest'
import { localRateWindow, redisRateWindow } from '../../../src/api/admission/rate-window.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'

const LIMIT = { requests: 3, windowSeconds: 3, nodeCount: 1 }

const redis = createClient({ url: inject('redisUrl') })
await redis.connect()
cleanUpAfterTests(() => redis.close())

it("allows the whole limit in a new Redis window while the node's clock is behind", async () => {
  const local = localRateWindow(LIMIT, () => Date.now() - 1000)
  const window = redisRateWindow(redis, `vis_test_${randomBytes(6).toString('hex')}:`, LIMIT, local)
  const readWait = async () => (await window('other', 0)).waitSeconds
  // The node's clock enters and leaves each window one second later than the Redis clock.
  await expect.poll(readWait).toBe(2)
  for (let call = 0; call < LIMIT.requests; call += 1) expect((await window('a', 1)).isAllowed).toBe(true)
  expect((await window('a', 1)).isAllowed).toBe(false)

  await sleep(2000)
  expect(await window('a', 1)).toMatchObject({ isAllowed: true, remaining: 2 })
})

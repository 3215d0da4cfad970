import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createRefunds } from '../../src/accounts/credits/refunds.ts'

const createCall = () => ({
  requestId: randomUUIDv7(),
  accountId: '1',
  keyId: '1',
  admission: '',
  endpoint: 'refunds-test',
})

/**
 * Creates refunds that a database confirms only in batches of at most `maxBatchSize`, as if larger batches timed out.
 */
function createSlowRefunds(maxBatchSize: number) {
  const [sent, errors, confirmed] = [[] as number[], [] as unknown[], [] as string[]]
  const refunds = createRefunds(
    async (calls) => {
      sent.push(calls.length)
      if (calls.length > maxBatchSize) throw new Error('canceling statement due to statement timeout')
      confirmed.push(...calls.map(({ requestId }) => requestId))
    },
    (error) => errors.push(error),
  )
  return { refunds, sent, errors, confirmed }
}

describe('Refund queue', () => {
  it('sends smaller batches after a failure, until a slow database finishes one within its timeout', async () => {
    const { refunds, sent, errors, confirmed } = createSlowRefunds(100)
    const calls = Array.from({ length: 300 }, createCall)

    await Promise.all(calls.map((call) => refunds.add(call)))

    expect(confirmed).toEqual(calls.map(({ requestId }) => requestId))
    expect(refunds.pending).toBe(0)
    // The first refund is sent alone, because the queue was empty. Batches grow again after a success.
    expect(sent).toEqual([1, 256, 128, 64, 128, 64, 128, 64, 107, 53, 54])
    expect(errors).toHaveLength(5)
  })

  it('retries a single refund until the database confirms it', async () => {
    let attempts = 0
    const refunds = createRefunds(
      async () => {
        attempts += 1
        if (attempts < 3) throw new Error('connection refused')
      },
      () => {},
    )

    await refunds.add(createCall())

    expect(attempts).toBe(3)
  })
})

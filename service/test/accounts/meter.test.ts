import { setImmediate as endOfTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Charge, ChargeResult } from '../../src/accounts/credits/charge-batch.ts'
import { createMeter } from '../../src/accounts/credits/meter.ts'

const noRefunds = { add: () => Promise.resolve() }

const createCharge = (requestId: string): Charge => ({
  requestId,
  accountId: '1',
  keyId: '1',
  admission: '',
  endpoint: 'test',
  costHalf: 1,
})

/** A fake database that answers each batch of charges only when the test calls answerNext. */
function createManualDatabase() {
  const sent: string[][] = []
  const answers: (() => void)[] = []
  const send = (charges: readonly Charge[]) =>
    new Promise<ChargeResult[]>((resolve) => {
      sent.push(charges.map(({ requestId }) => requestId))
      answers.push(() => resolve(charges.map(() => ({ outcome: 'charged' }))))
    })
  return { sent, send, answerNext: () => answers.shift()?.() }
}

describe('Credit meter: batching charges', () => {
  it('sends all charges from one event loop turn as one batch', async () => {
    const { sent, send, answerNext } = createManualDatabase()
    const meter = createMeter(send, noRefunds)
    const results = Promise.all(['a', 'b', 'c'].map((id) => meter.charge(createCharge(id))))
    expect(sent).toEqual([])
    await endOfTurn()
    expect(sent).toEqual([['a', 'b', 'c']])
    answerNext()
    expect(await results).toEqual([{ outcome: 'charged' }, { outcome: 'charged' }, { outcome: 'charged' }])
  })

  it('collects charges while a batch is in flight and sends them after the reply to that batch', async () => {
    const { sent, send, answerNext } = createManualDatabase()
    const meter = createMeter(send, noRefunds, () => 0)
    for (const id of ['a', 'b', 'c']) {
      void meter.charge(createCharge(id))
      await endOfTurn()
    }
    expect(sent).toEqual([['a']])
    answerNext()
    await expect.poll(() => sent).toEqual([['a'], ['b', 'c']])
  })

  it('sends a second batch in parallel when 32 charges wait, but sends no third batch', async () => {
    const { sent, send } = createManualDatabase()
    const meter = createMeter(send, noRefunds, () => 0)
    const many = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`)
    for (const ids of [['a'], many('b', 31), ['b31'], many('c', 100)]) {
      for (const id of ids) void meter.charge(createCharge(id))
      await endOfTurn()
    }
    expect(sent).toEqual([['a'], many('b', 32)])
  })

  it('sends all waiting charges in parallel when the batch in flight is slow', async () => {
    const { sent, send } = createManualDatabase()
    let now = 0
    const meter = createMeter(send, noRefunds, () => now)
    for (const id of ['a', 'b']) {
      void meter.charge(createCharge(id))
      await endOfTurn()
    }
    now = 5
    void meter.charge(createCharge('c'))
    await endOfTurn()
    expect(sent).toEqual([['a'], ['b', 'c']])
  })
})

describe('Credit meter: attempts without a reply', () => {
  it('refunds a charge whose retry exceeded the limit, because the first attempt may still be stored', async () => {
    const refunded: string[] = []
    const refunds = { add: async ({ requestId }: { readonly requestId: string }) => void refunded.push(requestId) }
    const exceeded = { outcome: 'exceeded', usedHalf: 9, limitHalf: 9, resetAt: new Date(), waitSeconds: 1 } as const
    const results: readonly ChargeResult[] = [exceeded, { outcome: 'charged' }, { outcome: 'charged before' }]
    let attempts = 0
    const meter = createMeter(async () => {
      attempts += 1
      if (attempts === 1) throw new Error('Query read timeout')
      return results
    }, refunds)
    expect(await Promise.all(['a', 'b', 'c'].map((id) => meter.charge(createCharge(id))))).toEqual(results)
    expect(refunded).toEqual(['a'])
  })
})

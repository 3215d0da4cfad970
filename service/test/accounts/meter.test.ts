import { setImmediate as endOfTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Charge, Verdict } from '../../src/accounts/charge-batch.ts'
import { createMeter } from '../../src/accounts/meter.ts'

const noRefunds = { add: () => Promise.resolve() }

const chargeOf = (requestId: string): Charge => ({
  requestId,
  accountId: '1',
  keyId: '1',
  endpoint: 'test',
  costHalf: 1,
})

/** A database that answers when it is told to. */
function slowDatabase() {
  const sent: string[][] = []
  const answers: (() => void)[] = []
  const send = (charges: readonly Charge[]) =>
    new Promise<Verdict[]>((resolve) => {
      sent.push(charges.map(({ requestId }) => requestId))
      answers.push(() => resolve(charges.map(() => ({ outcome: 'charged' }))))
    })
  return { sent, send, answerNext: () => answers.shift()?.() }
}

describe('The meter', () => {
  it('sends calls that come in together as one batch, at the end of the turn', async () => {
    const { sent, send, answerNext } = slowDatabase()
    const meter = createMeter(send, noRefunds)
    const verdicts = Promise.all(['a', 'b', 'c'].map((id) => meter.charge(chargeOf(id))))
    expect(sent).toEqual([])
    await endOfTurn()
    expect(sent).toEqual([['a', 'b', 'c']])
    answerNext()
    expect(await verdicts).toEqual([{ outcome: 'charged' }, { outcome: 'charged' }, { outcome: 'charged' }])
  })

  it('gathers what arrives while a batch is in flight, and sends it when that is answered', async () => {
    const { sent, send, answerNext } = slowDatabase()
    const meter = createMeter(send, noRefunds, () => 0)
    for (const id of ['a', 'b', 'c']) {
      void meter.charge(chargeOf(id))
      await endOfTurn()
    }
    expect(sent).toEqual([['a']])
    answerNext()
    await expect.poll(() => sent).toEqual([['a'], ['b', 'c']])
  })

  it('sends a second batch beside the first when it is worth its way, and no third', async () => {
    const { sent, send } = slowDatabase()
    const meter = createMeter(send, noRefunds, () => 0)
    const many = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`)
    for (const ids of [['a'], many('b', 31), ['b31'], many('c', 100)]) {
      for (const id of ids) void meter.charge(chargeOf(id))
      await endOfTurn()
    }
    expect(sent).toEqual([['a'], many('b', 32)])
  })

  it('does not wait for a slow batch: whoever comes then takes those along who wait', async () => {
    const { sent, send } = slowDatabase()
    let now = 0
    const meter = createMeter(send, noRefunds, () => now)
    for (const id of ['a', 'b']) {
      void meter.charge(chargeOf(id))
      await endOfTurn()
    }
    now = 5
    void meter.charge(chargeOf('c'))
    await endOfTurn()
    expect(sent).toEqual([['a'], ['b', 'c']])
  })
})

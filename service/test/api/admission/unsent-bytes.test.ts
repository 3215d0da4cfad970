import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createUnsentBytes, type MemoryReservation, type UnsentBytes } from '../../../src/api/admission/unsent-bytes.ts'

const LIMITS = { accountBytes: 100, nodeBytes: 150 }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

interface Call {
  reservation: MemoryReservation | undefined
  refusal: string | undefined
  readonly client: AbortController
}

/** Starts a call with a response of the given estimated size. */
function call(unsent: UnsentBytes, accountId: string, bytes: number): Call {
  const made: Call = { reservation: undefined, refusal: undefined, client: new AbortController() }
  const reserve = async () => {
    made.reservation = await unsent.reserve(accountId, bytes, made.client.signal)
  }
  reserve().catch((error: Error) => {
    made.refusal = error.message
  })
  return made
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

async function isAdmitted(made: Call): Promise<boolean> {
  await pass(0)
  return made.reservation !== undefined
}

async function admit(unsent: UnsentBytes, accountId: string, bytes: number): Promise<MemoryReservation> {
  const made = call(unsent, accountId, bytes)
  await pass(0)
  if (!made.reservation) throw new Error('The call waits.')
  return made.reservation
}

describe('Budget of unsent bytes per account', () => {
  it('admits calls until the estimates of the account exceed its budget', async () => {
    const unsent = createUnsentBytes(LIMITS)
    const [first, second, third] = [call(unsent, 'a', 50), call(unsent, 'a', 50), call(unsent, 'a', 1)]

    expect([await isAdmitted(first), await isAdmitted(second), await isAdmitted(third)]).toEqual([true, true, false])
    expect(unsent.counts()).toEqual({ bytes: 100, waiting: 1, waited: 1, refused: 0 })
  })

  it('admits a response larger than the budget if it is the only one of its account', async () => {
    const unsent = createUnsentBytes(LIMITS)
    expect(await isAdmitted(call(unsent, 'a', 1000))).toBe(true)
    expect(await isAdmitted(call(unsent, 'a', 1))).toBe(false)
  })

  it('replaces the estimate with the real size and starts the calls that then fit', async () => {
    const unsent = createUnsentBytes(LIMITS)
    const reservation = await admit(unsent, 'a', 100)
    const waiting = call(unsent, 'a', 60)

    reservation.set(50)
    expect(await isAdmitted(waiting)).toBe(false)
    reservation.set(40)
    expect(await isAdmitted(waiting)).toBe(true)
    expect(unsent.counts().bytes).toBe(100)
  })

  it('starts waiting calls in the order in which they arrived', async () => {
    const unsent = createUnsentBytes(LIMITS)
    const reservation = await admit(unsent, 'a', 100)
    const [large, small] = [call(unsent, 'a', 80), call(unsent, 'a', 1)]

    reservation.set(90)
    expect([await isAdmitted(large), await isAdmitted(small)]).toEqual([false, false])
    reservation.release()
    expect([await isAdmitted(large), await isAdmitted(small)]).toEqual([true, true])
  })

  it('counts a released response once', async () => {
    const unsent = createUnsentBytes(LIMITS)
    const reservation = await admit(unsent, 'a', 100)
    reservation.release()
    reservation.set(70)
    reservation.release()
    expect(unsent.counts().bytes).toBe(0)
  })

  it('counts a response that did not wait', async () => {
    const unsent = createUnsentBytes(LIMITS)
    await admit(unsent, 'a', 60)
    unsent.count('a').set(60)
    expect(await isAdmitted(call(unsent, 'a', 1))).toBe(false)
  })
})

describe('Budget of unsent bytes per node', () => {
  it('makes the account that uses more than an equal share wait', async () => {
    const unsent = createUnsentBytes(LIMITS)
    for (const account of ['a', 'b']) await admit(unsent, account, 70)

    expect(await isAdmitted(call(unsent, 'a', 20))).toBe(false)
    expect(await isAdmitted(call(unsent, 'b', 5))).toBe(true)
  })

  it("admits an account without unsent bytes even if the node's budget is used up", async () => {
    const unsent = createUnsentBytes(LIMITS)
    for (const account of ['a', 'b']) (await admit(unsent, account, 100)).set(100)
    call(unsent, 'a', 50)

    expect(await isAdmitted(call(unsent, 'c', 100))).toBe(true)
  })

  it('starts the waiting calls of the account with the fewest bytes first', async () => {
    const unsent = createUnsentBytes(LIMITS)
    const large = await admit(unsent, 'a', 90)
    await admit(unsent, 'b', 60)
    const [more, less] = [call(unsent, 'a', 10), call(unsent, 'b', 20)]
    expect([await isAdmitted(more), await isAdmitted(less)]).toEqual([false, false])

    // Now the node has room for one of the two calls.
    large.set(70)
    expect([await isAdmitted(more), await isAdmitted(less)]).toEqual([false, true])
  })
})

describe('Refusal of calls that wait for unsent bytes', () => {
  it('refuses a call with 503 and the number of unread megabytes if nothing was read for 5 s', async () => {
    const unsent = createUnsentBytes({ accountBytes: 4_000_000, nodeBytes: 9_000_000 })
    const reservation = await admit(unsent, 'a', 4_000_000)
    reservation.set(3_500_000)
    const waiting = call(unsent, 'a', 1_000_000)

    await pass(4900)
    expect(waiting.refusal).toBeUndefined()
    await pass(500)
    expect(waiting.refusal).toBe(
      'This account has 3.5 MB of answers that its clients have not read. Nothing was charged; read or close them, then retry.',
    )
    expect(unsent.counts()).toMatchObject({ waiting: 0, waited: 1, refused: 1 })
  })

  it('lets a call wait as long as its account keeps reading', async () => {
    const unsent = createUnsentBytes(LIMITS)
    const reservation = await admit(unsent, 'a', 100)
    reservation.set(100)
    const waiting = call(unsent, 'a', 90)

    for (let left = 99; left > 80; left -= 1) {
      await pass(4000)
      reservation.set(left)
    }
    expect(waiting).toMatchObject({ reservation: undefined, refusal: undefined })
    reservation.release()
    expect(await isAdmitted(waiting)).toBe(true)
  })

  it('does not refuse a call while all responses to its account are still being prepared', async () => {
    const unsent = createUnsentBytes(LIMITS)
    await admit(unsent, 'a', 100)
    const waiting = call(unsent, 'a', 50)

    await pass(12_000)
    expect(waiting.refusal).toBeUndefined()
  })

  it('removes a waiting call whose client has closed the connection', async () => {
    const unsent = createUnsentBytes(LIMITS)
    const reservation = await admit(unsent, 'a', 100)
    const [gone, next] = [call(unsent, 'a', 100), call(unsent, 'a', 100)]

    gone.client.abort(new Error('closed'))
    reservation.release()
    expect([await isAdmitted(gone), gone.refusal]).toEqual([false, 'closed'])
    expect(await isAdmitted(next)).toBe(true)
  })

  it('starts a smaller call at once when the larger call before it leaves', async () => {
    const unsent = createUnsentBytes(LIMITS)
    await admit(unsent, 'a', 60)
    const [large, small] = [call(unsent, 'a', 80), call(unsent, 'a', 30)]

    expect(await isAdmitted(small)).toBe(false)
    large.client.abort(new Error('closed'))
    expect(await isAdmitted(small)).toBe(true)
  })

  it('starts a smaller call when the larger call before it is refused', async () => {
    const unsent = createUnsentBytes(LIMITS)
    const reservation = await admit(unsent, 'a', 60)
    reservation.set(60)
    const large = call(unsent, 'a', 80)
    await pass(3000)
    const small = call(unsent, 'a', 30)

    await pass(2500)
    expect(large.refusal).toContain('answers that its clients have not read')
    expect(await isAdmitted(small)).toBe(true)
  })
})

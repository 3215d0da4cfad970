// Credits by group commit: calls that arrive while a batch is in flight form the next one. No timer: a batch leaves at
// the end of the event loop's turn, so that calls which came in together are one batch, and not each its own. A second
// one leaves beside the first only when it is worth its way, or when the first one is slow.
//
// State: calls that wait for their batch (a dead process has answered none of them), and refunds that the database has
// not acknowledged (see refunds.ts). Everything that counts is in the database, decided there under a lock.
import { classifyDatabaseError } from '../database/classify-error.ts'
import type { Charge, Verdict } from './charge-batch.ts'
import type { Refunds } from './refunds.ts'

const MAX_BATCH_SIZE = 256
const MAX_IN_FLIGHT = 2
const WORTH_ITS_WAY = 32
const SLOW_MS = 5
/** Beyond it, waiting would only turn slowness into timeouts. */
const MAX_QUEUE_LENGTH = 10_000

export type Send = (charges: readonly Charge[]) => Promise<readonly Verdict[]>

/** Nobody can say whether it was charged, or it certainly was not: the call is refused, and a refund sees to the rest. */
export class MeterUnavailable extends Error {
  override name = 'MeterUnavailable'
}

export interface Meter {
  charge(charge: Charge): Promise<Verdict>
}

interface Waiting {
  readonly charge: Charge
  readonly resolve: (verdict: Verdict) => void
  readonly reject: (error: unknown) => void
}

export function createMeter(
  send: Send,
  refunds: Pick<Refunds, 'add'>,
  nowMs: () => number = () => performance.now(),
): Meter {
  const queue: Waiting[] = []
  let [inFlight, leftAtMs] = [0, 0]
  let isDue = false

  const mayLeave = () => {
    if (queue.length === 0 || inFlight >= MAX_IN_FLIGHT) return false
    return inFlight === 0 || queue.length >= WORTH_ITS_WAY || nowMs() - leftAtMs >= SLOW_MS
  }

  const pump = () => {
    isDue = false
    while (mayLeave()) {
      const batch = queue.splice(0, MAX_BATCH_SIZE)
      inFlight += 1
      leftAtMs = nowMs()
      void settle(batch, send, refunds).finally(() => {
        inFlight -= 1
        pumpSoon()
      })
    }
  }

  const pumpSoon = () => {
    if (isDue) return
    isDue = true
    setImmediate(pump)
  }

  return {
    charge: (charge) => {
      if (queue.length >= MAX_QUEUE_LENGTH)
        return Promise.reject(new MeterUnavailable(`${queue.length} calls wait to be charged`))
      return new Promise((resolve, reject) => {
        queue.push({ charge, resolve, reject })
        pumpSoon()
      })
    },
  }
}

async function settle(batch: readonly Waiting[], send: Send, refunds: Pick<Refunds, 'add'>): Promise<void> {
  const charges = batch.map(({ charge }) => charge)
  const { verdicts, error, mayHaveArrived } = await twice(charges, send)
  for (const [index, { charge, resolve, reject }] of batch.entries()) {
    const verdict = verdicts[index]
    if (verdict) resolve(verdict)
    else reject(new MeterUnavailable('the credits could not be counted', { cause: error }))
    if (!verdict && mayHaveArrived) void refunds.add(charge)
  }
}

interface Settled {
  readonly verdicts: readonly Verdict[]
  readonly error?: unknown
  readonly mayHaveArrived: boolean
}

/** The second time with the same request ids: what the first attempt has charged is recognised. */
async function twice(charges: readonly Charge[], send: Send): Promise<Settled> {
  const first = await once(charges, send)
  if (first.error === undefined || classifyDatabaseError(first.error) === 'mistake') return first
  const second = await once(charges, send)
  return { ...second, mayHaveArrived: first.mayHaveArrived || second.mayHaveArrived }
}

async function once(charges: readonly Charge[], send: Send): Promise<Settled> {
  try {
    return { verdicts: await send(charges), mayHaveArrived: true }
  } catch (error) {
    return { verdicts: [], error, mayHaveArrived: isOutcomeUnknown(error) }
  }
}

/** A server that was never reached has charged nothing. Of any other failure nobody can be sure. */
function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  const code = 'code' in error ? error.code : undefined
  return code !== 'ECONNREFUSED' && !error.message.includes('trying to connect')
}

// Charges credits in batches. Charges that arrive while a batch is in flight form the next batch. There is no timer: a
// batch is sent at the end of the current event loop turn, so that requests that arrive together share one batch. A
// second batch is sent in parallel only if it is large or if the first one is slow.
//
// State in memory: charges that wait for their batch, and refunds that the database has not confirmed (refunds.ts). If
// the process dies, none of the waiting calls has been answered. The database decides every charge under a lock.
import { classifyDatabaseError } from '../../database/classify-error.ts'
import type { Charge, ChargeResult } from './charge-batch.ts'
import type { Refunds } from './refunds.ts'

const MAX_BATCH_SIZE = 256
const MAX_BATCHES_IN_FLIGHT = 2
const MIN_PARALLEL_BATCH_SIZE = 32
/** Time that a batch of charges may remain unanswered before a second batch is sent in parallel. */
const SLOW_BATCH_MS = 5
/** Further charges are rejected at once: a longer queue would only cause timeouts. */
const MAX_QUEUE_LENGTH = 10_000

export type SendCharges = (charges: readonly Charge[]) => Promise<readonly ChargeResult[]>

/** The charge failed or its outcome is unknown. A refund cancels it, in case the database has stored it. */
export class MeterUnavailableError extends Error {
  override name = 'MeterUnavailableError'
}

export interface Meter {
  charge(charge: Charge): Promise<ChargeResult>
}

interface WaitingCharge {
  readonly charge: Charge
  readonly resolve: (result: ChargeResult) => void
  readonly reject: (error: unknown) => void
}

export function createMeter(
  send: SendCharges,
  refunds: Pick<Refunds, 'add'>,
  nowMs: () => number = () => performance.now(),
): Meter {
  const queue: WaitingCharge[] = []
  let [inFlight, lastSentMs] = [0, 0]
  let isScheduled = false

  const maySendBatch = () => {
    if (queue.length === 0 || inFlight >= MAX_BATCHES_IN_FLIGHT) return false
    return inFlight === 0 || queue.length >= MIN_PARALLEL_BATCH_SIZE || nowMs() - lastSentMs >= SLOW_BATCH_MS
  }

  const sendBatches = () => {
    isScheduled = false
    while (maySendBatch()) {
      // Groups the charges by account, in order of arrival, so that the database checks one admission for all charges
      // of an account.
      const batch = queue.splice(0, MAX_BATCH_SIZE).sort(compareAccounts)
      inFlight += 1
      lastSentMs = nowMs()
      void settleBatch(batch, send, refunds).finally(() => {
        inFlight -= 1
        schedule()
      })
    }
  }

  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(sendBatches)
  }

  return {
    charge: (charge) => {
      if (queue.length >= MAX_QUEUE_LENGTH)
        return Promise.reject(new MeterUnavailableError(`${queue.length} calls wait to be charged`))
      return new Promise((resolve, reject) => {
        queue.push({ charge, resolve, reject })
        schedule()
      })
    },
  }
}

function compareAccounts({ charge: a }: WaitingCharge, { charge: b }: WaitingCharge): number {
  if (a.accountId === b.accountId) return 0
  return a.accountId < b.accountId ? -1 : 1
}

async function settleBatch(
  batch: readonly WaitingCharge[],
  send: SendCharges,
  refunds: Pick<Refunds, 'add'>,
): Promise<void> {
  const charges = batch.map(({ charge }) => charge)
  const { results, error, mayBeStored } = await sendWithRetry(charges, send)
  for (const [index, { charge, resolve, reject }] of batch.entries()) {
    const result = results[index]
    if (result) resolve(result)
    else reject(new MeterUnavailableError('the credits could not be charged', { cause: error }))
    // A charge that exceeded the limit on the retry has no row in the ledger. Its first attempt may still be executed
    // once the account has credits again, so it is refunded too.
    if (mayBeStored && (!result || result.outcome === 'exceeded')) void refunds.add(charge)
  }
}

interface Attempt {
  readonly results: readonly ChargeResult[]
  readonly error?: unknown
  /** Whether the database may have stored, or may still store, the charges of an attempt that got no reply. */
  readonly mayBeStored: boolean
}

/** Retries once, with the same request ids, so that nothing is charged twice. */
async function sendWithRetry(charges: readonly Charge[], send: SendCharges): Promise<Attempt> {
  const first = await attempt(charges, send)
  if (first.error === undefined || classifyDatabaseError(first.error) === 'bug') return first
  const second = await attempt(charges, send)
  return { ...second, mayBeStored: first.mayBeStored || second.mayBeStored }
}

async function attempt(charges: readonly Charge[], send: SendCharges): Promise<Attempt> {
  try {
    return { results: await send(charges), mayBeStored: false }
  } catch (error) {
    return { results: [], error, mayBeStored: isOutcomeUnknown(error) }
  }
}

/** A server that was never reached has charged nothing; after any other error the outcome is unknown. */
function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  const code = 'code' in error ? error.code : undefined
  return code !== 'ECONNREFUSED' && !error.message.includes('trying to connect')
}

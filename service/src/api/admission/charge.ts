// Charges credits before the work starts, and refunds them if the response is not 2xx, has no data (decision A9) or
// cannot be sent (decision A6).
import { setTimeout as sleep } from 'node:timers/promises'
import type { Charge } from '../../accounts/credits/charge-batch.ts'
import { type Meter, MeterUnavailableError } from '../../accounts/credits/meter.ts'
import type { Refunds } from '../../accounts/credits/refunds.ts'
import { creditsExceeded, unavailable } from '../../contract/response/errors.ts'
import { toCreditFigures } from '../../domain/account/credits.ts'
import { ConnectionClosedError } from '../call-work.ts'

/** How long a response waits for the refund of its credits to be stored. */
const MAX_REFUND_WAIT_MS = 250

export interface Credits {
  readonly meter: Meter
  readonly refunds: Refunds
}

/** `send` must return as soon as the headers are written. */
export async function withCharge<T extends { readonly status: number; readonly isRefunded?: boolean }, R>(
  credits: Credits,
  charge: Charge,
  work: () => Promise<T>,
  send: (response: T) => Promise<R>,
): Promise<R> {
  if (charge.costHalf === 0) return send(await work())
  await chargeOrThrow(credits.meter, charge)
  try {
    const response = await work()
    const isSuccess = response.status >= 200 && response.status <= 299
    if (!isSuccess || response.isRefunded) await refund(credits.refunds, charge)
    return await send(response)
  } catch (error) {
    // A client that hangs up after the charge still pays (decision A6); otherwise abandoned calls would be free work.
    if (!(error instanceof ConnectionClosedError)) await refund(credits.refunds, charge)
    throw error
  }
}

/**
 * Waits until the refund is stored, so that /usage shows it right after the response. If the database is slow, the
 * refund is stored later.
 */
async function refund(refunds: Refunds, charge: Charge): Promise<void> {
  const timeout = new AbortController()
  const timer = sleep(MAX_REFUND_WAIT_MS, undefined, { signal: timeout.signal }).catch(() => {})
  await Promise.race([refunds.add(charge), timer])
  timeout.abort()
}

async function chargeOrThrow(meter: Meter, charge: Charge): Promise<void> {
  const result = await meter.charge(charge).catch((error: unknown) => {
    if (error instanceof MeterUnavailableError) throw unavailable('The credits cannot be counted right now.', error)
    throw error
  })
  switch (result.outcome) {
    case 'charged':
    case 'charged before':
      return
    case 'refunded':
    case 'not admitted':
      throw unavailable('The credits cannot be counted right now.')
    case 'exceeded':
      throw creditsExceeded({
        ...toCreditFigures(result.usedHalf, result.limitHalf),
        resetAt: result.resetAt,
        waitSeconds: Math.max(1, result.waitSeconds),
      })
  }
}

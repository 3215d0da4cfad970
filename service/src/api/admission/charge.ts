// The charge is taken before the work, and given back if the answer is not 2xx (decision A6).
import type { Charge } from '../../accounts/charge-batch.ts'
import { type Meter, MeterUnavailable } from '../../accounts/meter.ts'
import type { Refunds } from '../../accounts/refunds.ts'
import { creditsExceeded, unavailable } from '../../contract/errors.ts'
import { creditFigures } from '../../domain/credits.ts'

export interface Credits {
  readonly meter: Meter
  readonly refunds: Refunds
}

/** `work` tells the status it is about to answer with. A call that costs nothing never meets the meter. */
export async function charged<T extends { readonly status: number }>(
  credits: Credits,
  charge: Charge,
  work: () => Promise<T>,
): Promise<T> {
  if (charge.costHalf === 0) return work()
  await take(credits.meter, charge)
  try {
    const answer = await work()
    if (answer.status < 200 || answer.status > 299) credits.refunds.add(charge)
    return answer
  } catch (error) {
    credits.refunds.add(charge)
    throw error
  }
}

async function take(meter: Meter, charge: Charge): Promise<void> {
  const verdict = await meter.charge(charge).catch((error: unknown) => {
    if (error instanceof MeterUnavailable) throw unavailable('The credits cannot be counted right now.', error)
    throw error
  })
  switch (verdict.outcome) {
    case 'charged':
    case 'charged before':
      return
    case 'refunded':
      throw unavailable('The credits cannot be counted right now.')
    case 'exceeded':
      throw creditsExceeded({
        ...creditFigures(verdict.usedHalf, verdict.limitHalf),
        resetAt: verdict.resetAt,
        waitSeconds: Math.max(1, verdict.waitSeconds),
      })
  }
}

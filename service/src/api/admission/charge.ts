// The charge is taken before the work, and given back if the answer is not 2xx (decision A6).
import { setTimeout as sleep } from 'node:timers/promises'
import type { Charge } from '../../accounts/charge-batch.ts'
import { type Meter, MeterUnavailable } from '../../accounts/meter.ts'
import type { Refunds } from '../../accounts/refunds.ts'
import { creditsExceeded, unavailable } from '../../contract/errors.ts'
import { creditFigures } from '../../domain/credits.ts'

const MAX_WAIT_MS = 250

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
    if (answer.status < 200 || answer.status > 299) await giveBack(credits.refunds, charge)
    return answer
  } catch (error) {
    await giveBack(credits.refunds, charge)
    throw error
  }
}

/** Whoever looks at /usage after the answer finds it given back; while the database is slow, the answer goes first. */
async function giveBack(refunds: Refunds, charge: Charge): Promise<void> {
  const late = new AbortController()
  const patience = sleep(MAX_WAIT_MS, undefined, { signal: late.signal }).catch(() => {})
  await Promise.race([refunds.add(charge), patience])
  late.abort()
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

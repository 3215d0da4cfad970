import { describe, expect, it } from 'vitest'
import { findHistoryViolations } from './history.ts'
import type { Attempt } from './load.ts'

// The chaos tests rely on findHistoryViolations, so it must detect every type of violation.
const payer = { key: 'k', accountId: '1', hasAmpleCredits: true }
const sent = { payer, costHalf: 4, requestedStatus: '200', sentAtMs: 0, endedAtMs: 1 } as const
const answered = (status: number, retryAfter?: string): Attempt => ({
  ...sent,
  answer: { status, code: undefined, requestId: 'a', retryAfter },
})
const missing: Attempt = {
  ...sent,
  answer: { status: 200, code: undefined, requestId: 'a', retryAfter: undefined, isMissing: true },
}
const unanswered: Attempt = { ...sent, answer: undefined }
const charge = { request_id: 'a', kind: 'charge', account_id: '1', period: '2026-12-01', cost_half: 4 } as const
const refund = { ...charge, kind: 'refund' } as const

describe('findHistoryViolations with calls that agree with the ledger', () => {
  it.each([
    ['served and charged', [answered(200)], [charge]],
    ['served without a record and refunded', [missing], [charge, refund]],
    ['refused and not charged', [answered(503, '1')], []],
    ['refused, charged and refunded', [answered(503, '1')], [charge, refund]],
    ['refused, with a refund that was recorded before any charge', [answered(503, '1')], [{ ...refund, cost_half: 0 }]],
    ['unanswered and charged', [unanswered], [charge]],
    ['unanswered and not charged', [unanswered], []],
  ])('returns no violation for a call that was %s', (_case, history, entries) => {
    expect(findHistoryViolations(history, entries)).toEqual([])
  })
})

describe('findHistoryViolations with calls that contradict the ledger', () => {
  it.each([
    ['a call that was served but not charged', [answered(200)], [], 'not charged exactly once'],
    ['a call that was served without a record and not refunded', [missing], [charge], 'not refunded'],
    ['a call that was served but refunded', [answered(200)], [charge, refund], 'not charged exactly once'],
    [
      'a call that was charged in two months',
      [answered(200)],
      [charge, { ...charge, period: '2027-01-01' }],
      'more than once',
    ],
    ['a charge with another price', [answered(200)], [{ ...charge, cost_half: 2 }], 'a wrong charge'],
    ['a charge to another account', [answered(200)], [{ ...charge, account_id: '2' }], 'a wrong charge'],
    ['a refused call that was charged and not refunded', [answered(503, '1')], [charge], 'not refunded'],
    [
      'a refund for another month',
      [answered(503, '1')],
      [charge, { ...refund, period: '2027-01-01' }],
      'a wrong refund',
    ],
    ['a refusal without Retry-After', [answered(503)], [], 'without Retry-After'],
    ['a 429 for an account with enough credits', [answered(429, '1')], [], 'has enough credits'],
    ['an unexpected 500', [answered(500)], [], 'unexpected status'],
    ['a charge without a call', [], [charge], 'no answered call'],
    ['an unanswered call that was charged twice', [unanswered], [charge, charge], 'charged twice'],
  ])('reports %s', (_case, history, entries, violation) => {
    expect(findHistoryViolations(history, entries).join()).toContain(violation)
  })
})

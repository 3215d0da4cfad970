import { describe, expect, it } from 'vitest'
import { faultsAgainst } from './history.ts'
import type { Attempt } from './load.ts'

// The judge of the histories, judged: it must be able to say no.
const payer = { key: 'k', accountId: '1', isRich: true }
const sent = { payer, costHalf: 4, asked: '200', sentAtMs: 0, endedAtMs: 1 } as const
const answered = (status: number, retryAfter?: string): Attempt => ({
  ...sent,
  answer: { status, code: undefined, requestId: 'a', retryAfter },
})
const unanswered: Attempt = { ...sent, answer: undefined }
const charge = { request_id: 'a', kind: 'charge', account_id: '1', period: '2026-12-01', cost_half: 4 } as const
const refund = { ...charge, kind: 'refund' } as const

describe('A history that agrees with the ledger', () => {
  it.each([
    ['served and charged', [answered(200)], [charge]],
    ['refused and not charged', [answered(503, '1')], []],
    ['refused, charged and given back', [answered(503, '1')], [charge, refund]],
    ['refused, with a refund that came before any charge', [answered(503, '1')], [{ ...refund, cost_half: 0 }]],
    ['unanswered and charged', [unanswered], [charge]],
    ['unanswered and not charged', [unanswered], []],
  ])('has no fault: %s', (_what, history, entries) => {
    expect(faultsAgainst(history, entries)).toEqual([])
  })
})

describe('A history that does not', () => {
  it.each([
    ['a free ride', [answered(200)], [], 'not charged exactly once'],
    ['served, but given back', [answered(200)], [charge, refund], 'not charged exactly once'],
    ['charged twice, in two months', [answered(200)], [charge, { ...charge, period: '2027-01-01' }], 'more than once'],
    ['another price', [answered(200)], [{ ...charge, cost_half: 2 }], 'a wrong charge'],
    ['another account', [answered(200)], [{ ...charge, account_id: '2' }], 'a wrong charge'],
    ['paid for a refusal', [answered(503, '1')], [charge], 'not given back'],
    [
      'given back to another month',
      [answered(503, '1')],
      [charge, { ...refund, period: '2027-01-01' }],
      'a wrong refund',
    ],
    ['no Retry-After', [answered(503)], [], 'without Retry-After'],
    ['refused for credits that it has', [answered(429, '1')], [], 'which it has'],
    ['an answer of our own fault', [answered(500)], [], 'nobody asked for'],
    ['a charge without a call', [], [charge], 'never answered'],
    ['an unanswered call that was charged twice', [unanswered], [charge, charge], 'charged twice'],
  ])('has a fault: %s', (_what, history, entries, fault) => {
    expect(faultsAgainst(history, entries).join()).toContain(fault)
  })
})

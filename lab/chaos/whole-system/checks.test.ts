import { describe, expect, it } from 'vitest'
import { createDice } from '../../../service/test/support/generator/dice.ts'
import { type PlannedCall, planRandomCall } from './calls.ts'
import { createBodyCheck } from './check-body.ts'
import type { SystemAttempt } from './load.ts'
import { CVE_IDS, findStates, UNKNOWN_ID } from './published-states.ts'
import { computeRecovery, type FaultRun } from './recovery.ts'

// The whole-system test relies on these checks, so they must detect every kind of wrong body.
const newest = new Map(CVE_IDS.map((id) => [id, 3]))
const checkBody = createBodyCheck(newest)
const ID = 'req_01900000-0000-7000-8000-000000000000'
const headers = { 'x-correlation-id': ID, 'x-content-type-options': 'nosniff' }
const meta = `"meta":{"timestamp":"2026-08-22T00:00:00Z","version":"v1","correlationId":"${ID}"}`

function plan(endpoint: string, seed = 1): PlannedCall {
  const dice = createDice(seed)
  for (;;) {
    const call = planRandomCall(dice)
    if (call.endpoint === endpoint && call.requestedStatus === '200') return call
  }
}

const ping = plan('ping-lite')
const record = plan('get-cve')
const id = record.path.slice('/api/v1/cve/'.length)
const describeCve = (cveId: string, version: number, link = version) => ({
  cve_id: cveId,
  description: `Version ${version} of ${cveId}.`,
  references: [{ url: `https://router.example/${cveId}/${link}` }],
})

describe('Check of a response body', () => {
  it.each([
    ['text that is not JSON', 200, 'out of order', 'not a JSON object'],
    ['two envelopes', 200, `{"data":{},${meta}}{"data":{},${meta}}`, 'not a JSON object'],
    ['an envelope without meta', 200, '{"data":{}}', 'members data'],
    ['data in an error', 503, `{"data":{},${meta}}`, 'members data,meta'],
    ['an id that differs from the header', 200, `{"data":{},${meta.replace('req_01', 'req_02')}}`, 'in the body'],
    [
      'an unexpected error code',
      503,
      `{"error":{"code":"INTERNAL_ERROR","message":"Internal error."},${meta}}`,
      'INTERNAL_ERROR',
    ],
    ['data that the specification does not describe', 200, `{"data":{"secret":1},${meta}}`, 'openapi.json'],
  ])('reports %s', (_case, status, body, problem) => {
    expect(checkBody(ping, { status, headers, body })).toContain(problem)
  })

  it.each([
    ['another CVE', describeCve(id === CVE_IDS[0] ? (CVE_IDS[1] ?? '') : (CVE_IDS[0] ?? ''), 1), 'instead of'],
    ['a mixture of two versions', describeCve(id, 2, 3), 'texts of the versions 2,3'],
    ['a version that was never published', describeCve(id, 4), 'never published'],
    ['no CVE', {}, 'instead of'],
  ])('reports %s', (_case, cve, problem) => {
    expect(record.check({ cve }, newest)).toContain(problem)
  })

  it('accepts a CVE in a published version', () => {
    expect(record.check({ cve: describeCve(id, 2) }, newest)).toBeUndefined()
  })

  it.each([
    [
      'a batch with a record under another id',
      plan('batch-cves'),
      { cves: { [CVE_IDS[0] ?? '']: describeCve(id, 1) } },
    ],
    ['an empty list', plan('recent-cves'), { cves: [] }],
    ['a list that repeats a CVE', plan('recent-cves'), { cves: [describeCve(id, 1), describeCve(id, 1)] }],
    ['the evidence of another CVE', plan('list-exploits'), { cve_id: UNKNOWN_ID }],
    ['a missing KEV entry', plan('list-kev'), { kev_entries: [{ cve_id: CVE_IDS[0] }] }],
    ['a wrong total', plan('get-stats'), { stats: { totalCves: 59, totalKev: 8 } }],
    ['more credits used than allowed', plan('get-usage'), { usage: { credits_used: 2, credits_limit: 1 } }],
  ])('reports %s', (_case, call, data) => {
    expect(call.check(data, newest)).toEqual(expect.any(String))
  })

  it('finds the version of every CVE in a text', () => {
    const text = JSON.stringify([describeCve(UNKNOWN_ID, 7), describeCve(id, 2, 3)])
    expect(findStates(text)).toEqual(
      new Map([
        [UNKNOWN_ID, new Set([7])],
        [id, new Set([2, 3])],
      ]),
    )
  })
})

describe('computeRecovery', () => {
  const run: FaultRun = { kind: '', detail: '', startedAtMs: 0, repairedAtMs: 1000, observedUntilMs: 5000 }
  const payer = { key: 'k', accountId: '1', hasAmpleCredits: true }
  const attempt = (sentAtMs: number, node: string | undefined, status: number): SystemAttempt => ({
    payer,
    costHalf: 10,
    requestedStatus: '200',
    sentAtMs,
    endedAtMs: sentAtMs + 20,
    endpoint: 'get-cve',
    node,
    wrongBody: undefined,
    answer: node === undefined ? undefined : { status, code: undefined, requestId: 'a', retryAfter: '1' },
  })
  const limits = { nodes: ['A', 'B'], normalMs: 100 } as const

  it('counts refused and unanswered calls during the fault, and waits for every node afterwards', () => {
    const normal = Array.from({ length: 20 }, (_, n) => attempt(2000 + n * 25, n % 2 === 0 ? 'A' : 'B', 200))
    const history = [
      attempt(10, 'A', 503),
      attempt(20, undefined, 0),
      attempt(1100, 'A', 200),
      attempt(1400, 'B', 503),
      ...normal,
    ]
    expect(computeRecovery(history, run, limits)).toEqual({
      calls: 2,
      refused: 1,
      unanswered: 1,
      servedAfterMs: 1045,
      normalAfterMs: 700,
    })
  })

  it('reports a node that serves no calls after the repair', () => {
    const { servedAfterMs } = computeRecovery([attempt(1100, 'A', 200)], run, limits)
    expect(servedAfterMs).toBeUndefined()
  })
})

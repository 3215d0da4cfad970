// Opens many slow connections at once while a normal client sends requests.
import { on } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import type { WireAnswer } from '../../../service/test/faults/nodes/http-answers.ts'
import { expectNoFailure, type LoadReport, startLoad } from '../../../service/test/faults/nodes/load.ts'
import { createNodesSetup, type NodesSetup, PATIENT_SETTINGS } from '../../../service/test/faults/nodes/setup.ts'
import {
  SLOW_KINDS,
  type SlowEnd,
  type SlowKind,
  type SlowTarget,
} from '../../../service/test/faults/nodes/slow-socket.ts'
import { type ServiceProcess, startProcess } from '../../../service/test/support/processes/server-process.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'
import { OTHER_DESCRIPTORS, readOpenDescriptors, waitForClosedDescriptors } from './open-descriptors.ts'
import type { SlowClientsPlan } from './slow-clients.ts'

interface SlowSocketsPlan extends SlowClientsPlan {
  /** Duration of the normal load without slow connections, for comparison. */
  readonly quietMs: number
}

interface SlowClientsReport {
  readonly ends: readonly SlowEnd[]
  readonly descriptorsAtPeak: number
}

interface SlowSocketsOutcome {
  readonly ends: readonly SlowEnd[]
  readonly quiet: LoadReport
  readonly meanwhile: LoadReport
  /** Number of open file descriptors of the server. */
  readonly descriptors: { readonly before: number; readonly atPeak: number; readonly after: number }
  /** Log lines of the server with level error or fatal. */
  readonly errorLines: readonly string[]
}

const NORMAL_CALLS_PER_SECOND = 50

async function runWithSlowSockets(setup: NodesSetup, plan: SlowSocketsPlan): Promise<SlowSocketsOutcome> {
  const server = await startProcess({
    environment: { ...setup.environment, ...PATIENT_SETTINGS },
    script: new URL('./probe-server.ts', import.meta.url),
  })
  const target = { port: server.port, key: setup.key }
  // The first requests open connections and make V8 compile code, so they are sent before the baseline is measured.
  await runNormalLoadDuring(sleep(1000), target)
  const [quiet] = await runNormalLoadDuring(sleep(plan.quietMs), target)

  const before = await readOpenDescriptors(server)
  const slowClients = new Worker(new URL('./slow-clients.ts', import.meta.url), { workerData: { plan, target } })
  try {
    const [meanwhile, slowReport] = await runNormalLoadDuring(waitForSlowClients(slowClients, server), target)
    // The server keeps a refused connection open for a moment, so that the client can read the answer. Slow clients keep
    // their side of the connection open, so the number falls only when the server destroys its sockets.
    await sleep(1000)
    const after = await waitForClosedDescriptors(server, before, 60_000)
    const errorLines = server.logLines.filter((line) => /"level":"(error|fatal)"/.test(line))
    const descriptors = { before, atPeak: slowReport.descriptorsAtPeak, after }
    return { ends: slowReport.ends, quiet, meanwhile, descriptors, errorLines }
  } finally {
    await slowClients.terminate()
    await server.kill()
  }
}

async function runNormalLoadDuring<T>(event: Promise<T>, target: SlowTarget): Promise<[LoadReport, T]> {
  const load = startLoad({ ...target, paths: ['/api/v1/ping-lite'], perSecond: NORMAL_CALLS_PER_SECOND })
  const outcome = await event
  return [await load.stop(), outcome]
}

async function waitForSlowClients(slowClients: Worker, server: ServiceProcess): Promise<SlowClientsReport> {
  const messages = on(slowClients, 'message')
  await messages.next()
  const descriptorsAtPeak = await readOpenDescriptors(server)
  const [ends = []]: (readonly SlowEnd[])[] = (await messages.next()).value ?? []
  return { ends, descriptorsAtPeak }
}

interface Limit {
  readonly closedWithinMs: number
  /**
   * Allowed answer statuses for a kind of slow request. A request whose slow part the server does not need gets status
   * 200 at once.
   */
  readonly statuses: readonly string[]
}

/**
 * Limits per kind of slow connection. The server closes every slow connection within 20 s, and earlier if the request
 * headers are incomplete, because the timeout for headers is shorter than the timeout for a whole request.
 */
const LIMITS: Readonly<Record<SlowKind, Limit>> = {
  header: { closedWithinMs: 14_000, statuses: ['408'] },
  body: { closedWithinMs: 20_000, statuses: ['408'] },
  silent: { closedWithinMs: 14_000, statuses: ['408'] },
  'body of a GET': { closedWithinMs: 20_000, statuses: ['200'] },
  'header of a second request': { closedWithinMs: 14_000, statuses: ['200 then 408'] },
}

const TIMED_OUT = {
  error: expect.objectContaining({ code: 'REQUEST_TIMEOUT', message: expect.any(String) }),
  meta: expect.objectContaining({ correlationId: expect.stringMatching(/^req_/) }),
}

function expectSlowConnectionsClosed(outcome: SlowSocketsOutcome, { counts }: SlowSocketsPlan): void {
  const { ends, descriptors } = outcome
  const opened = SLOW_KINDS.reduce((sum, kind) => sum + counts[kind], 0)
  expect(ends.length).toBe(opened)
  for (const { kind, closedAfterMs = Number.POSITIVE_INFINITY, answers } of ends) {
    expect(closedAfterMs, `age of a slow ${kind} when it was closed`).toBeLessThanOrEqual(LIMITS[kind].closedWithinMs)
    expect(LIMITS[kind].statuses, `answers to a slow ${kind}`).toContain(formatStatuses(answers))
    for (const { body } of answers.filter(({ status }) => status === 408)) expect(JSON.parse(body)).toEqual(TIMED_OUT)
  }
  // Checks that more than half of the slow connections were open at the same time; otherwise the test would prove
  // little.
  expect(descriptors.atPeak).toBeGreaterThan(opened / 2)
  expect(descriptors.after).toBeLessThanOrEqual(descriptors.before + OTHER_DESCRIPTORS)
  expect(outcome.meanwhile.sent).toBeGreaterThan(0)
  expectNoFailure(outcome.quiet)
  expectNoFailure(outcome.meanwhile)
  expect(outcome.errorLines).toEqual([])
}

function formatSummary({ ends, quiet, meanwhile, descriptors }: SlowSocketsOutcome): string {
  const kinds = SLOW_KINDS.map((kind) => describeKind(kind, ends))
  return [
    `slow connections: ${ends.length} opened, ${ends.filter((each) => each.closedAfterMs !== undefined).length} closed by the server`,
    ...kinds,
    `file descriptors of the server: ${descriptors.before} before, ${descriptors.atPeak} at the peak, ${descriptors.after} after`,
    `normal calls: ${meanwhile.sent} sent, ${meanwhile.failures.length} failed, ${formatLatency(quiet)} without and ${formatLatency(meanwhile)} with slow connections`,
  ].join('; ')
}

function formatLatency({ p50Ms, p99Ms }: LoadReport): string {
  return `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
}

function describeKind(kind: SlowKind, ends: readonly SlowEnd[]): string {
  const own = ends.filter((each) => each.kind === kind)
  const oldestMs = Math.max(...own.map(({ closedAfterMs = Number.POSITIVE_INFINITY }) => closedAfterMs))
  const answers = Map.groupBy(own, (each) => formatStatuses(each.answers))
  const counted = [...answers].map(([statuses, those]) => `${statuses} × ${those.length}`)
  return `${kind}: ${own.length}, oldest ${(oldestMs / 1000).toFixed(1)} s, answered ${counted.join(', ')}`
}

function formatStatuses(answers: readonly WireAnswer[]): string {
  return answers.map(({ status }) => status).join(' then ') || 'no answer'
}

const setup = await createNodesSetup()

describe('API node with many slow connections', () => {
  it('closes the slow connections within 20 s and answers normal calls meanwhile', { timeout: 900_000 }, async () => {
    const plan = chooseBySize({
      short: {
        counts: { header: 40, body: 40, silent: 10, 'body of a GET': 10, 'header of a second request': 10 },
        openedPerSecond: 110,
        quietMs: 2000,
      },
      long: {
        counts: { header: 2000, body: 2000, silent: 250, 'body of a GET': 250, 'header of a second request': 250 },
        openedPerSecond: 500,
        quietMs: 10_000,
      },
    })

    const outcome = await runWithSlowSockets(setup, plan)

    console.log(formatSummary(outcome))
    expectSlowConnectionsClosed(outcome, plan)
  })
})

// Many slow sockets at once, while a normal client goes on calling.
import { on } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect } from 'vitest'
import { type ServiceProcess, startProcess } from '../../support/processes/server-process.ts'
import { call } from './call.ts'
import type { WireAnswer } from './http-answers.ts'
import { expectNoFailure, type LoadReport, startLoad } from './load.ts'
import type { ChaosWorld } from './setup.ts'
import type { SlowClientsPlan } from './slow-clients.ts'
import { SLOW_KINDS, type SlowEnd, type SlowKind, type SlowTarget } from './slow-socket.ts'

export interface SlowSocketsPlan extends SlowClientsPlan {
  /** How long the normal client calls alone, for comparison. */
  readonly quietMs: number
}

interface Siege {
  readonly ends: readonly SlowEnd[]
  readonly descriptorsAtPeak: number
}

export interface SlowSocketsOutcome {
  readonly ends: readonly SlowEnd[]
  readonly quiet: LoadReport
  readonly meanwhile: LoadReport
  /** File descriptors that the server holds. */
  readonly descriptors: { readonly before: number; readonly atPeak: number; readonly after: number }
  /** What the server logged as its own fault. */
  readonly errorLines: readonly string[]
}

const NORMAL_CALLS_PER_SECOND = 50
/** Connections of the database pools may come and go. */
const OTHER_DESCRIPTORS = 30

export async function withstandSlowSockets(world: ChaosWorld, plan: SlowSocketsPlan): Promise<SlowSocketsOutcome> {
  const server = await startProcess({
    environment: world.environment,
    script: new URL('./probe-server.ts', import.meta.url),
  })
  const target = { port: server.port, key: world.key }
  // The first calls pay for opening connections and compiling; they are nobody's baseline.
  await callNormallyDuring(sleep(1000), target)
  const [quiet] = await callNormallyDuring(sleep(plan.quietMs), target)

  const before = await openDescriptors(server)
  const slowClients = new Worker(new URL('./slow-clients.ts', import.meta.url), { workerData: { plan, target } })
  try {
    const [meanwhile, siege] = await callNormallyDuring(endOfSiege(slowClients, server), target)
    const after = await descriptorsOnceSettled(server, before)
    const errorLines = server.logLines.filter((line) => /"level":"(error|fatal)"/.test(line))
    const descriptors = { before, atPeak: siege.descriptorsAtPeak, after }
    return { ends: siege.ends, quiet, meanwhile, descriptors, errorLines }
  } finally {
    await slowClients.terminate()
    await server.kill()
  }
}

async function callNormallyDuring<T>(event: Promise<T>, target: SlowTarget): Promise<[LoadReport, T]> {
  const load = startLoad({ ...target, paths: ['/api/v1/ping-lite'], perSecond: NORMAL_CALLS_PER_SECOND })
  const outcome = await event
  return [await load.stop(), outcome]
}

async function endOfSiege(slowClients: Worker, server: ServiceProcess): Promise<Siege> {
  const messages = on(slowClients, 'message')
  await messages.next()
  const descriptorsAtPeak = await openDescriptors(server)
  const [ends = []]: (readonly SlowEnd[])[] = (await messages.next()).value ?? []
  return { ends, descriptorsAtPeak }
}

/** The slow clients still hold on to their ends: only the server's own closing brings the number down. */
async function descriptorsOnceSettled(server: ServiceProcess, before: number): Promise<number> {
  // A refused client is given a moment to read why.
  await sleep(1000)
  const giveUpAt = performance.now() + 5000
  let open = await openDescriptors(server)
  while (open > before + OTHER_DESCRIPTORS && performance.now() < giveUpAt) {
    await sleep(200)
    open = await openDescriptors(server)
  }
  return open
}

async function openDescriptors({ opsPort }: ServiceProcess): Promise<number> {
  const { body } = await call({ port: opsPort, path: '/metrics' })
  return Number(/^process_open_fds (\d+)/m.exec(body)?.[1])
}

interface Promised {
  readonly closedWithinMs: number
  /** In the order in which they may arrive: a request that needs no more of what is slow is answered at once. */
  readonly statuses: readonly string[]
}

/** Nothing may stay for 20 s; headers have less time than a whole request. */
const PROMISED: Readonly<Record<SlowKind, Promised>> = {
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

export function expectWithstood(outcome: SlowSocketsOutcome, { counts }: SlowSocketsPlan): void {
  const { ends, descriptors } = outcome
  const opened = SLOW_KINDS.reduce((sum, kind) => sum + counts[kind], 0)
  expect(ends.length).toBe(opened)
  for (const { kind, closedAfterMs = Number.POSITIVE_INFINITY, answers } of ends) {
    expect(closedAfterMs, `age of a slow ${kind} when it was closed`).toBeLessThanOrEqual(PROMISED[kind].closedWithinMs)
    expect(PROMISED[kind].statuses, `answers to a slow ${kind}`).toContain(statusesOf(answers))
    for (const { body } of answers.filter(({ status }) => status === 408)) expect(JSON.parse(body)).toEqual(TIMED_OUT)
  }
  // Otherwise they were never there at the same time, and nothing was proven.
  expect(descriptors.atPeak).toBeGreaterThan(opened / 2)
  expect(descriptors.after).toBeLessThanOrEqual(descriptors.before + OTHER_DESCRIPTORS)
  expect(outcome.meanwhile.sent).toBeGreaterThan(0)
  expectNoFailure(outcome.quiet)
  expectNoFailure(outcome.meanwhile)
  expect(outcome.errorLines).toEqual([])
}

export function summaryOf({ ends, quiet, meanwhile, descriptors }: SlowSocketsOutcome): string {
  const kinds = SLOW_KINDS.map((kind) => describeKind(kind, ends))
  return [
    `slow sockets: ${ends.length} opened, ${ends.filter((each) => each.closedAfterMs !== undefined).length} closed by the server`,
    ...kinds,
    `descriptors of the server: ${descriptors.before} before, ${descriptors.atPeak} at the peak, ${descriptors.after} after`,
    `normal calls: ${meanwhile.sent} sent, ${meanwhile.failures.length} failed, ${latency(quiet)} without and ${latency(meanwhile)} with slow sockets`,
  ].join('; ')
}

function latency({ p50Ms, p99Ms }: LoadReport): string {
  return `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
}

function describeKind(kind: SlowKind, ends: readonly SlowEnd[]): string {
  const own = ends.filter((each) => each.kind === kind)
  const oldestMs = Math.max(...own.map(({ closedAfterMs = Number.POSITIVE_INFINITY }) => closedAfterMs))
  const answers = Map.groupBy(own, (each) => statusesOf(each.answers))
  const counted = [...answers].map(([statuses, those]) => `${statuses} × ${those.length}`)
  return `${kind}: ${own.length}, oldest ${(oldestMs / 1000).toFixed(1)} s, answered ${counted.join(', ')}`
}

function statusesOf(answers: readonly WireAnswer[]): string {
  return answers.map(({ status }) => status).join(' then ') || 'nothing'
}

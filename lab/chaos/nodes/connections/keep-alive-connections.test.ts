// Many keep-alive connections to one node (fault F-20, goal C-CONN).
import { describe, expect, it } from 'vitest'
import { createNodesSetup, PATIENT_SETTINGS } from '../../../../service/test/faults/nodes/setup.ts'
import { readResidentMegabytes } from '../../../../service/test/support/load/cpu.ts'
import { NODE_ARGUMENTS } from '../../../../service/test/support/processes/deployed-node.ts'
import { startProcess } from '../../../../service/test/support/processes/server-process.ts'
import { chooseBySize, isLongRun } from '../../../../service/test/support/size.ts'
import { OTHER_DESCRIPTORS, readOpenDescriptors, waitForClosedDescriptors } from '../open-descriptors.ts'
import { runClient } from './client.ts'
import type { KeepAliveResult } from './keep-alive-sockets.ts'

/** Each connection is used at least every 10 s, because a node closes connections without traffic after 20 s. */
const PLAN = chooseBySize({
  short: { clients: 1, connectionsEach: 400, openedPerSecond: 400, requestsPerSecond: 100, durationMs: 1500 },
  long: { clients: 2, connectionsEach: 5000, openedPerSecond: 500, requestsPerSecond: 500, durationMs: 30_000 },
})
const CONNECTIONS = PLAN.clients * PLAN.connectionsEach
const MAX_GROWTH_MEGABYTES = 150
const MAX_P99_MS = 100

const setup = await createNodesSetup()

async function holdConnections() {
  const server = await startProcess({
    // The connections belong to one account here and to many in reality, so that the limit of an account is no subject.
    environment: { ...setup.environment, ...PATIENT_SETTINGS, CONCURRENT_CALLS_PER_ACCOUNT: String(2 * CONNECTIONS) },
    execArgs: NODE_ARGUMENTS,
  })
  const task = { kind: 'keep-alive', port: server.port, key: setup.key, ...PLAN } as const
  // In the long run, the memory counts from the time when the node has answered calls.
  if (isLongRun) await runClient({ ...task, connections: 100, durationMs: 5000 })
  const before = { descriptors: await readOpenDescriptors(server), megabytes: readResidentMegabytes(server.pid) }
  const running = Array.from({ length: PLAN.clients }, () => runClient({ ...task, connections: PLAN.connectionsEach }))
  const samples = [{ ...before, atMs: Date.now() }]
  const sample = async () => {
    const descriptors = await readOpenDescriptors(server).catch(() => 0)
    samples.push({ atMs: Date.now(), descriptors, megabytes: readResidentMegabytes(server.pid) })
  }
  const timer = setInterval(() => void sample(), 250)
  const results = await Promise.all(running).finally(() => clearInterval(timer))
  const atOnceFromMs = Math.min(...results.map((result) => result.atOnceFromMs))
  const peak = {
    descriptors: Math.max(...samples.map(({ descriptors }) => descriptors)),
    megabytes: Math.max(...samples.filter(({ atMs }) => atMs < atOnceFromMs).map(({ megabytes }) => megabytes)),
    megabytesAtOnce: Math.max(...samples.map(({ megabytes }) => megabytes)),
  }
  const after = await waitForClosedDescriptors(server, before.descriptors, 60_000)
  const errorLines = server.logLines.filter((line) => /"level":"(error|fatal)"/.test(line))
  await server.kill()
  return { results, before, peak, after, errorLines }
}

function sumCounts(results: readonly KeepAliveResult[], read: (result: KeepAliveResult) => Record<string, number>) {
  const sums: Record<string, number> = {}
  for (const result of results)
    for (const [status, count] of Object.entries(read(result))) sums[status] = (sums[status] ?? 0) + count
  return sums
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN
}

describe('API node with many keep-alive connections', () => {
  it(`keeps ${CONNECTIONS} connections, answers requests on all of them and resets none`, {
    timeout: 900_000,
  }, async () => {
    const { results, before, peak, after, errorLines } = await holdConnections()
    const latencies = results.flatMap(({ latenciesMs }) => latenciesMs)
    const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)]
    const growth = peak.megabytes - before.megabytes
    const statuses = sumCounts(results, (result) => result.statuses)
    const atOnce = sumCounts(results, (result) => result.atOnce)
    console.log(
      `keep-alive connections: ${peak.descriptors - before.descriptors} at the peak, answers ${JSON.stringify(statuses)}, all at once ${JSON.stringify(atOnce)}, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, memory ${before.megabytes.toFixed(0)} MB and ${growth.toFixed(0)} MB more at ${PLAN.clients * PLAN.requestsPerSecond} requests per second, ${(peak.megabytesAtOnce - before.megabytes).toFixed(0)} MB more with all at once`,
    )
    expect(results.flatMap(({ broken }) => broken.slice(0, 3))).toEqual([])
    expect(results.reduce((sum, { opened }) => sum + opened, 0)).toBe(CONNECTIONS)
    expect(peak.descriptors - before.descriptors).toBeGreaterThan(CONNECTIONS - OTHER_DESCRIPTORS)
    expect(Object.keys(statuses)).toEqual(['200'])
    expect(atOnce).toEqual({ 200: CONNECTIONS })
    expect(after).toBeLessThanOrEqual(before.descriptors + OTHER_DESCRIPTORS)
    expect(errorLines).toEqual([])
    expect(growth).toBeLessThanOrEqual(MAX_GROWTH_MEGABYTES)
    if (isLongRun) expect(p99).toBeLessThanOrEqual(MAX_P99_MS)
  })
})

// Memory and handles of a node that answers calls of all kinds for a long time (fault F-26). SOAK_MINUTES=360 runs the
// long form for six hours.
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { call } from '../../../service/test/faults/nodes/call.ts'
import { createNodesSetup, PATIENT_SETTINGS } from '../../../service/test/faults/nodes/setup.ts'
import { cve } from '../../../service/test/support/catalog/cve-builder.ts'
import { NODE_ARGUMENTS } from '../../../service/test/support/processes/deployed-node.ts'
import { type ServiceProcess, startProcess } from '../../../service/test/support/processes/server-process.ts'
import { chooseBySize, isLongRun } from '../../../service/test/support/size.ts'
import { OTHER_DESCRIPTORS, readOpenDescriptors } from './open-descriptors.ts'

interface Sample {
  readonly atHours: number
  readonly calls: number
  /** Memory that is in use after a collection of all garbage. */
  readonly leftBytes: number
  readonly rss: number
  readonly resources: number
  readonly descriptors: number
}

const MEGABYTE = 2 ** 20
const LONG_MINUTES = Number(process.env['SOAK_MINUTES'] ?? 10)
/** An interval ends after a time and a number of calls, so that a slow machine measures no fewer calls. */
const PLAN = chooseBySize({
  short: { warmUp: { ms: 0, calls: 400 }, samples: 4, interval: { ms: 0, calls: 300 }, pauseMs: 1 },
  long: {
    warmUp: { ms: 60_000, calls: 4000 },
    samples: LONG_MINUTES * 4,
    interval: { ms: 15_000, calls: 0 },
    pauseMs: 20,
  },
})
const CLIENTS = 4
/**
 * A request that stays in memory takes about 2,100 bytes. In the short run, caches and compiled code still grow: 500 to
 * 800 bytes per call without a leak.
 */
const MAX_BYTES_PER_CALL = chooseBySize({ short: 1400, long: 600 })
const MAX_MEGABYTES_PER_HOUR = 1
/** Connections of the database pools and of the clients. */
const OTHER_RESOURCES = 30

const setup = await createNodesSetup()
await setup.given(...Array.from({ length: 20 }, (_, n) => cve(`CVE-2026-${1000 + n}`)))
const preloads = ['../../../service/test/support/network/closed-network.ts', './report-memory.ts']
const NODE_OPTIONS = preloads.map((path) => `--import=${new URL(path, import.meta.url).href}`).join(' ')

/** Calls that succeed and calls that are refused in different places. The numbers make the paths of calls differ. */
const REQUESTS: readonly ((n: number) => { readonly path: string; readonly key?: string })[] = [
  () => ({ path: '/api/v1/ping' }),
  (n) => ({ path: `/api/v1/cve/CVE-2026-${1000 + (n % 20)}` }),
  (n) => ({ path: `/api/v1/cve/CVE-2026-${1000 + (n % 20)}/detail` }),
  (n) => ({ path: `/api/v1/cves?limit=${1 + (n % 50)}` }),
  (n) => ({ path: `/api/v1/cve/CVE-2020-${100_000 + n}` }),
  (n) => ({ path: `/api/v1/cves?limit=nothing${n}` }),
  (n) => ({ path: `/unknown/${n}` }),
  (n) => ({ path: '/api/v1/ping', key: `vis_test_${n}` }),
]

function startMixedLoad(port: number) {
  const over = new AbortController()
  const agent = new Agent({ keepAlive: true })
  let [calls, failures] = [0, 0]
  const run = async () => {
    while (!over.signal.aborted) {
      calls += 1
      const { path, key = setup.key } = (REQUESTS[calls % REQUESTS.length] ?? REQUESTS[0])?.(calls) ?? { path: '/' }
      const { status } = await call({ port, path, agent, headers: { 'X-API-Key': key } })
      if (status >= 500) failures += 1
      if (calls % 50 === 0) resetCall(port)
      await sleep(PLAN.pauseMs)
    }
  }
  const done = Promise.all(Array.from({ length: CLIENTS }, run))
  return {
    countCalls: () => calls,
    wait: async ({ ms, calls: more }: { readonly ms: number; readonly calls: number }) => {
      const until = calls + more
      await sleep(ms)
      const hasEnough = () => calls >= until
      while (!hasEnough()) await sleep(20)
    },
    stop: async () => {
      over.abort()
      await done
      agent.destroy()
      return { calls, failures }
    },
  }
}

/** Sends a call and does not wait for its answer. */
function resetCall(port: number): void {
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(`GET /api/v1/cves HTTP/1.1\r\nHost: soak.test\r\nX-API-Key: ${setup.key}\r\n\r\n`, () =>
      socket.resetAndDestroy(),
    )
  })
  socket.on('error', () => {})
}

async function sample(server: ServiceProcess, calls: number): Promise<Sample> {
  const isReport = (line: string) => line.includes('"msg":"memory"')
  const reported = server.logLines.filter(isReport).length
  process.kill(server.pid, 'SIGUSR2')
  await expect.poll(() => server.logLines.filter(isReport).length).toBe(reported + 1)
  const report = JSON.parse(server.logLines.findLast(isReport) ?? '{}')
  return { ...report, calls, atHours: performance.now() / 3_600_000, descriptors: await readOpenDescriptors(server) }
}

async function soak() {
  const server = await startProcess({
    environment: { ...setup.environment, ...PATIENT_SETTINGS, NODE_OPTIONS },
    execArgs: ['--expose-gc', ...NODE_ARGUMENTS],
  })
  const load = startMixedLoad(server.port)
  await load.wait(PLAN.warmUp)
  const samples = [await sample(server, load.countCalls())]
  while (samples.length < PLAN.samples) {
    await load.wait(PLAN.interval)
    samples.push(await sample(server, load.countCalls()))
  }
  const { calls, failures } = await load.stop()
  await server.kill()
  return { samples, calls, failures }
}

/**
 * A leak shows in every interval, but other work of the process, such as the compiler, only in some of them: the
 * smallest growth counts.
 */
function findBytesPerCall(samples: readonly Sample[]): number {
  const growths = samples.slice(1).map((each, index) => {
    const before = samples[index] ?? each
    return (each.leftBytes - before.leftBytes) / Math.max(1, each.calls - before.calls)
  })
  return Math.min(...growths)
}

/** Least squares: the growth per hour, and its standard error. */
function findSlope(samples: readonly Sample[], read: (sample: Sample) => number) {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [times, values] = [samples.map(({ atHours }) => atHours), samples.map(read)]
  const [meanTime, meanValue] = [mean(times), mean(values)]
  const spread = times.reduce((sum, time) => sum + (time - meanTime) ** 2, 0)
  const slope = times.reduce((sum, time, n) => sum + (time - meanTime) * ((values[n] ?? 0) - meanValue), 0) / spread
  const rest = times.reduce((sum, time, n) => sum + ((values[n] ?? 0) - meanValue - slope * (time - meanTime)) ** 2, 0)
  return { slope, error: Math.sqrt(rest / Math.max(1, samples.length - 2) / spread) }
}

describe('Memory of an API node', () => {
  it('does not grow with the number of calls, and neither does the number of handles', {
    timeout: 86_400_000,
  }, async () => {
    const { samples, calls, failures } = await soak()
    const [first, last] = [samples[0], samples.at(-1)]
    if (!first || !last) throw new Error('There are no samples.')
    const bytesPerCall = findBytesPerCall(samples)
    const used = findSlope(samples, ({ leftBytes }) => leftBytes / MEGABYTE)
    const resident = findSlope(samples, ({ rss }) => rss / MEGABYTE)
    console.log(
      `memory growth: ${calls} calls, ${bytesPerCall.toFixed(0)} bytes per call, in use ${(first.leftBytes / MEGABYTE).toFixed(1)} to ${(last.leftBytes / MEGABYTE).toFixed(1)} MB (${used.slope.toFixed(2)} ± ${used.error.toFixed(2)} MB/h), resident ${(first.rss / MEGABYTE).toFixed(0)} to ${(last.rss / MEGABYTE).toFixed(0)} MB (${resident.slope.toFixed(1)} ± ${resident.error.toFixed(1)} MB/h), handles ${first.resources} to ${last.resources}, file descriptors ${first.descriptors} to ${last.descriptors}`,
    )
    expect(failures).toBe(0)
    expect(last.calls - first.calls).toBeGreaterThan(REQUESTS.length)
    expect(bytesPerCall).toBeLessThan(MAX_BYTES_PER_CALL)
    expect(last.resources).toBeLessThanOrEqual(first.resources + OTHER_RESOURCES)
    expect(last.descriptors).toBeLessThanOrEqual(first.descriptors + OTHER_DESCRIPTORS)
    if (isLongRun) expect(used.slope - 3 * used.error).toBeLessThanOrEqual(MAX_MEGABYTES_PER_HOUR)
  })
})

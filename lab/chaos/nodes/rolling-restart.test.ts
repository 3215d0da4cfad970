// Replaces two API nodes behind a load balancer in turn, several times, under load.
import { describe, expect, it } from 'vitest'
import { expectNoFailure, type LoadReport, startLoad } from '../../../service/test/faults/nodes/load.ts'
import { createNodesSetup, type NodesSetup, PATIENT_SETTINGS } from '../../../service/test/faults/nodes/setup.ts'
import { type ServiceProcess, startProcess } from '../../../service/test/support/processes/server-process.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'
import { type Balancer, type BalancerCounts, startBalancer } from './balancer.ts'

interface RollingPlan {
  readonly cycles: number
  readonly requestsPerSecond: number
}

interface RollingOutcome {
  readonly load: LoadReport
  /** One entry for every stopped API node. */
  readonly exits: readonly Exit[]
  readonly balancer: BalancerCounts
}

interface Exit {
  readonly code: number | null
  /** Whether the node cut connections that had not ended in time when it stopped, according to its log. */
  readonly wasCut: boolean | undefined
}

const NODES = ['A', 'B'] as const
const DRAIN_DELAY_MS = '3000'
/** Long enough for the balancer to send requests to a draining node also on a busy machine. */
const POLL_INTERVAL_MS = 700

interface Cluster {
  readonly setup: NodesSetup
  readonly balancer: Balancer
}

/** Must be called at the top of a test file, not inside a test. */
async function createCluster(): Promise<Cluster> {
  return { setup: await createNodesSetup(), balancer: await startBalancer({ pollIntervalMs: POLL_INTERVAL_MS }) }
}

async function restartInTurn({ setup, balancer }: Cluster, plan: RollingPlan): Promise<RollingOutcome> {
  const environment = { ...setup.environment, ...PATIENT_SETTINGS, DRAIN_DELAY_MS }
  const nodes = new Map<string, ServiceProcess>()
  const start = async (name: string): Promise<void> => {
    const node = await startProcess({ environment })
    nodes.set(name, node)
    await balancer.register(name, node)
  }
  await Promise.all(NODES.map(start))

  const paths = ['/api/v1/ping-lite', '/api/v1/ping']
  const load = startLoad({ port: balancer.port, key: setup.key, paths, perSecond: plan.requestsPerSecond })
  const exits: Exit[] = []
  for (const name of Array.from({ length: plan.cycles }, () => NODES).flat()) {
    exits.push(await stop(nodes.get(name)))
    await start(name)
  }
  const report = await load.stop()
  for (const node of nodes.values()) exits.push(await stop(node))
  return { load: report, exits, balancer: balancer.counts() }
}

async function stop(node: ServiceProcess | undefined): Promise<Exit> {
  const code = (await node?.stop('SIGTERM')) ?? null
  const last: { msg?: string; wasCut?: boolean } = JSON.parse(node?.logLines.at(-1) ?? '{}')
  return { code, wasCut: last.msg === 'stopped' ? last.wasCut : undefined }
}

function expectNoRequestLost({ load, exits, balancer }: RollingOutcome, plan: RollingPlan): void {
  expectNoFailure(load)
  expect(exits).toEqual(exits.map(() => ({ code: 0, wasCut: false })))
  expect(exits.length).toBe((plan.cycles + 1) * NODES.length)
  // A node stops listening only after the load balancer has seen that the node is not ready.
  expect(balancer.refused).toBe(0)
  // Checks that nodes answered requests while they were draining; otherwise the test would prove nothing.
  expect(balancer.whileDraining).toBeGreaterThan(0)
  for (const name of NODES) expect(balancer.forwarded[name]).toBeGreaterThan(load.sent / 10)
}

function formatSummary({ load, exits, balancer }: RollingOutcome, plan: RollingPlan): string {
  const shares = NODES.map((name) => `${name} ${balancer.forwarded[name]}`)
  return [
    `rolling restarts: ${plan.cycles} cycles of ${NODES.length} nodes`,
    `${load.sent} requests sent, ${load.failures.length} failed (answered by ${shares.join(', ')}; ${balancer.whileDraining} by a draining node; ${balancer.refused} refused and sent to another node)`,
    `exit codes ${exits.map(({ code }) => code).join(' ')}`,
    `p50 ${load.p50Ms.toFixed(1)} ms, p99 ${load.p99Ms.toFixed(1)} ms`,
  ].join('; ')
}

const cluster = await createCluster()

describe('Rolling restart of two API nodes', () => {
  it('loses no request, and stops every node with exit code 0', { timeout: 900_000 }, async () => {
    // The short run sends fewer requests, because other test files need the same processors.
    const plan = chooseBySize({
      short: { cycles: 1, requestsPerSecond: 40 },
      long: { cycles: 10, requestsPerSecond: 300 },
    })

    const outcome = await restartInTurn(cluster, plan)

    console.log(formatSummary(outcome, plan))
    expectNoRequestLost(outcome, plan)
  })
})

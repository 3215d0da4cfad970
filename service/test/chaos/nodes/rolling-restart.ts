// Two nodes behind a balancer are replaced in turn, again and again, under load.
import { expect } from 'vitest'
import { type ServiceProcess, startProcess } from '../../support/processes/server-process.ts'
import { type Balancer, type BalancerCounts, startBalancer } from './balancer.ts'
import { expectNoFailure, type LoadReport, startLoad } from './load.ts'
import { type ChaosWorld, chaosWorld, PATIENT_WITH_THE_DATABASE } from './setup.ts'

export interface RollingPlan {
  readonly cycles: number
  readonly requestsPerSecond: number
}

export interface RollingOutcome {
  readonly load: LoadReport
  /** One for every process that was told to stop. */
  readonly exits: readonly Exit[]
  readonly balancer: BalancerCounts
}

interface Exit {
  readonly code: number | null
  /** Whether connections had to be cut at the hard stop, as the node itself logged. */
  readonly wasCut: boolean | undefined
}

const NODES = ['A', 'B'] as const
const DRAIN_DELAY_MS = '1500'

export interface Cluster {
  readonly world: ChaosWorld
  readonly balancer: Balancer
}

/** Call it at the top of a test file. */
export async function cluster(): Promise<Cluster> {
  return { world: await chaosWorld(), balancer: await startBalancer() }
}

export async function restartInTurn({ world, balancer }: Cluster, plan: RollingPlan): Promise<RollingOutcome> {
  const environment = { ...world.environment, ...PATIENT_WITH_THE_DATABASE, DRAIN_DELAY_MS }
  const nodes = new Map<string, ServiceProcess>()
  const start = async (name: string): Promise<void> => {
    const node = await startProcess({ environment })
    nodes.set(name, node)
    await balancer.place(name, node)
  }
  await Promise.all(NODES.map(start))

  const paths = ['/api/v1/ping-lite', '/api/v1/ping']
  const load = startLoad({ port: balancer.port, key: world.key, paths, perSecond: plan.requestsPerSecond })
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

export function expectNothingLost({ load, exits, balancer }: RollingOutcome, plan: RollingPlan): void {
  expectNoFailure(load)
  expect(exits).toEqual(exits.map(() => ({ code: 0, wasCut: false })))
  expect(exits.length).toBe((plan.cycles + 1) * NODES.length)
  // A node stops listening only after the balancer has seen that it is leaving.
  expect(balancer.refused).toBe(0)
  // Otherwise the nodes were never stopped in the middle of their work, and nothing was proven.
  expect(balancer.whileDraining).toBeGreaterThan(0)
  for (const name of NODES) expect(balancer.forwarded[name]).toBeGreaterThan(load.sent / 10)
}

export function summaryOf({ load, exits, balancer }: RollingOutcome, plan: RollingPlan): string {
  const shares = NODES.map((name) => `${name} ${balancer.forwarded[name]}`)
  return [
    `rolling restarts: ${plan.cycles} cycles of ${NODES.length} nodes`,
    `${load.sent} requests sent, ${load.failures.length} failed (answered by ${shares.join(', ')}; ${balancer.whileDraining} by a draining node; ${balancer.refused} refused and sent elsewhere)`,
    `exit codes ${exits.map(({ code }) => code).join(' ')}`,
    `p50 ${load.p50Ms.toFixed(1)} ms, p99 ${load.p99Ms.toFixed(1)} ms`,
  ].join('; ')
}

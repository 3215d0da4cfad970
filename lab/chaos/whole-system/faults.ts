// The faults of the whole-system test. Each fault breaks one part, waits, and repairs it as an operator or a supervisor
// would.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { call } from '../../../service/test/faults/nodes/call.ts'
import type { Dice } from '../../../service/test/support/generator/dice.ts'
import { faketimeMissingReason } from '../../../service/test/support/processes/private-postgres.ts'
import type { ServiceProcess } from '../../../service/test/support/processes/server-process.ts'
import { runStatements } from '../../../service/test/support/run-statements.ts'
import { chooseBySize, isLongRun } from '../../../service/test/support/size.ts'
import { type Cluster, NODE_NAMES, type NodeName, setClock } from './cluster.ts'
import { NODE_LOGIN } from './database-pair.ts'
import { smallDiskMissingReason } from './small-disk.ts'

interface FaultContext {
  readonly cluster: Cluster
  readonly dice: Dice
}

export interface Fault {
  readonly kind: string
  /** Reason why this machine cannot cause the fault; undefined if it can. */
  readonly missingReason?: string | undefined
  /** Causes the fault and repairs it. Returns what was broken, for the table of faults. */
  run(context: FaultContext): Promise<string>
}

const DOWN_FOR_MS = chooseBySize({ short: 800, long: 1500 })
const BROKEN_FOR_MS = chooseBySize({ short: 1500, long: 3000 })
const SLOW_ANSWER_MS = 60
const LOST_SHARE = 0.4
/** Jumps by whole days and hours, and by half a window of the rate limit. */
const CLOCK_JUMPS_SECONDS = [86_400, -86_400, 3_600, -3_600, 30, -30]
const CUTS = 5
/** Longest time that an error answer waits for the refund of its charge, with an allowance for a busy machine. */
const REFUND_WAIT_MS = 1000
const SWITCHES_UNTIL_FULL = 200

const pickNode = (dice: Dice): NodeName => NODE_NAMES[dice.below(NODE_NAMES.length)] ?? 'A'

async function killNode({ cluster, dice }: FaultContext): Promise<string> {
  const name = pickNode(dice)
  const fromMs = await findFirstLostMs(cluster.nodes[name].process)
  await cluster.nodes[name].process.kill()
  cluster.crashes.push({ node: name, fromMs, untilMs: performance.now() })
  await sleep(DOWN_FOR_MS)
  await cluster.restartNode(name)
  return `node ${name}`
}

/**
 * Returns the time from which refusals of a node may lack their refund if the node is killed now. On a machine that is
 * too slow to refund a refusal within a second, refunds of any age may be pending.
 */
async function findFirstLostMs({ opsPort }: ServiceProcess): Promise<number> {
  const askedAtMs = performance.now()
  const metrics = await call({ port: opsPort, path: '/metrics', timeoutMs: 10_000 }).catch(() => undefined)
  const hasNoneLeft = /^vis_refunds_pending 0$/m.test(metrics?.body ?? '')
  return hasNoneLeft || isLongRun ? askedAtMs - REFUND_WAIT_MS : 0
}

async function suspendNode({ cluster, dice }: FaultContext): Promise<string> {
  const name = pickNode(dice)
  const { pid } = cluster.nodes[name].process
  process.kill(pid, 'SIGSTOP')
  await sleep(BROKEN_FOR_MS)
  process.kill(pid, 'SIGCONT')
  return `node ${name}`
}

async function exhaustMemory({ cluster, dice }: FaultContext): Promise<string> {
  const name = pickNode(dice)
  const fromMs = performance.now()
  await cluster.nodes[name].process.stop('SIGUSR2')
  cluster.crashes.push({ node: name, fromMs, untilMs: performance.now() })
  await cluster.restartNode(name)
  return `node ${name}`
}

function restartPrimary(mode: 'fast' | 'immediate') {
  return async ({ cluster: { databases } }: FaultContext): Promise<string> => {
    const { postgres } = databases.primary
    await postgres.stop(mode)
    await sleep(DOWN_FOR_MS)
    await postgres.start()
    await databases.waitForReplica()
    return 'primary'
  }
}

async function restartReplica({ cluster: { databases } }: FaultContext): Promise<string> {
  const { postgres } = databases.replica
  await postgres.stop('immediate')
  await sleep(DOWN_FOR_MS)
  await postgres.start()
  await databases.waitForReplica()
  return 'replica; commits wait for it'
}

async function promoteReplica({ cluster: { databases } }: FaultContext): Promise<string> {
  await databases.waitForReplica()
  await databases.failOver()
  return 'primary killed'
}

async function resetConnections({ cluster: { databases } }: FaultContext): Promise<string> {
  for (let n = 0; n < CUTS; n += 1) {
    databases.primaryProxy.resetAll()
    databases.replicaProxy.resetAll()
    await sleep(BROKEN_FOR_MS / CUTS)
  }
  return `${CUTS} times, to both servers`
}

async function terminateBackends({ cluster: { databases } }: FaultContext): Promise<string> {
  for (let n = 0; n < CUTS; n += 1) {
    for (const { postgres } of [databases.primary, databases.replica]) await terminateNodes(postgres.url)
    await sleep(BROKEN_FOR_MS / CUTS)
  }
  return `${CUTS} times, on both servers`
}

async function loseReplies({ cluster: { databases } }: FaultContext): Promise<string> {
  const { replies } = databases
  const before = replies.dropped.charge + replies.dropped.refund
  replies.share = LOST_SHARE
  await sleep(BROKEN_FOR_MS)
  replies.share = 0
  return `${replies.dropped.charge + replies.dropped.refund - before} replies after the commit`
}

async function slowDatabases({ cluster: { databases } }: FaultContext): Promise<string> {
  const proxies = [databases.primaryProxy, databases.replicaProxy]
  for (const proxy of proxies) proxy.delayAnswers(SLOW_ANSWER_MS)
  await sleep(BROKEN_FOR_MS)
  for (const proxy of proxies) proxy.delayAnswers(0)
  return `every answer ${SLOW_ANSWER_MS} ms later`
}

function silence(server: 'primaryProxy' | 'replicaProxy') {
  return async ({ cluster: { databases } }: FaultContext): Promise<string> => {
    const release = databases[server].holdAll()
    await sleep(BROKEN_FOR_MS)
    release()
    return server === 'primaryProxy' ? 'primary' : 'replica'
  }
}

/**
 * Takes every slot that an ordinary login can take. The connections of the nodes are ended several times, so that the
 * nodes compete for the slots of their own connections.
 */
async function takeAllSlots({ cluster: { databases } }: FaultContext): Promise<string> {
  const { url } = databases.primary.postgres
  const login = new URL(url)
  login.username = NODE_LOGIN
  const taken: Client[] = []
  const endAtMs = performance.now() + BROKEN_FOR_MS
  const takeSlots = async () => {
    while (performance.now() < endAtMs) {
      const client = new Client({ connectionString: login.href, application_name: 'slot-taker' })
      client.on('error', () => {})
      await client.connect().then(
        () => taken.push(client),
        () => sleep(5),
      )
    }
  }
  const takers = Array.from({ length: 8 }, takeSlots)
  for (let n = 0; n < CUTS; n += 1) {
    await sleep(BROKEN_FOR_MS / CUTS / 2)
    await terminateNodes(url)
  }
  await Promise.all(takers)
  await Promise.all(taken.map((client) => client.end()))
  return `${taken.length} slots of the primary`
}

async function terminateNodes(url: string): Promise<void> {
  await runStatements(
    url,
    `select pg_terminate_backend(pid)
       from pg_stat_activity
      where usename = '${NODE_LOGIN}' and application_name <> 'slot-taker'`,
  )
}

async function killRedis({ cluster: { redis } }: FaultContext): Promise<string> {
  await redis.kill()
  await sleep(BROKEN_FOR_MS)
  await redis.start()
  return ''
}

async function suspendRedis({ cluster: { redis } }: FaultContext): Promise<string> {
  redis.suspend()
  await sleep(BROKEN_FOR_MS)
  redis.resume()
  return ''
}

async function emptyRedis({ cluster: { redis } }: FaultContext): Promise<string> {
  for (let n = 0; n < CUTS; n += 1) {
    await redis.flush()
    await sleep(BROKEN_FOR_MS / CUTS)
  }
  return `${CUTS} times`
}

async function moveClock({ cluster, dice }: FaultContext): Promise<string> {
  const name = pickNode(dice)
  const seconds = CLOCK_JUMPS_SECONDS[dice.below(CLOCK_JUMPS_SECONDS.length)] ?? 0
  setClock(cluster.nodes[name], seconds)
  await sleep(BROKEN_FOR_MS)
  setClock(cluster.nodes[name], 0)
  // libfaketime reads the file once a second.
  await sleep(1100)
  return `node ${name} by ${seconds} s and back`
}

async function fillLogDisk({ cluster, dice }: FaultContext): Promise<string> {
  const name = pickNode(dice)
  const { logDisk } = cluster.nodes[name]
  logDisk?.fill()
  await sleep(BROKEN_FOR_MS)
  logDisk?.free()
  return `node ${name}`
}

/** Fills the disk of the write-ahead log and writes until the primary crashes; then frees the disk and starts it. */
async function fillWalDisk({ cluster: { databases } }: FaultContext): Promise<string> {
  const { postgres, walDisk } = databases.primary
  walDisk?.fill()
  const crashed = postgres.waitForExit()
  const client = new Client({ connectionString: postgres.url })
  client.on('error', () => {})
  await client.connect()
  for (let n = 0; n < SWITCHES_UNTIL_FULL; n += 1) {
    const hasFailed = await client.query("select pg_logical_emit_message(false, 'fill', 'x'), pg_switch_wal()").then(
      () => false,
      () => true,
    )
    if (hasFailed) break
  }
  await client.end().catch(() => {})
  await crashed
  await sleep(DOWN_FOR_MS)
  walDisk?.free()
  await postgres.start()
  await databases.waitForReplica()
  return 'the primary crashed'
}

export const FAULTS: readonly Fault[] = [
  { kind: 'node killed', run: killNode },
  { kind: 'node suspended', run: suspendNode },
  { kind: 'node out of memory', run: exhaustMemory },
  { kind: 'primary restarted, fast', run: restartPrimary('fast') },
  { kind: 'primary restarted, immediate', run: restartPrimary('immediate') },
  { kind: 'replica restarted', run: restartReplica },
  { kind: 'replica promoted', run: promoteReplica },
  { kind: 'connections reset', run: resetConnections },
  { kind: 'connections terminated', run: terminateBackends },
  { kind: 'replies lost', run: loseReplies },
  { kind: 'databases slow', run: slowDatabases },
  { kind: 'primary silent', run: silence('primaryProxy') },
  { kind: 'replica silent', run: silence('replicaProxy') },
  { kind: 'connection slots taken', run: takeAllSlots },
  { kind: 'Redis killed', run: killRedis },
  { kind: 'Redis suspended', run: suspendRedis },
  { kind: 'Redis emptied', run: emptyRedis },
  { kind: 'clock of a node jumps', missingReason: faketimeMissingReason, run: moveClock },
  { kind: 'log disk full', missingReason: smallDiskMissingReason, run: fillLogDisk },
  { kind: 'write-ahead log disk full', missingReason: smallDiskMissingReason, run: fillWalDisk },
]

/** Returns the faults in a random order that depends only on the dice, each kind `rounds` times. */
export function orderFaults(faults: readonly Fault[], rounds: number, dice: Dice): readonly Fault[] {
  const order = Array.from({ length: rounds }, () => faults).flat()
  for (let n = order.length - 1; n > 0; n -= 1) {
    const other = dice.below(n + 1)
    const [a, b] = [order[n], order[other]]
    if (a && b) [order[n], order[other]] = [b, a]
  }
  return order
}

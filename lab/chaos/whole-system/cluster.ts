// Two API nodes as deployed, behind a balancer, with Redis and a pair of databases. Faults stop and restart the parts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_ARGUMENTS } from '../../../service/test/support/processes/deployed-node.ts'
import {
  createServerFolder,
  FAKETIME,
  faketimeMissingReason,
} from '../../../service/test/support/processes/private-postgres.ts'
import { type PrivateRedis, startPrivateRedis } from '../../../service/test/support/processes/private-redis.ts'
import { type ServiceProcess, startProcess } from '../../../service/test/support/processes/server-process.ts'
import { OUTAGE_TIMEOUTS } from '../../../service/test/support/service.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'
import type { Balancer } from '../nodes/balancer.ts'
import { type DatabasePair, NODE_LOGIN, startDatabasePair } from './database-pair.ts'
import { createSmallDisk, type SmallDisk, smallDiskMissingReason } from './small-disk.ts'

export const NODE_NAMES = ['A', 'B'] as const
export type NodeName = (typeof NODE_NAMES)[number]

export interface SystemNode {
  process: ServiceProcess
  /** Disk of the log file; undefined if this machine cannot mount a small disk. */
  readonly logDisk: SmallDisk | undefined
  readonly logFile: string
  /** File with the offset of the node's clock in seconds, which libfaketime reads once a second. */
  readonly clockFile: string
}

/**
 * Period before the end of a process in which an error answer may have been sent although its refund was not stored yet.
 * Times are values of performance.now().
 */
export interface NodeCrash {
  readonly node: NodeName
  readonly fromMs: number
  readonly untilMs: number
}

export interface Cluster {
  readonly balancer: Balancer
  readonly databases: DatabasePair
  readonly redis: PrivateRedis
  readonly nodes: Readonly<Record<NodeName, SystemNode>>
  readonly crashes: NodeCrash[]
  /** Starts a process for a node whose process has ended, and resolves when the balancer uses it. */
  restartNode(name: NodeName): Promise<void>
}

const LOG_DISK_MB = 64
const EXHAUST_MEMORY = fileURLToPath(new URL('exhaust-memory.ts', import.meta.url))

export async function startCluster(balancer: Balancer): Promise<Cluster> {
  const [databases, redis] = [await startDatabasePair(), await startPrivateRedis()]
  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: withLogin(databases.primaryProxy.url),
    DATABASE_READ_URL: withLogin(databases.replicaProxy.url),
    REDIS_URL: redis.url,
    NODE_COUNT: String(NODE_NAMES.length),
    CURSOR_SECRET: 'whole-system-test-secret-of-32-characters',
    DRAIN_DELAY_MS: '0',
    // With the limits of production, a busy machine would refuse most calls of the short run.
    ...chooseBySize({ short: { ...OUTAGE_TIMEOUTS, MAX_EVENT_LOOP_DELAY_MS: '10000' }, long: {} }),
  }
  const start = async (files: Omit<SystemNode, 'process'>) =>
    startProcess({
      environment: { ...environment, ...buildClockEnvironment(files.clockFile) },
      execArgs: [...NODE_ARGUMENTS, '--import', EXHAUST_MEMORY],
      logFile: files.logFile,
    })
  const startNode = async (name: NodeName): Promise<SystemNode> => {
    const files = createNodeFiles()
    const process = await start(files)
    await balancer.register(name, process)
    return { ...files, process }
  }
  const nodes = { A: await startNode('A'), B: await startNode('B') }
  return {
    balancer,
    databases,
    redis,
    nodes,
    crashes: [],
    restartNode: async (name) => {
      nodes[name].process = await start(nodes[name])
      await balancer.register(name, nodes[name].process)
    },
  }
}

function withLogin(address: string): string {
  const url = new URL(address)
  url.username = NODE_LOGIN
  return url.href
}

function createNodeFiles(): Omit<SystemNode, 'process'> {
  const logDisk = smallDiskMissingReason === undefined ? createSmallDisk(LOG_DISK_MB) : undefined
  const folder = logDisk?.folder ?? createServerFolder()
  const files = { logDisk, logFile: join(folder, 'node.log'), clockFile: join(createServerFolder(), 'clock') }
  writeFileSync(files.logFile, '')
  setClock(files, 0)
  return files
}

/** Moves the clock of a node by the given number of seconds from the real time. */
export function setClock({ clockFile }: Pick<SystemNode, 'clockFile'>, seconds: number): void {
  writeFileSync(clockFile, `${seconds < 0 ? '' : '+'}${seconds}\n`)
}

function buildClockEnvironment(clockFile: string): Readonly<Record<string, string>> {
  if (faketimeMissingReason !== undefined) return {}
  return {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

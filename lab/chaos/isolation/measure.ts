// Measures how much an attack of one account delays the calls of another account on one API node. The victim's own
// baseline is measured seconds before the attack, in the same run.

import { setTimeout as sleep } from 'node:timers/promises'
import { openPool } from '../../../service/src/database/postgres.ts'
import type { Plan } from '../../../service/src/domain/account/plan.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { migrateAll } from '../../../service/test/support/migrate-all.ts'
import { NODE_ARGUMENTS } from '../../../service/test/support/processes/deployed-node.ts'
import { type SpawnedServer, spawnServer } from '../../../service/test/support/processes/spawned-server.ts'
import type { AttackResult } from './attacker.ts'
import { type AttackName, findAttack } from './attacks.ts'
import { type ClientProcess, startClient } from './client.ts'
import { readSubjects, type Subjects } from './subjects.ts'
import type { VictimAnswer } from './victim.ts'
import { type PhaseFigures, readMetrics, watchNode } from './watch-node.ts'

const QUOTA_CREDITS = 100_000_000
const SAMPLE_INTERVAL_MS = 20
const VICTIM_CALLS_PER_SECOND = 20

export interface IsolationPlan {
  /** Database of the accounts, and of the catalog unless `catalog` names another one. */
  readonly databaseUrl: string
  /** A catalog that is only read, and what it contains. */
  readonly catalog?: { readonly url: string; readonly subjects: Omit<Subjects, 'newest'> }
  readonly redisUrl: string
  readonly attack: AttackName
  /** Concurrent calls of each attacking account, if it differs. */
  readonly concurrency?: number
  /** Time for which the victim calls before the baseline is measured. */
  readonly warmUpMs: number
  readonly baselineMs: number
  readonly attackMs: number
  readonly recoveryMs: number
  readonly honoursRetryAfter?: boolean
  /** Settings of the node other than the defaults. */
  readonly settings?: Readonly<Record<string, string>>
  /** Program vis-server of another checkout. */
  readonly server?: URL
}

export interface IsolationReport {
  readonly baseline: readonly VictimAnswer[]
  readonly attacked: readonly VictimAnswer[]
  readonly recovered: readonly VictimAnswer[]
  readonly attack: AttackResult
  readonly node: NodeFigures
}

interface AloneReport {
  readonly attack: AttackResult
  /** Highest number of connections of the read pool that were in use at the same time. */
  readonly connectionsUsed: number
}

interface NodeFigures {
  readonly eventLoopDelayMs: { readonly baselineP99: number; readonly attackP99: number; readonly attackMax: number }
  readonly residentMegabytes: { readonly before: number; readonly highest: number }
  /** Processors that PostgreSQL and the node used on average. */
  readonly processors: Readonly<Record<'baseline' | 'attack', { postgres: number; node: number }>>
}

export function measureIsolation(plan: IsolationPlan): Promise<IsolationReport> {
  return withRun(plan, runPhases)
}

/** Attacks a node that no other account uses. */
export function measureAttackAlone(plan: IsolationPlan): Promise<AloneReport> {
  return withRun(plan, async (run) => {
    const attacking = runAttack(run)
    const hasEnded = attacking.then(() => true)
    let highest = 0
    const sample = async () => {
      const readMetric = await readMetrics(run.node.opsPort)
      const readCount = (state: string) => readMetric(`vis_database_connections{pool="reads",state="${state}"}`)
      highest = Math.max(highest, readCount('total') - readCount('idle'))
      return false
    }
    while (!(await Promise.race([hasEnded, sample()]))) await sleep(SAMPLE_INTERVAL_MS)
    return { attack: await attacking, connectionsUsed: highest }
  })
}

async function withRun<Result>(plan: IsolationPlan, work: (run: Run) => Promise<Result>): Promise<Result> {
  await migrateAll(plan.databaseUrl)
  const { plan: attackerPlan, accounts } = findAttack(plan.attack)
  const [victimKey = ''] = await addAccounts(plan.databaseUrl, 'pro', 1)
  const keys = attackerPlan === 'none' ? [''] : await addAccounts(plan.databaseUrl, attackerPlan, accounts)
  const known = plan.catalog?.subjects ?? (await readSubjects(plan.databaseUrl))
  const [victim, attacker] = [startClient(), startClient()]
  const node = await startNode(plan)
  try {
    const subjects = { ...known, newest: await readNewest(node.port, victimKey) }
    return await work({ plan, node, victim, attacker, victimKey, keys, subjects })
  } finally {
    await Promise.all([victim.stop(), attacker.stop()])
    await node.stop()
  }
}

/** Returns the newest position of the change log, after which a call waits for changes. */
async function readNewest(port: number, key: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/changes?since=now`, { headers: { 'X-API-Key': key } })
  const { data }: { data?: { newest?: string } } = JSON.parse(await response.text())
  return data?.newest ?? 'start'
}

interface Run {
  readonly plan: IsolationPlan
  readonly node: SpawnedServer
  readonly victim: ClientProcess
  readonly attacker: ClientProcess
  readonly victimKey: string
  readonly keys: readonly string[]
  readonly subjects: Subjects
}

async function runPhases(run: Run): Promise<IsolationReport> {
  const { plan, node } = run
  const watch = await watchNode(plan.catalog?.url ?? plan.databaseUrl, node)
  try {
    let firstCall = 0
    const runVictim = (ms: number) => {
      const { victim, victimKey: key, subjects } = run
      const ids = { warm: subjects.warm, cold: subjects.cold }
      const task = {
        role: 'victim',
        port: node.port,
        key,
        ids,
        perSecond: VICTIM_CALLS_PER_SECOND,
        ms,
        firstCall,
      } as const
      firstCall += Math.ceil((ms / 1000) * VICTIM_CALLS_PER_SECOND)
      return victim.run(task)
    }
    await runVictim(plan.warmUpMs)
    await watch.readPhase()
    const baseline = await runVictim(plan.baselineMs)
    const before = await watch.readPhase()
    const [attacked, attack] = await Promise.all([runVictim(plan.attackMs), runAttack(run)])
    const during = await watch.readPhase()
    const recovered = await runVictim(plan.recoveryMs)
    return { baseline, attacked, recovered, attack, node: combineFigures(before, during) }
  } finally {
    await watch.close()
  }
}

function runAttack({ plan, node, attacker, keys, subjects }: Run): Promise<AttackResult> {
  return attacker.run({
    role: 'attacker',
    port: node.port,
    attack: plan.attack,
    keys,
    concurrency: plan.concurrency ?? findAttack(plan.attack).concurrency,
    ms: plan.attackMs,
    honoursRetryAfter: plan.honoursRetryAfter ?? false,
    subjects,
    seed: 1,
  })
}

function startNode({ databaseUrl, catalog, redisUrl, settings, server }: IsolationPlan): Promise<SpawnedServer> {
  return spawnServer({
    environment: {
      NODE_ENV: 'production',
      CURSOR_SECRET: 'a secret of the isolation measurements, of 32 characters or more',
      DATABASE_URL: catalog?.url ?? databaseUrl,
      ACCOUNTS_DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: `vis_isolation_${process.pid}_${Date.now()}:`,
      CONSOLE_KEY_SIGN_IN: 'on',
      ...settings,
    },
    execArgs: NODE_ARGUMENTS,
    ...(server === undefined ? {} : { script: server }),
  })
}

/** Creates accounts with ample credits and returns one API key of each. */
async function addAccounts(url: string, plan: Plan, count: number): Promise<readonly string[]> {
  const limits = { poolSize: 1, statementTimeoutMs: 60_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
  const pool = openPool(url, 'isolation', limits, () => {})
  const keys = Array.from({ length: count }, () => createTestKey())
  const scopes = ['read', 'manage', 'watch', 'triage'] as const
  for (const key of keys) await account(plan).withQuota(QUOTA_CREDITS).withKey(key, { scopes }).store(pool.db)
  await pool.close()
  return keys.map(({ key }) => key)
}

function combineFigures(before: PhaseFigures, during: PhaseFigures): NodeFigures {
  return {
    eventLoopDelayMs: {
      baselineP99: before.eventLoopP99Ms,
      attackP99: during.eventLoopP99Ms,
      attackMax: during.eventLoopMaxMs,
    },
    residentMegabytes: { before: before.residentHighest, highest: during.residentHighest },
    processors: {
      baseline: { postgres: before.postgres, node: before.node },
      attack: { postgres: during.postgres, node: during.node },
    },
  }
}

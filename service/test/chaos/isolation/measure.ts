// Measures how much an attack of one account delays the calls of another account on one API node. The victim's own
// baseline is measured seconds before the attack, in the same run.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { MIGRATION_SETS, MIGRATIONS_FOLDER, migrate } from '../../../src/database/migrate.ts'
import { openPool } from '../../../src/database/postgres.ts'
import type { Plan } from '../../../src/domain/plan.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { NODE_ARGUMENTS } from '../../support/processes/deployed-node.ts'
import { type SpawnedServer, spawnServer } from '../../support/processes/spawned-server.ts'
import type { AttackResult } from './attacker.ts'
import type { Attack } from './attacks.ts'
import type { VictimIds } from './calls.ts'
import { type ClientProcess, startClient } from './client.ts'
import type { VictimAnswer } from './victim.ts'
import { type PhaseFigures, readMetrics, watchNode } from './watch-node.ts'

const QUOTA_CREDITS = 100_000_000
const LARGEST_RECORDS = 50
const SAMPLE_INTERVAL_MS = 20
const VICTIM_CALLS_PER_SECOND = 20

export interface IsolationPlan {
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly attack: Attack
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
  for (const set of MIGRATION_SETS) await migrate(plan.databaseUrl, set, MIGRATIONS_FOLDER)
  const [victimKey] = await addAccounts(plan.databaseUrl, 'pro', 1)
  const keys = await addAccounts(plan.databaseUrl, plan.attack.plan, plan.attack.accounts)
  const ids = await readIds(plan.databaseUrl)
  const node = await startNode(plan)
  const [victim, attacker] = [startClient(), startClient()]
  try {
    return await work({ plan, node, victim, attacker, victimKey: victimKey ?? '', keys, ids })
  } finally {
    await Promise.all([victim.stop(), attacker.stop()])
    await node.stop()
  }
}

interface Run {
  readonly plan: IsolationPlan
  readonly node: SpawnedServer
  readonly victim: ClientProcess
  readonly attacker: ClientProcess
  readonly victimKey: string
  readonly keys: readonly string[]
  readonly ids: VictimIds & { readonly largest: readonly string[] }
}

async function runPhases(run: Run): Promise<IsolationReport> {
  const { plan, node } = run
  const watch = await watchNode(plan.databaseUrl, node)
  try {
    let firstCall = 0
    const runVictim = (ms: number) => {
      const { victim, victimKey: key, ids } = run
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

function runAttack({ plan, node, attacker, keys, ids }: Run): Promise<AttackResult> {
  const { calls, concurrency, burstEveryMs } = plan.attack
  return attacker.run({
    role: 'attacker',
    port: node.port,
    keys,
    calls,
    concurrency,
    ms: plan.attackMs,
    ...(burstEveryMs === undefined ? {} : { burstEveryMs }),
    honoursRetryAfter: plan.honoursRetryAfter ?? false,
    largestIds: ids.largest,
    seed: 1,
  })
}

function startNode({ databaseUrl, redisUrl, settings, server }: IsolationPlan): Promise<SpawnedServer> {
  return spawnServer({
    environment: {
      NODE_ENV: 'production',
      CURSOR_SECRET: 'a secret of the isolation measurements, of 32 characters or more',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: `vis_isolation_${process.pid}_${Date.now()}:`,
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
  for (const key of keys) await account(plan).withQuota(QUOTA_CREDITS).withKey(key).store(pool.db)
  await pool.close()
  return keys.map(({ key }) => key)
}

async function readIds(url: string): Promise<Run['ids']> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const readColumn = async (sql: string) => (await client.query<{ id: string }>(sql)).rows.map(({ id }) => id)
  const random = await readColumn(
    `select catalog.cve_id(cve_key) as id from catalog.cve order by sha256(cve_key::text::bytea) limit 20000`,
  )
  const largest = await readColumn(
    `select catalog.cve_id(cve_key) as id
       from catalog.cve_document
      order by length(cpe) + length("references") + length(enrichment) + length(cvss) + length(description) desc
      limit ${LARGEST_RECORDS}`,
  )
  await client.end()
  return { warm: random.slice(0, 200), cold: random.slice(200), largest }
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

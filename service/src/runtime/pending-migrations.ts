import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { classifyDatabaseError } from '../database/classify-error.ts'
import {
  MIGRATION_SETS,
  MIGRATIONS_FOLDER,
  type Migration,
  MigrationError,
  type MigrationSet,
  readMigrationState,
  readMigrations,
} from '../database/migrate.ts'
import type { Log } from '../log.ts'

const REPLICA_TIMEOUT_MS = 10_000
const POLL_INTERVAL_MS = 500

interface Options {
  /** A worker leaves out the accounts set, because its login may not read the accounts schema. */
  readonly sets?: readonly MigrationSet[]
  /** URL of the accounts database, with the login of the process; by default, that of an API node. */
  readonly accountsUrl?: string
  /** Maximum time to wait until a replica has replayed the newest migrations. */
  readonly replicaTimeoutMs?: number
}

/** An unreachable database is not an error: the node starts, answers 503 and recovers when the database returns. */
export async function assertNoPendingMigrations(
  config: Config,
  log: Log,
  {
    sets = MIGRATION_SETS,
    accountsUrl = config.database.accountsUrl,
    replicaTimeoutMs = REPLICA_TIMEOUT_MS,
  }: Options = {},
): Promise<void> {
  for (const set of sets) {
    const check = {
      ...chooseDatabase(config, set, accountsUrl),
      set,
      migrations: await readMigrations(MIGRATIONS_FOLDER, set),
    }
    await assertNonePending(check, log, check.mayLag ? replicaTimeoutMs : 0).catch((err: unknown) => {
      if (classifyDatabaseError(err) !== 'unreachable') throw err
      log.warn({ err, set }, 'database is unreachable: starting anyway and answering 503 until it is reachable')
    })
  }
}

interface SchemaCheck {
  readonly set: MigrationSet
  readonly migrations: readonly Migration[]
  readonly url: string
  /** True for a replica, which receives a migration some time after the primary database. */
  readonly mayLag: boolean
}

function chooseDatabase(
  { database }: Config,
  set: MigrationSet,
  accountsUrl: string,
): Pick<SchemaCheck, 'url' | 'mayLag'> {
  if (set === 'accounts') return { url: accountsUrl, mayLag: false }
  return { url: database.readUrl, mayLag: database.readUrl !== database.writeUrl }
}

async function assertNonePending(check: SchemaCheck, log: Log, timeoutMs: number): Promise<void> {
  const { url, set, migrations } = check
  const startedAt = performance.now()
  for (let attempts = 0; ; attempts += 1) {
    const { pending } = await readMigrationState(url, set, migrations)
    if (pending.length === 0) return
    if (performance.now() - startedAt >= timeoutMs) throw new MigrationError(describePending(check, pending.length))
    if (attempts === 0)
      log.warn({ set, pending: pending.length }, 'schema has pending migrations: waiting for the replica')
    await sleep(POLL_INTERVAL_MS)
  }
}

function describePending({ set, mayLag }: SchemaCheck, pending: number): string {
  const lag = ' If the migrations are applied on the primary, the replica in DATABASE_READ_URL lags behind.'
  const count = `${pending} pending ${pending === 1 ? 'migration' : 'migrations'}`
  return `The ${set} schema has ${count}. Run "vis-server migrate" first.${mayLag ? lag : ''}`
}

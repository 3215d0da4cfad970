import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { classifyDatabaseError } from '../database/classify-error.ts'
import {
  MIGRATION_SETS,
  MIGRATIONS_FOLDER,
  type Migration,
  MigrationError,
  type MigrationSet,
  migrationState,
  readMigrations,
} from '../database/migrate.ts'
import type { Log } from '../log.ts'

const REPLICA_PATIENCE_MS = 10_000
const ASK_AGAIN_MS = 500

interface Wishes {
  /** Of these schemas; a worker's login may not look at accounts. */
  readonly sets?: readonly MigrationSet[]
  readonly replicaPatienceMs?: number
}

/** A node must not serve from a schema it does not know. A database that is away is another matter: the node waits for it. */
export async function refusePendingMigrations(
  config: Config,
  log: Log,
  { sets = MIGRATION_SETS, replicaPatienceMs = REPLICA_PATIENCE_MS }: Wishes = {},
): Promise<void> {
  for (const set of sets) {
    const asked = { ...whereToAsk(config, set), set, migrations: await readMigrations(MIGRATIONS_FOLDER, set) }
    await refusePending(asked, log, asked.mayLag ? replicaPatienceMs : 0).catch((err: unknown) => {
      if (classifyDatabaseError(err) !== 'unreachable') throw err
      log.warn({ err, set }, 'the database is out of reach: serving anyway, and answering 503 until it is back')
    })
  }
}

interface Asked {
  readonly set: MigrationSet
  readonly migrations: readonly Migration[]
  readonly url: string
  /** A replica learns of a migration some time after the primary. */
  readonly mayLag: boolean
}

function whereToAsk({ database }: Config, set: MigrationSet): Pick<Asked, 'url' | 'mayLag'> {
  if (set === 'accounts') return { url: database.accountsUrl, mayLag: false }
  return { url: database.readUrl, mayLag: database.readUrl !== database.writeUrl }
}

async function refusePending(asked: Asked, log: Log, patienceMs: number): Promise<void> {
  const { url, set, migrations } = asked
  const started = performance.now()
  for (let attempts = 0; ; attempts += 1) {
    const { pending } = await migrationState(url, set, migrations)
    if (pending.length === 0) return
    if (performance.now() - started >= patienceMs) throw new MigrationError(refusal(asked, pending.length))
    if (attempts === 0) log.warn({ set, pending: pending.length }, 'the schema is behind: waiting for the replica')
    await sleep(ASK_AGAIN_MS)
  }
}

function refusal({ set, mayLag }: Asked, pending: number): string {
  const lag = ' If that was done, the replica of DATABASE_READ_URL lags behind: a lagging one looks the same from here.'
  return `The ${set} schema is behind by ${pending}: run "vis-server migrate" first.${mayLag ? lag : ''}`
}

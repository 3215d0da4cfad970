import type { Config } from '../config.ts'
import { failureOf } from '../database/failure.ts'
import {
  MIGRATION_SETS,
  MigrationError,
  type MigrationSet,
  migrationState,
  readMigrations,
} from '../database/migrate.ts'
import type { Log } from '../log.ts'
import { MIGRATIONS_FOLDER } from './migrate.ts'

/** A node must not serve from a schema it does not know. A database that is away is another matter: the node waits for it. */
export async function refusePendingMigrations({ database }: Config, log: Log): Promise<void> {
  for (const set of MIGRATION_SETS) {
    await refusePending(set, set === 'accounts' ? database.accountsUrl : database.readUrl).catch((err: unknown) => {
      if (failureOf(err) !== 'unreachable') throw err
      log.warn({ err, set }, 'the database is out of reach: serving anyway, and answering 503 until it is back')
    })
  }
}

async function refusePending(set: MigrationSet, url: string): Promise<void> {
  const { pending } = await migrationState(url, set, await readMigrations(MIGRATIONS_FOLDER, set))
  if (pending.length === 0) return
  throw new MigrationError(`The ${set} schema is behind by ${pending.length}: run "vis-server migrate" first.`)
}

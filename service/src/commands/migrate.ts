import { Command } from 'commander'
import { type Config, loadConfig, loadEnvironment } from '../config.ts'
import {
  createMissingDatabase,
  MIGRATION_SETS,
  MIGRATIONS_FOLDER,
  MigrationError,
  type MigrationSet,
  migrate,
  migrationState,
  readMigrations,
} from '../database/migrate.ts'

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the database up to date; safe to repeat and to run from several nodes at once')
    .option('--check', 'change nothing; fail if something is pending')
    .option('--create-database', 'make the database first if there is none (for development)')
    .action(async (options: { check?: boolean; createDatabase?: boolean }) => {
      const config = loadConfig(loadEnvironment())
      for (const set of MIGRATION_SETS) {
        if (options.createDatabase) await createMissingDatabase(ownerUrl(config, set))
        if (options.check) await report(config, set)
        else await bringUpToDate(config, set)
      }
    })
}

async function bringUpToDate(config: Config, set: MigrationSet): Promise<void> {
  const applied = await migrate(ownerUrl(config, set), set, MIGRATIONS_FOLDER, {
    onWait: () => process.stderr.write(`${set}: another migration is running; waiting\n`),
  })
  for (const name of applied) process.stdout.write(`${set}/${name} applied\n`)
  if (applied.length === 0) process.stdout.write(`${set} is up to date\n`)
}

async function report(config: Config, set: MigrationSet): Promise<void> {
  const { applied, pending } = await migrationState(
    ownerUrl(config, set),
    set,
    await readMigrations(MIGRATIONS_FOLDER, set),
  )
  if (pending.length > 0) {
    throw new MigrationError(
      `${set}: ${pending.map(({ name }) => name).join(', ')} not applied. Run: vis-server migrate`,
    )
  }
  process.stdout.write(`${set} is up to date (${applied.length} applied)\n`)
}

function ownerUrl({ database }: Config, set: MigrationSet): string {
  return set === 'accounts' ? database.accountsOwnerUrl : database.ownerUrl
}

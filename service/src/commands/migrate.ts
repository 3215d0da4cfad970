import { Command } from 'commander'
import { storeSignInRules } from '../accounts/people/sign-in-rules.ts'
import type { Config } from '../config.ts'
import {
  createDatabaseIfMissing,
  MIGRATION_SETS,
  MIGRATIONS_FOLDER,
  MigrationError,
  type MigrationSet,
  migrate,
  readMigrationState,
  readMigrations,
} from '../database/migrate.ts'
import { storeDataSets } from '../feeds/engine/data-sets.ts'
import { buildSignInRules } from '../runtime/identity/settings.ts'
import { changeAccounts } from './account-operation.ts'
import { type CommandIo, readConfig } from './io.ts'
import { printLine, printNote } from './output/print.ts'

export function migrateCommand(io: CommandIo): Command {
  return new Command('migrate')
    .description('Apply pending database migrations, and store the data sets and the rules of sign-ins; safe to repeat')
    .option('--check', 'Change nothing and fail if migrations are pending')
    .option('--create-database', 'Create the database first if it does not exist (for development)')
    .action(async (options: { check?: boolean; createDatabase?: boolean }) => {
      const config = readConfig(io)
      for (const set of MIGRATION_SETS) {
        if (options.createDatabase) await createDatabaseIfMissing(ownerUrl(config, set))
        if (options.check) await assertUpToDate(io, config, set)
        else await applyPending(io, config, set)
      }
      if (options.check) return
      await storeSources(io, config)
      await storeRules(io, config)
    })
}

async function applyPending(io: CommandIo, config: Config, set: MigrationSet): Promise<void> {
  const applied = await migrate(ownerUrl(config, set), set, MIGRATIONS_FOLDER, {
    onWait: () => printNote(io, `${set}: another migration is running; waiting for it`),
  })
  for (const name of applied) printLine(io, `${set}/${name} applied`)
  if (applied.length === 0) printLine(io, `${set} is up to date`)
}

async function storeSources(io: CommandIo, { database }: Config): Promise<void> {
  const stored = await storeDataSets(database.ownerUrl)
  if (stored.length > 0) printLine(io, `data sets stored: ${stored.join(', ')}`)
}

async function storeRules(io: CommandIo, config: Config): Promise<void> {
  const haveChanged = await changeAccounts(config, (operation) => storeSignInRules(operation, buildSignInRules(config)))
  if (haveChanged) printLine(io, 'rules of sign-ins stored')
}

async function assertUpToDate(io: CommandIo, config: Config, set: MigrationSet): Promise<void> {
  const migrations = await readMigrations(MIGRATIONS_FOLDER, set)
  const { applied, pending } = await readMigrationState(ownerUrl(config, set), set, migrations)
  if (pending.length > 0)
    throw new MigrationError(
      `Migrations are pending in ${set}: ${pending.map(({ name }) => name).join(', ')}. Run: vis-server migrate`,
    )
  printLine(io, `${set} is up to date (${applied.length} applied)`)
}

function ownerUrl({ database }: Config, set: MigrationSet): string {
  return set === 'accounts' ? database.accountsOwnerUrl : database.ownerUrl
}

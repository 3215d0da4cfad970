// Runs an operator's command on the accounts, and puts failures that an operator can mend into words.
import { userInfo } from 'node:os'
import type { Transaction } from 'kysely'
import { DatabaseError } from 'pg'
import type { Operation } from '../accounts/audit.ts'
import { type AccountRow, findAccount } from '../accounts/read-accounts.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/postgres.ts'
import { UsageError } from '../domain/usage-error.ts'
import { withAccountsOwner } from './accounts-connection.ts'

/** One snapshot for all that is read. */
export async function readAccounts<T>(work: (db: Transaction<unknown>) => Promise<T>): Promise<T> {
  return withAccountsOwner((db) =>
    db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
  ).catch(explain)
}

/** All of it happens, with its audit row, or nothing does. */
export async function changeAccounts<T>(
  work: (operation: Operation, config: Config) => Promise<T>,
  config?: Config,
): Promise<T> {
  return withAccountsOwner(
    (db, known) => db.transaction().execute((tx) => work({ tx, operator: operatorName() }, known)),
    config,
  ).catch(explain)
}

export async function requireAccount(db: Database, id: string): Promise<AccountRow> {
  const account = await findAccount(db, id)
  if (account) return account
  throw new UsageError(
    `There is no account ${id}: vis-server accounts list shows them all, vis-server accounts create makes one.`,
  )
}

function operatorName(): string {
  try {
    return userInfo().username
  } catch {
    // In a container the process may run as a user whom the system has no name for.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Beside what main.ts explains for every command. */
const HINTS: Readonly<Record<string, string>> = {
  '42703': 'The accounts are not up to date. Run: vis-server migrate',
  '42883': 'The accounts are not up to date. Run: vis-server migrate',
  '42501': 'This login may not do that. Set ACCOUNTS_DATABASE_OWNER_URL to one with the role vis_migrate.',
  '55P03': 'The account is busy and nothing was changed. Try again.',
  '57014': 'The database took too long and nothing was changed. Try again.',
}

function explain(error: unknown): never {
  const hint = error instanceof DatabaseError ? HINTS[error.code ?? ''] : undefined
  if (hint === undefined || !(error instanceof Error)) throw error
  throw new UsageError(`${error.message}. ${hint}`, { cause: error })
}

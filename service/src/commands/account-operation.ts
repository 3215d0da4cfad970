// Transactions in which operators read and change the accounts database, with hints for database errors that operators
// can fix.
import { userInfo } from 'node:os'
import type { Transaction } from 'kysely'
import { DatabaseError } from 'pg'
import type { Operation } from '../accounts/audit.ts'
import { type AccountRow, findAccount } from '../accounts/read-accounts.ts'
import type { Config } from '../config.ts'
import { type Database, openPool } from '../database/postgres.ts'
import { UsageError } from '../domain/usage-error.ts'

/** Runs `work` in a read-only transaction, so that all queries see the same snapshot of the database. */
export async function readAccounts<T>(config: Config, work: (tx: Transaction<unknown>) => Promise<T>): Promise<T> {
  return withAccountsOwner(config, (db) =>
    db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
  ).catch(addHint)
}

/** Reads data that belongs to an account. Throws if there is no such account. */
export async function readOfAccount<T>(
  config: Config,
  id: string,
  read: (tx: Transaction<unknown>, id: string) => Promise<T>,
): Promise<T> {
  return readAccounts(config, async (tx) => {
    await requireAccount(tx, id)
    return read(tx, id)
  })
}

/** Runs `work` in a transaction: an account change and its audit row are committed together, or neither is. */
export async function changeAccounts<T>(config: Config, work: (operation: Operation) => Promise<T>): Promise<T> {
  return withAccountsOwner(config, (db) =>
    db.transaction().execute((tx) => work({ tx, operator: readOperatorName() })),
  ).catch(addHint)
}

/** Runs `work` with a connection on which each read returns the newest data. */
export async function readAccountsRepeatedly<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  return withAccountsOwner(config, work).catch(addHint)
}

type Change = <T>(work: (operation: Operation) => Promise<T>) => Promise<T>

/** Runs `work` with a function that makes one change after another, each in its own transaction. */
export async function changeAccountsRepeatedly<T>(config: Config, work: (change: Change) => Promise<T>): Promise<T> {
  return withAccountsOwner(config, (db) =>
    work((makeChange) => db.transaction().execute((tx) => makeChange({ tx, operator: readOperatorName() }))),
  ).catch(addHint)
}

async function withAccountsOwner<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const limits = { ...config.database.limits, poolSize: 1, acquireTimeoutMs: 5000 }
  const pool = openPool(config.database.accountsOwnerUrl, 'operator', limits, () => {})
  try {
    return await work(pool.db)
  } finally {
    await pool.close()
  }
}

export async function requireAccount(db: Database, id: string): Promise<AccountRow> {
  const account = await findAccount(db, id)
  if (account) return account
  throw new UsageError(
    `There is no account ${id}. List all accounts: vis-server accounts list. Create one: vis-server accounts create`,
  )
}

function readOperatorName(): string {
  try {
    return userInfo().username
  } catch {
    // In a container the process may run as a user id that has no entry in /etc/passwd.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

const NOT_MIGRATED = 'The accounts schema is not up to date. Run: vis-server migrate'

/** Hints for operators by SQLSTATE, in addition to the errors that main.ts explains for every command. */
const HINTS: Readonly<Record<string, string>> = {
  '42703': NOT_MIGRATED,
  '42883': NOT_MIGRATED,
  '55P03': 'The account is locked by another transaction and nothing was changed. Try again.',
  '57014': 'The database took too long and nothing was changed. Try again.',
}

function addHint(error: unknown): never {
  const hint = error instanceof DatabaseError ? HINTS[error.code ?? ''] : undefined
  if (hint === undefined || !(error instanceof Error)) throw error
  throw new UsageError(`${error.message}. ${hint}`, { cause: error })
}

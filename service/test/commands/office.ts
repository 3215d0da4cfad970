// Where operators work: a database of its own, and their commands.
import { Pool as PgPool, type QueryResultRow } from 'pg'
import { afterAll, vi } from 'vitest'
import { accountsCommand } from '../../src/commands/accounts.ts'
import { keysCommand } from '../../src/commands/keys.ts'
import { usageCommand } from '../../src/commands/usage.ts'
import { openPool } from '../../src/database/postgres.ts'
import type { Given } from '../support/builders.ts'
import { testDatabase } from '../support/database.ts'
import { type Outcome, visServer } from '../support/processes/command.ts'

export interface Office {
  /** Settings that the commands are run with. */
  readonly environment: Readonly<Record<string, string>>
  /** Connections of their own, for looking behind the commands. */
  readonly behind: PgPool
  given(...wanted: readonly Given[]): Promise<void>
  /** As an operator types it, in a process of its own. */
  run(...args: readonly string[]): Promise<Outcome>
  /** What the command prints with --json; in this process, since most of a command's time is its start. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers freely.
  json(...args: readonly string[]): Promise<any>
  rows<Row extends QueryResultRow>(statement: string, values?: readonly unknown[]): Promise<Row[]>
}

/** Call it at the top of a test file. */
export async function openOffice(): Promise<Office> {
  const { url } = await testDatabase()
  const environment = { NODE_ENV: 'test', DATABASE_URL: url }
  const behind = new PgPool({ connectionString: url })
  // A connection that is still closing when its database is dropped is cut.
  behind.on('error', () => {})
  const limits = { poolSize: 1, statementTimeoutMs: 5000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }
  const pool = openPool(url, 'office', limits, () => {})
  afterAll(async () => {
    await behind.end()
    await pool.close()
  })
  return {
    environment,
    behind,
    given: async (...wanted) => {
      for (const each of wanted) await each.store(pool.db)
    },
    run: (...args) => visServer(args, environment),
    json: (...args) => runHere(url, [...args, '--json']),
    rows: async <Row extends QueryResultRow>(statement: string, values: readonly unknown[] = []) =>
      (await behind.query<Row>(statement, [...values])).rows,
  }
}

async function runHere(url: string, [name = '', ...args]: readonly string[]): Promise<unknown> {
  const command = [accountsCommand(), keysCommand(), usageCommand()].find((each) => each.name() === name)
  if (!command) throw new Error(`there is no command ${name}`)
  vi.stubEnv('DATABASE_URL', url)
  // A developer's own settings, if there are any, must not lead elsewhere.
  for (const setting of ['DATABASE_OWNER_URL', 'ACCOUNTS_DATABASE_URL', 'ACCOUNTS_DATABASE_OWNER_URL'])
    vi.stubEnv(setting, '')
  let printed = ''
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  try {
    await command.parseAsync(args, { from: 'user' })
  } finally {
    stdout.mockRestore()
    vi.unstubAllEnvs()
  }
  return JSON.parse(printed)
}

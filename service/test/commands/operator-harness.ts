// A test database for the tests of operator commands, and functions that run commands with that database.
import { Pool as PgPool, type QueryResultRow } from 'pg'
import { afterAll } from 'vitest'
import { openPool } from '../../src/database/postgres.ts'
import type { Fixture } from '../support/builders.ts'
import { createTestDatabase } from '../support/database.ts'
import type { CommandOutcome } from '../support/processes/command.ts'
import { runCommand } from '../support/run-command.ts'

export interface OperatorHarness {
  /** Environment variables that the commands run with. */
  readonly environment: Readonly<Record<string, string>>
  /** Direct connections to the test database, used to check the stored data. */
  readonly database: PgPool
  given(...wanted: readonly Fixture[]): Promise<void>
  /** Runs a command and returns its exit code and output. */
  run(...args: readonly string[]): Promise<CommandOutcome>
  /** Runs a command with --json and returns the parsed output. Throws the error output if the command fails. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of the JSON output without declaring types.
  json(...args: readonly string[]): Promise<any>
  rows<Row extends QueryResultRow>(statement: string, values?: readonly unknown[]): Promise<Row[]>
}

/** Creates a test database and the harness. Call this function at the top level of a test file. */
export async function openOperatorHarness(): Promise<OperatorHarness> {
  const { url } = await createTestDatabase()
  const environment = { NODE_ENV: 'test', DATABASE_URL: url }
  const database = new PgPool({ connectionString: url })
  // Dropping the test database closes connections that are still open, which must not fail the test.
  database.on('error', () => {})
  const limits = { poolSize: 1, statementTimeoutMs: 5000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }
  const pool = openPool(url, 'operator-harness', limits, () => {})
  afterAll(async () => {
    await database.end()
    await pool.close()
  })
  return {
    environment,
    database,
    given: async (...wanted) => {
      for (const each of wanted) await each.store(pool.db)
    },
    run: (...args) => runCommand(args, environment),
    json: async (...args) => {
      const { code, stdout, stderr } = await runCommand([...args, '--json'], environment)
      if (code !== 0) throw new Error(stderr)
      return JSON.parse(stdout)
    },
    rows: async <Row extends QueryResultRow>(statement: string, values: readonly unknown[] = []) =>
      (await database.query<Row>(statement, [...values])).rows,
  }
}

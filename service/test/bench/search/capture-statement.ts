// Captures the SQL statement that a function sends, with a driver that has no database.
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Database } from '../../../src/database/postgres.ts'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Throws if the captured function sends no SQL statement or more than one. */
export async function captureStatement(work: (db: Database) => Promise<unknown>): Promise<Statement> {
  const captured: Statement[] = []
  const db: Database = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (owner) => new PostgresIntrospector(owner),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query: { sql, parameters } }) => void captured.push({ sql, parameters }),
  })
  await work(db)
  const [statement, second] = captured
  if (!statement || second) throw new Error(`The function sent ${captured.length} statements instead of one.`)
  return statement
}

// The statement that a piece of the service sends, caught on its way to a database that is not there.
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Database } from '../../src/database/postgres.ts'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export async function statementOf(work: (db: Database) => Promise<unknown>): Promise<Statement> {
  const caught: Statement[] = []
  const db: Database = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (owner) => new PostgresIntrospector(owner),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query: { sql, parameters } }) => void caught.push({ sql, parameters }),
  })
  await work(db)
  const [statement, second] = caught
  if (!statement || second) throw new Error(`${caught.length} statements were sent instead of one`)
  return statement
}

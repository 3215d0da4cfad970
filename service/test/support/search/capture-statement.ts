// Captures the SQL statements that a function sends.
import {
  DummyDriver,
  Kysely,
  type KyselyConfig,
  type LogEvent,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  type PostgresPoolClient,
  PostgresQueryCompiler,
} from 'kysely'
import type { Client } from 'pg'
import type { Database } from '../../../src/database/postgres.ts'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/**
 * Captures the only SQL statement of a function, with a driver that has no database. Throws if the function sends no
 * statement or more than one.
 */
export async function captureStatement(work: (db: Database) => Promise<unknown>): Promise<Statement> {
  const { statements } = await capture(WITHOUT_DATABASE, work)
  const [statement, second] = statements
  if (!statement || second) throw new Error(`The function sent ${statements.length} statements instead of one.`)
  return statement
}

interface Captured<T> {
  readonly statements: readonly Statement[]
  readonly result: T
}

/**
 * Runs a function on a database connection and captures its statements, except those that begin or end transactions.
 */
export function captureStatements<T>(client: Client, work: (db: Database) => Promise<T>): Promise<Captured<T>> {
  const query = (statement: string, values: unknown[]) => client.query(statement, values)
  // The prototype provides the client's other members. Its own `query` would store query state in this object.
  const connection: PostgresPoolClient = Object.create(client, {
    query: { value: query },
    release: { value: () => {} },
  })
  const pool = { options: {}, connect: async () => connection, end: async () => {} }
  return capture(new PostgresDialect({ pool }), work)
}

const WITHOUT_DATABASE: KyselyConfig['dialect'] = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (owner) => new PostgresIntrospector(owner),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

async function capture<T>(dialect: KyselyConfig['dialect'], work: (db: Database) => Promise<T>): Promise<Captured<T>> {
  const statements: Statement[] = []
  const log = ({ query: { sql, parameters } }: LogEvent) => void statements.push({ sql, parameters })
  const result = await work(new Kysely<unknown>({ dialect, log }))
  return { statements: statements.filter(({ sql }) => !/^(?:begin|commit)/u.test(sql)), result }
}

// An SQL statement whose text never changes: it is compiled once per process and planned once per connection.
import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Database } from './postgres.ts'
import { markForPreparing } from './prepare.ts'

export type FixedStatement<Row> = (db: Database, parameters: readonly unknown[]) => Promise<Row[]>

/** `statement` has one dummy value per parameter; each call passes the real values as `parameters`, in that order. */
export function createFixedStatement<Row>(statement: RawBuilder<Row>): FixedStatement<Row> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, parameters) => {
    compiled ??= compileForPreparing(statement, db)
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}

function compileForPreparing<Row>(statement: RawBuilder<Row>, db: Database): CompiledQuery<Row> {
  const query = statement.compile(db)
  return { ...query, sql: markForPreparing(query.sql) }
}

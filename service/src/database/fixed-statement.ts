// A statement whose text never changes: put together once by this process, and planned once by each of its connections.
import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Database } from './postgres.ts'
import { toBePrepared } from './prepare.ts'

export type FixedStatement<Row> = (db: Database, parameters: readonly unknown[]) => Promise<Row[]>

/** `statement`: with something in the place of each parameter, in the order in which they will be given. */
export function fixedStatement<Row>(statement: RawBuilder<Row>): FixedStatement<Row> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, parameters) => {
    compiled ??= prepared(statement.compile(db))
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}

function prepared<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  return { ...query, sql: toBePrepared(query.sql) }
}

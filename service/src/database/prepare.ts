// Prepared statements: parsed and planned once per connection, then known to it by name.
import { createHash } from 'node:crypto'
import { DatabaseError, type PoolClient, type QueryResult } from 'pg'

export type Send = (client: PoolClient, statement: string, values: unknown[]) => Promise<QueryResult>

const plainly: Send = (client, statement, values) => client.query(statement, values)

const MARK = '/* prepared */ '

/** Says of a statement that it is one of few, in its own text. */
export const toBePrepared = (statement: string): string => MARK + statement

/**
 * State: whether this way is closed, and the names so far; so only for statements that are few: those that say so, or
 * all of a pool.
 */
export function preparing(which: 'marked' | 'all'): Send {
  const names = new Map<string, string>()
  let isClosed = false
  return async (client, statement, values) => {
    if (isClosed || (which === 'marked' && !statement.startsWith(MARK))) return plainly(client, statement, values)
    const name = names.get(statement) ?? nameOf(statement)
    names.set(statement, name)
    try {
      return await client.query({ name, text: statement, values })
    } catch (error) {
      if (!isOfOtherSession(error)) throw error
      isClosed = true
      return plainly(client, statement, values)
    }
  }
}

/** By its text: behind a pooler another release may have prepared something on the same connection. */
function nameOf(statement: string): string {
  return createHash('sha256').update(statement).digest('hex').slice(0, 32)
}

/**
 * No such prepared statement, or one already: a pooler in transaction mode has given us somebody else's session. Nothing
 * was executed yet, so it may be sent again.
 */
function isOfOtherSession(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '26000' || error.code === '42P05')
}

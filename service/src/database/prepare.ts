// Prepared statements: PostgreSQL parses and plans a statement once per connection and then runs it by name.
import { createHash } from 'node:crypto'
import { DatabaseError, type PoolClient, type QueryResult } from 'pg'

export type SendStatement = (client: PoolClient, statement: string, values: unknown[]) => Promise<QueryResult>

const sendUnprepared: SendStatement = (client, statement, values) => client.query(statement, values)

const MARK = '/* prepared */ '

/** Marks a statement, with a comment in its SQL text, as one of the few that are worth preparing. */
export const markForPreparing = (statement: string): string => MARK + statement

/** Returns a function that sends statements and prepares the marked ones. */
export function createStatementSender(): SendStatement {
  const names = new Map<string, string>()
  let isDisabled = false
  return async (client, statement, values) => {
    if (isDisabled || !statement.startsWith(MARK)) return sendUnprepared(client, statement, values)
    const name = names.get(statement) ?? createStatementName(statement)
    names.set(statement, name)
    try {
      return await client.query({ name, text: statement, values })
    } catch (error) {
      if (!isFromOtherSession(error)) throw error
      isDisabled = true
      return sendUnprepared(client, statement, values)
    }
  }
}

/**
 * Derives the name of a prepared statement from its text. Behind a connection pooler, another release of the service
 * may have prepared other statements on the same connection, and their names must not clash.
 */
export function createStatementName(statement: string): string {
  return createHash('sha256').update(statement).digest('hex').slice(0, 32)
}

/**
 * Returns whether a prepared statement is missing or already exists because a connection pooler in transaction mode has
 * switched the session. The statement was not executed, so it may be sent again.
 */
export function isFromOtherSession(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '26000' || error.code === '42P05')
}

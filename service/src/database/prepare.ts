// Prepared statements: PostgreSQL parses and plans a statement once per connection and then runs it by name.
import { createHash } from 'node:crypto'
import { DatabaseError, type PoolClient, type QueryResult } from 'pg'

export type SendStatement = (client: PoolClient, statement: string, values: unknown[]) => Promise<QueryResult>

const sendUnprepared: SendStatement = (client, statement, values) => client.query(statement, values)

const MARK = '/* prepared */ '

/** Marks a statement, with a comment in its SQL text, as one of the few that are worth preparing. */
export const markForPreparing = (statement: string): string => MARK + statement

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
 * The name is derived from the text: behind a pooler, another release may have prepared other statements on the
 * connection.
 */
export function createStatementName(statement: string): string {
  return createHash('sha256').update(statement).digest('hex').slice(0, 32)
}

/** True if a pooler in transaction mode has switched the session. The statement did not run and may be sent again. */
export function isFromOtherSession(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '26000' || error.code === '42P05')
}

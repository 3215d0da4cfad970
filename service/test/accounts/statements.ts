// Opens connections for charges and refunds, like those of the credit meter but with long timeouts.
import { openStatementConnections, type StatementConnections } from '../../src/database/statement-connections.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'

export function openTestStatements(url: string, connections: number): StatementConnections {
  const limits = { connections, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
  const statements = openStatementConnections(url, 'test', limits, () => {})
  cleanUpAfterTests(() => statements.close())
  return statements
}

/** A statement that each call prepares again, for statements that a test runs on the same connection. */
export const unprepared = (text: string) => ({ name: '', text })

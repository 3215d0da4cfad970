import { sql } from 'kysely'
import type { Condition } from '../filter.ts'

/**
 * Builds the SQL condition `column` or `not column` instead of `column = $1`, so that PostgreSQL can use partial
 * indexes and its statistics.
 */
export function isSet(column: string, isRequired: boolean): Condition {
  return isRequired ? sql`${sql.ref(`cve.${column}`)}` : sql`not ${sql.ref(`cve.${column}`)}`
}

// Runs SQL statements such as CREATE DATABASE on a separate connection.
import { Client } from 'pg'

export async function runStatements(serverUrl: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Runs one statement on a separate connection and returns its rows. */
export async function readRows(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
  // biome-ignore lint/suspicious/noExplicitAny: tests read any column.
): Promise<any[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement, [...values])).rows
  } finally {
    await client.end()
  }
}

export function buildDatabaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

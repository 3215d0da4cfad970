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

export function buildDatabaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

// Databases of the benchmark on one PostgreSQL server.

import { Client } from 'pg'
import { createDatabaseIfMissing } from '../../service/src/database/migrate.ts'
import { migrateAll } from '../../service/test/support/migrate-all.ts'
import { runStatements } from '../../service/test/support/run-statements.ts'

export const SERVER_URL = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

export const getDatabaseName = (url: string) => new URL(url).pathname.slice(1)
const buildDatabaseUrl = (database: string) => new URL(`/${database}`, SERVER_URL).href

/**
 * Creates a database and applies all migrations. The database is a copy of the database `template`, to which no client
 * may be connected, or without a template one with empty tables.
 */
export async function createDatabase(name: string, template?: string): Promise<string> {
  const url = buildDatabaseUrl(name)
  if (template === undefined) await createDatabaseIfMissing(url)
  // PostgreSQL's default strategy writes the whole copy to the WAL too, which takes twice as long.
  else await runStatements(SERVER_URL, `create database ${name} template ${template} strategy file_copy`)
  await migrateAll(url)
  return url
}

export async function dropDatabase(url: string): Promise<void> {
  await runStatements(SERVER_URL, `drop database if exists ${getDatabaseName(url)} with (force)`)
}

/**
 * Returns a database that is kept for later benchmark runs. If it is missing, it is created like any other and `fill`
 * fills it; if that fails, the incomplete database is dropped. Migrations that were added since are applied.
 */
export async function openKeptDatabase(
  name: string,
  template: string | undefined,
  fill: (url: string) => Promise<void>,
): Promise<string> {
  const url = buildDatabaseUrl(name)
  if (await hasDatabase(name)) {
    await migrateAll(url)
    return url
  }
  try {
    await createDatabase(name, template)
    await fill(url)
  } catch (error) {
    await dropDatabase(url)
    throw error
  }
  return url
}

async function hasDatabase(name: string): Promise<boolean> {
  const client = new Client({ connectionString: SERVER_URL })
  await client.connect()
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
  await client.end()
  return rowCount === 1
}

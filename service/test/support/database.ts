// A real PostgreSQL database per test file, cloned from a migrated template in tens of milliseconds.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { afterAll, inject } from 'vitest'

const ROLES = new URL('../../migrations/roles.sql', import.meta.url)

export interface TestDatabase {
  readonly url: string
  readonly name: string
}

export async function testDatabase(): Promise<TestDatabase> {
  const { serverUrl, templateName, runId } = inject('database')
  const name = `vis_test_${runId}_${randomBytes(4).toString('hex')}`
  await administer(serverUrl, `create database ${name} template ${templateName}`)
  // Forced: a test that failed may have left connections behind.
  afterAll(() => administer(serverUrl, `drop database if exists ${name} with (force)`))
  const url = databaseUrl(serverUrl, name)
  // A clone has everything of its template but the privileges on the database itself.
  await administer(url, await readFile(ROLES, 'utf8'))
  return { name, url }
}

/** An empty database, for tests of the migrations themselves. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const { serverUrl, runId } = inject('database')
  const name = `vis_test_${runId}_${randomBytes(4).toString('hex')}`
  await administer(serverUrl, `create database ${name}`)
  afterAll(() => administer(serverUrl, `drop database if exists ${name} with (force)`))
  return { name, url: databaseUrl(serverUrl, name) }
}

export async function administer(serverUrl: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

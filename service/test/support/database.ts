// A real PostgreSQL database per test file, cloned from a migrated template in tens of milliseconds.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { inject } from 'vitest'
import { administer, databaseUrl } from './administer.ts'
import { atEnd } from './cleanup.ts'

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
  atEnd(() => administer(serverUrl, `drop database if exists ${name} with (force)`))
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
  atEnd(() => administer(serverUrl, `drop database if exists ${name} with (force)`))
  return { name, url: databaseUrl(serverUrl, name) }
}

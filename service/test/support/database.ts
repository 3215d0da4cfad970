// A real PostgreSQL database per test file, cloned from a migrated template in tens of milliseconds.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { inject } from 'vitest'
import { dropAfterTests } from './cleanup.ts'
import { buildDatabaseUrl, runStatements } from './run-statements.ts'

const ROLES = new URL('../../migrations/roles.sql', import.meta.url)

export interface TestDatabase {
  readonly url: string
  readonly name: string
}

/** Creates a database with all migrations applied. The database is dropped after the last test of the file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { serverUrl, templateName, runId } = inject('database')
  const name = `vis_test_${runId}_${randomBytes(4).toString('hex')}`
  // PostgreSQL copies the files. By default, it would write each page to its log, which takes twice the processor time.
  await runStatements(serverUrl, `create database ${name} template ${templateName} strategy file_copy`)
  // DROP DATABASE … WITH (FORCE) also works if a failed test left connections open.
  dropAfterTests(() => runStatements(serverUrl, `drop database if exists ${name} with (force)`))
  const url = buildDatabaseUrl(serverUrl, name)
  // CREATE DATABASE … TEMPLATE does not copy the privileges on the database itself, so the privileges are granted to
  // the roles again.
  await runStatements(url, await readFile(ROLES, 'utf8'))
  return { name, url }
}

/** Creates a database without tables, for tests of the migrations. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const { serverUrl, runId } = inject('database')
  const name = `vis_test_${runId}_${randomBytes(4).toString('hex')}`
  await runStatements(serverUrl, `create database ${name}`)
  dropAfterTests(() => runStatements(serverUrl, `drop database if exists ${name} with (force)`))
  return { name, url: buildDatabaseUrl(serverUrl, name) }
}

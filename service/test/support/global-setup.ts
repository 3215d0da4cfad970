// Runs once per test run: creates a template database with every migration applied, and drops all databases of the run
// at the end.
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { migrateAll } from './migrate-all.ts'
import { buildDatabaseUrl, runStatements } from './run-statements.ts'

declare module 'vitest' {
  interface ProvidedContext {
    database: { serverUrl: string; templateName: string; runId: string }
    redisUrl: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const serverUrl = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  const runId = randomBytes(4).toString('hex')
  const templateName = `vis_template_${runId}`
  await runStatements(serverUrl, `create database ${templateName}`)
  await migrateAll(buildDatabaseUrl(serverUrl, templateName))
  project.provide('database', { serverUrl, templateName, runId })
  project.provide('redisUrl', process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379')
  return () => dropDatabases(serverUrl, runId)
}

async function dropDatabases(serverUrl: string, runId: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    'select datname as name from pg_database where datname like $1',
    [`vis\\_%\\_${runId}%`],
  )
  for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`)
  await client.end()
}

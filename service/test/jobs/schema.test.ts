import { CompiledQuery } from 'kysely'
import { PgBoss } from 'pg-boss'
import { expect, it } from 'vitest'
import { openPool } from '../../src/database/postgres.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { runStatements } from '../support/run-statements.ts'

const { url } = await createTestDatabase()
const limits = { poolSize: 1, statementTimeoutMs: 20_000, lockTimeoutMs: 20_000, acquireTimeoutMs: 20_000 }
const pool = openPool(url, 'jobs-schema', limits, () => {})
cleanUpAfterTests(() => pool.close())

const executeSql = async (text: string, values: readonly unknown[] = []) => {
  const { rows } = await pool.db.executeQuery(CompiledQuery.raw(text, [...values]))
  return { rows }
}
const findDifferences = async () => {
  const { ok, ...differences } = await new PgBoss({ db: { executeSql }, schema: 'jobs' }).detectSchemaDrift()
  const found = Object.entries(differences).filter(([, list]) => Array.isArray(list) && list.length > 0)
  return { ok, found: found.map(([kind]) => kind) }
}

it('The schema jobs has the tables, indexes and functions that the installed pg-boss would create', async () => {
  expect(await findDifferences()).toEqual({ ok: true, found: [] })
  await runStatements(url, 'drop index jobs.job_common_i6')
  expect(await findDifferences()).toMatchObject({ ok: false })
})

// Opens a database with the whole real catalog: all feeds of the real data, and the ACSC notices written for tests.
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { cleanUpAfterTests } from '../cleanup.ts'
import { createTestDatabase } from '../database.ts'
import { buildDatabaseUrl, runStatements } from '../run-statements.ts'
import { loadCatalog } from './load-catalog.ts'

/** Database with a loaded catalog, which is copied because loading takes minutes. No client may be connected to it. */
const LOADED_DATABASE = process.env['WHOLE_CATALOG']

export async function openWholeCatalog(folder: string): Promise<string> {
  const url = LOADED_DATABASE === undefined ? await load(folder) : await copyDatabase(LOADED_DATABASE)
  await runStatements(url, 'vacuum (analyze) catalog.cve, catalog.epss, catalog.kev, catalog.cve_document')
  return url
}

async function load(folder: string): Promise<string> {
  const { url } = await createTestDatabase()
  await loadCatalog(url, folder)
  return url
}

async function copyDatabase(template: string): Promise<string> {
  const { serverUrl, runId } = inject('database')
  const name = `vis_test_${runId}_${randomBytes(4).toString('hex')}`
  await runStatements(serverUrl, `create database ${name} template ${template}`)
  cleanUpAfterTests(() => runStatements(serverUrl, `drop database if exists ${name} with (force)`))
  return buildDatabaseUrl(serverUrl, name)
}

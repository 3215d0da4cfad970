// The whole real catalog, in a database of its own: all feeds of ../shared/data and our notices, published.
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { administer, databaseUrl } from '../administer.ts'
import { atEnd } from '../cleanup.ts'
import { testDatabase } from '../database.ts'
import { loadCatalog } from './load-catalog.ts'

/** A database in which it was loaded before, to be copied: loading takes minutes. Nobody may be connected to it. */
const LOADED = process.env['WHOLE_CATALOG']

export async function wholeCatalog(folder: string): Promise<string> {
  const url = LOADED === undefined ? await load(folder) : await copyOf(LOADED)
  await administer(url, 'vacuum (analyze) catalog.cve, catalog.epss, catalog.kev, catalog.cve_document')
  return url
}

async function load(folder: string): Promise<string> {
  const { url } = await testDatabase()
  await loadCatalog(url, folder)
  return url
}

async function copyOf(template: string): Promise<string> {
  const { serverUrl, runId } = inject('database')
  const name = `vis_test_${runId}_${randomBytes(4).toString('hex')}`
  await administer(serverUrl, `create database ${name} template ${template}`)
  atEnd(() => administer(serverUrl, `drop database if exists ${name} with (force)`))
  return databaseUrl(serverUrl, name)
}

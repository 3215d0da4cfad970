// The whole real catalog, in a database of its own: all feeds of ../shared/data and our notices, published.
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { measuredCommand } from '../bench/measured-command.ts'
import { administer, databaseUrl } from './administer.ts'
import { atEnd } from './at-end.ts'
import { testDatabase } from './database.ts'

/** A database in which it was loaded before, to be copied: loading takes minutes. Nobody may be connected to it. */
const LOADED = process.env['WHOLE_CATALOG']
const FIXTURES = fileURLToPath(new URL('../../src/feeds/acsc/fixtures', import.meta.url))
const NEWEST = '2026-08-22T23:59:59Z'

export async function wholeCatalog(folder: string): Promise<string> {
  const url = LOADED === undefined ? await load(folder) : await copyOf(LOADED)
  await administer(url, 'vacuum (analyze) catalog.cve, catalog.epss, catalog.kev, catalog.cve_document')
  return url
}

async function load(folder: string): Promise<string> {
  const { url } = await testDatabase()
  for (const args of [
    ['--no-publish', '--from', folder],
    ['acsc', '--from', FIXTURES],
  ]) {
    const environment = { DATABASE_URL: url, NODE_ENV: 'test' }
    const { code, stderr } = await measuredCommand(['sync', '--now', NEWEST, ...args], environment)
    if (code !== 0) throw new Error(`vis-server sync ${args.join(' ')} ended with ${code}: ${stderr}`)
  }
  return url
}

async function copyOf(template: string): Promise<string> {
  const { serverUrl, runId } = inject('database')
  const name = `vis_test_${runId}_${randomBytes(4).toString('hex')}`
  await administer(serverUrl, `create database ${name} template ${template}`)
  atEnd(() => administer(serverUrl, `drop database if exists ${name} with (force)`))
  return databaseUrl(serverUrl, name)
}

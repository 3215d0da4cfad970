// Calls from many accounts at the moment when a node starts to listen, and when it has lost all database connections.
// The database needs 300 ms to accept a connection: longer than a call waits for a connection in use.
import { describe, expect, it } from 'vitest'
import { cve } from '../../support/catalog/cve-builder.ts'
import { createFaultyProxy } from '../../support/network/faulty-proxy.ts'
import { type ServiceProcess, startProcess } from '../../support/processes/server-process.ts'
import { call } from './call.ts'
import { createNodesSetup, PATIENT_SETTINGS } from './setup.ts'

const setup = await createNodesSetup()
await setup.given(cve('CVE-2026-1000', { description: 'Requested at the start.' }))
const keys = await setup.createKeys(8)
const PATHS = [
  '/api/v1/cve/CVE-2026-1000',
  '/api/v1/cves?q=requested',
  '/api/v1/usage',
  '/api/v1/cve/CVE-2026-1000/detail',
]
const OPENING_MS = 300

/** The limit under test has its production value; the others are long, because a busy machine would exceed them. */
const SETTINGS = { ...PATIENT_SETTINGS, DATABASE_ACQUIRE_TIMEOUT_MS: '250' }

/** Sends calls with all keys to all paths at once and returns the answers that are not 200. */
async function callAtOnce({ port }: ServiceProcess): Promise<readonly string[]> {
  const calls = keys.flatMap((key) => PATHS.map((path) => call({ port, path, headers: { 'X-API-Key': key } })))
  const answers = await Promise.all(calls)
  return answers.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body}`)
}

function startNode(url = setup.databaseUrl): Promise<ServiceProcess> {
  return startProcess({ environment: { ...setup.environment, ...SETTINGS, DRAIN_DELAY_MS: '0', DATABASE_URL: url } })
}

describe('An API node without open database connections', () => {
  it('answers all calls that arrive when it starts to listen', { timeout: 120_000 }, async () => {
    const node = await startNode()
    expect(await callAtOnce(node)).toEqual([])
    await node.stop()
  })

  it('answers them even if the database is slow to accept connections', { timeout: 120_000 }, async () => {
    const link = await createFaultyProxy(setup.databaseUrl)
    link.delayOpening(OPENING_MS)
    const node = await startNode(link.url)
    expect(await callAtOnce(node)).toEqual([])

    // An idle node closes its connections after five minutes; here they are lost at once.
    link.resetAll()
    const readIdle = async () => {
      const { body } = await call({ port: node.opsPort, path: '/metrics' })
      const [, idle] = /^vis_database_connections\{pool="accounts",state="idle"\} (\d+)$/m.exec(body) ?? []
      return Number(idle)
    }
    await expect.poll(readIdle).toBe(0)
    expect(await callAtOnce(node)).toEqual([])
    await node.stop()
  })

  it('starts while the database is unavailable', { timeout: 120_000 }, async () => {
    const node = await startNode('postgres://postgres@127.0.0.1:1/x')
    const { status } = await call({ port: node.opsPort, path: '/ready' })
    expect(status).toBe(200)
    expect(node.logLines.join('\n')).toContain('not all database connections could be opened before the start')
    await node.stop()
  })
})

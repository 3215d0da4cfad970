// Causes errors that no code catches in running processes, while they have work to complete.
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { openLedgerPool } from '../../../service/test/faults/credits/setup.ts'
import { startFeeds } from '../../../service/test/faults/feeds/process.ts'
import { call } from '../../../service/test/faults/nodes/call.ts'
import { expectNoFailure, startLoad } from '../../../service/test/faults/nodes/load.ts'
import { createNodesSetup, PATIENT_SETTINGS } from '../../../service/test/faults/nodes/setup.ts'
import { cve } from '../../../service/test/support/catalog/cve-builder.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { readBalances } from '../../../service/test/support/ledger-assertions.ts'
import { behaviours, startUpstream } from '../../../service/test/support/network/upstream.ts'
import { startProcess } from '../../../service/test/support/processes/server-process.ts'
import { buildSettings, KEV_FILE } from '../feeds/slice.ts'

const setup = await createNodesSetup()
await setup.given(cve('CVE-2026-1000'))
const preloads = ['../../../service/test/support/network/closed-network.ts', './throw-on-signal.ts']
const NODE_OPTIONS = preloads.map((path) => `--import=${new URL(path, import.meta.url).href}`).join(' ')
const environment = { ...setup.environment, ...PATIENT_SETTINGS, NODE_OPTIONS, DRAIN_DELAY_MS: '300' }
const POLL = { timeout: 100_000, interval: 50 }
const ledger = openLedgerPool(setup.databaseUrl)
cleanUpAfterTests(() => ledger.close())

/** Starts a transaction with the given statement. Returns a function that ends the transaction. */
async function startTransaction(statement: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: setup.databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  return async () => {
    await client.query('commit')
    await client.end()
  }
}

const readCounts = async () => (await readBalances(ledger.db)).map(({ charges, refunds }) => ({ charges, refunds }))

function findFatalLines(logLines: readonly string[]): { level: string; err: { message: string; stack: string } }[] {
  return logLines.filter((line) => line.includes('"level":"fatal"')).map((line) => JSON.parse(line))
}

describe('API node with an uncaught exception', () => {
  it('answers the calls in flight, pays pending refunds, and exits with code 1', async () => {
    const [node, other] = await Promise.all([startProcess({ environment }), startProcess({ environment })])
    const [[key = ''], [keyOfMissing = '']] = [await setup.createKeys(1), await setup.createKeys(1)]
    const load = startLoad({ port: other.port, key: setup.key, paths: ['/api/v1/ping-lite'], perSecond: 50 })
    const get = (id: string, apiKey: string) =>
      call({ port: node.port, path: `/api/v1/cve/${id}`, headers: { 'X-API-Key': apiKey } })
    const releaseCatalog = await startTransaction('lock table catalog.cve_document in access exclusive mode')
    const [inFlight, missing] = [get('CVE-2026-1000', key), get('CVE-2026-1999', keyOfMissing)]
    const charged = { charges: 1, refunds: 0 }
    await expect.poll(readCounts, POLL).toEqual([charged, charged])
    // While the credits are locked, the refund of the 404 answer stays pending.
    const releaseCredits = await startTransaction('select from accounts.meter for update')

    const exit = node.stop('SIGUSR2')
    await expect.poll(async () => (await call({ port: node.opsPort, path: '/ready' })).status, POLL).toBe(503)
    await releaseCatalog()
    expect(await inFlight).toMatchObject({ status: 200, headers: { connection: 'close' } })
    expect(await missing).toMatchObject({ status: 404, headers: { connection: 'close' } })
    expect((await readCounts()).filter(({ refunds }) => refunds > 0)).toEqual([])
    await releaseCredits()

    expect(await exit).toBe(1)
    const refunded = { charges: 1, refunds: 1 }
    expect((await readCounts()).toSorted((a, b) => a.refunds - b.refunds)).toEqual([charged, refunded])
    expectNoFailure(await load.stop())
    expect(await other.stop()).toBe(0)
  })

  it('logs the error with its stack and without API keys', async () => {
    const node = await startProcess({ environment })
    expect(await node.stop('SIGUSR2')).toBe(1)

    const [fatal, ...rest] = findFatalLines(node.logLines)
    expect(rest).toEqual([])
    expect(fatal?.err.message).toBe('thrown by the test with vis_live_[redacted]')
    expect(fatal?.err.stack).toContain('throw-on-signal.ts')
    expect(node.logLines.filter((line) => line.includes('KKKK'))).toEqual([])
    expect(node.logLines.at(-1)).toContain('"msg":"stopped"')
  })

  it('drains once if further errors follow, such as unhandled rejections', async () => {
    const node = await startProcess({ environment: { ...environment, DRAIN_DELAY_MS: '1000' } })
    process.kill(node.pid, 'SIGWINCH')
    await expect.poll(() => findFatalLines(node.logLines).length, POLL).toBe(1)
    process.kill(node.pid, 'SIGUSR2')

    expect(await node.stop('SIGWINCH')).toBe(1)
    expect(findFatalLines(node.logLines).length).toBeGreaterThanOrEqual(2)
    expect(node.logLines.filter((line) => line.includes('"msg":"draining'))).toHaveLength(1)
  })
})

describe('Worker with an uncaught exception', () => {
  it('stops its feed run, releases the lease, and exits with code 1', async () => {
    const upstream = await startUpstream()
    upstream.serve(`/${KEV_FILE}`, behaviours.hangs())
    const worker = startFeeds(['worker', 'kev'], {
      DATABASE_URL: setup.databaseUrl,
      NODE_OPTIONS,
      ...buildSettings(upstream),
    })
    await expect.poll(() => upstream.requests(`/${KEV_FILE}`).length, POLL).toBe(1)

    worker.signal('SIGUSR2')
    const { code, stdout } = await worker.ended

    expect(code).toBe(1)
    expect(findFatalLines(stdout.split('\n'))[0]?.err.stack).toContain('throw-on-signal.ts')
    const client = new Client({ connectionString: setup.databaseUrl })
    await client.connect()
    const { rows } = await client.query(
      `select feed_run.outcome, feed.lease_until < now() as "isReleased"
         from source.feed_run join source.feed on feed.name = feed_run.feed
        where feed_run.feed = 'kev'`,
    )
    await client.end()
    expect(rows).toEqual([{ outcome: 'stopped', isReleased: true }])
  })
})

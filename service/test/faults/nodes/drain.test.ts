import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { cve } from '../../support/catalog/cve-builder.ts'
import { startProcess } from '../../support/processes/server-process.ts'
import { isLongRun } from '../../support/size.ts'
import { call } from './call.ts'
import { type KeepAliveReport, startKeepAliveClient } from './keep-alive-client.ts'
import { createNodesSetup, PATIENT_SETTINGS } from './setup.ts'
import { openSlowSocket } from './slow-socket.ts'

const setup = await createNodesSetup()
await setup.given(cve('CVE-2026-1000'))
const environment = { ...setup.environment, ...PATIENT_SETTINGS }
const PING = '/api/v1/ping-lite'
const POLL_OPTIONS = { timeout: 60_000 }

describe('API node that receives SIGTERM with open keep-alive connections', () => {
  it('answers every request that was sent before the node announced Connection: close', async () => {
    const node = await startProcess({ environment: { ...environment, DRAIN_DELAY_MS: '1000' } })
    const client = { port: node.port, key: setup.key, path: PING }
    const busy = Array.from({ length: 30 }, (_, n) => startKeepAliveClient({ ...client, pauseMs: 5 + n }))
    const idle = Array.from({ length: 5 }, () => startKeepAliveClient({ ...client, pauseMs: 60_000 }))
    await expect.poll(() => Math.min(...busy.map(({ answered }) => answered())), POLL_OPTIONS).toBeGreaterThan(5)
    await expect.poll(() => Math.min(...idle.map(({ answered }) => answered())), POLL_OPTIONS).toBe(1)

    const exit = node.stop('SIGTERM')
    const busyReports = await Promise.all(busy.map(({ report }) => report))
    const idleReports = await Promise.all(idle.map(({ report }) => report))

    expect(await exit).toBe(0)
    console.log(formatSummary(busyReports))
    for (const { sent, answers, ending } of busyReports) {
      const closeAnnouncedBy = answers.findIndex(({ announcesClose }) => announcesClose) + 1
      expect({ ending, answered: answers.length, closeAnnouncedBy }).toEqual({
        ending: 'end',
        answered: sent,
        closeAnnouncedBy: sent,
      })
      expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    }
    for (const report of idleReports)
      expect(report).toMatchObject({ sent: 1, ending: 'end', answers: [{ status: 200 }] })
  })

  it('reports at once that it is not ready, and still answers requests that arrive during the drain delay', async () => {
    const node = await startProcess({ environment: { ...environment, DRAIN_DELAY_MS: '2500' } })
    const [agent, headers] = [new Agent({ keepAlive: true }), { 'X-API-Key': setup.key }]
    expect((await call({ port: node.opsPort, path: '/ready' })).status).toBe(200)

    const exit = node.stop('SIGTERM')
    await sleep(300)
    const ready = await call({ port: node.opsPort, path: '/ready' })
    const late = [PING, '/api/v1/cve/CVE-2026-1000', '/docs', '/nothing'].map((path) =>
      call({ port: node.port, path, agent, headers }),
    )

    expect(ready.status).toBe(503)
    const answers = (await Promise.all(late)).map(({ status, headers: { connection } }) => [status, connection])
    expect(answers).toEqual([200, 200, 200, 404].map((status) => [status, 'close']))
    expect(await exit).toBe(0)
  })

  it('completes requests in flight that take longer than the drain delay', async () => {
    const node = await startProcess({ environment: { ...environment, DRAIN_DELAY_MS: '300' } })
    // The node has not cached the new API keys, so it must read the locked table of keys. Four keys, because a node
    // looks up at most 4 unknown keys at once.
    const keys = await setup.createKeys(4)
    const keysTable = await lockKeys(setup.databaseUrl)
    const agent = new Agent({ keepAlive: true })
    const inFlight = keys.map((key) => call({ port: node.port, path: PING, agent, headers: { 'X-API-Key': key } }))
    await keysTable.waitForWaiters(keys.length)

    const exit = node.stop('SIGTERM')
    await waitUntilRefused(node.port)
    // The pause is long enough for the draining node to close idle connections several times, which must not affect the
    // requests in flight.
    await sleep(500)
    await keysTable.release()

    for (const answer of await Promise.all(inFlight))
      expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } })
    expect(await exit).toBe(0)
  })
})

function formatSummary(reports: readonly KeepAliveReport[]): string {
  const sent = reports.reduce((total, each) => total + each.sent, 0)
  const answered = reports.reduce((total, each) => total + each.answers.length, 0)
  return `SIGTERM with ${reports.length} keep-alive connections: ${sent} requests sent, ${answered} answered`
}

async function waitUntilRefused(port: number): Promise<void> {
  await expect.poll(() => call({ port, path: '/health' }).catch(String), POLL_OPTIONS).toContain('ECONNREFUSED')
}

/** Locks the table of API keys, so that key lookups wait until the test releases the lock. */
async function lockKeys(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('lock table accounts.api_key in access exclusive mode')
  const countWaiters = async () => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count
         from pg_locks
        where not granted
          and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows[0]?.count ?? 0
  }
  return {
    waitForWaiters: async (count: number) => {
      await expect.poll(countWaiters, POLL_OPTIONS).toBe(count)
    },
    release: async () => {
      await client.query('commit')
      await client.end()
    },
  }
}

describe.runIf(isLongRun)('API node that receives SIGTERM with slow connections', () => {
  it('closes slow connections within 15 s, before the hard stop', async () => {
    const node = await startProcess({ environment: { ...setup.environment, DRAIN_DELAY_MS: '300' } })
    const target = { port: node.port, key: setup.key }
    const slow = [openSlowSocket('header', target), openSlowSocket('silent', target)]
    await sleep(200)

    const code = await node.stop('SIGTERM')
    const ages = (await Promise.all(slow)).map(({ closedAfterMs = Number.POSITIVE_INFINITY }) => closedAfterMs)

    console.log(
      `SIGTERM with slow connections: closed after ${ages.map((ms) => (ms / 1000).toFixed(1)).join(' s and ')} s`,
    )
    expect(code).toBe(0)
    expect(node.logLines.at(-1)).toContain('"wasCut":false')
    // The node's timeout for request headers is 10 s, checked once a second; the remainder of the 15 s allows for a
    // slow machine.
    expect(Math.max(...ages)).toBeLessThan(15_000)
  })
})

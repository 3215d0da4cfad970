import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { cve } from '../../support/catalog/cve-builder.ts'
import { startProcess } from '../../support/processes/server-process.ts'
import { call } from './call.ts'
import { type KeepAliveReport, keepCalling } from './keep-alive-client.ts'
import { chaosWorld, PATIENT_WITH_THE_DATABASE } from './setup.ts'

const world = await chaosWorld()
await world.given(cve('CVE-2026-1000'))
const environment = { ...world.environment, ...PATIENT_WITH_THE_DATABASE }
const PING = '/api/v1/ping-lite'
const PATIENCE = { timeout: 10_000 }

describe('SIGTERM, as seen by clients with connections of their own', () => {
  it('answers every request sent before the server announced Connection: close', async () => {
    const node = await startProcess({ environment: { ...environment, DRAIN_DELAY_MS: '1000' } })
    const client = { port: node.port, key: world.key, path: PING }
    const busy = Array.from({ length: 30 }, (_, n) => keepCalling({ ...client, pauseMs: 5 + n }))
    const idle = Array.from({ length: 5 }, () => keepCalling({ ...client, pauseMs: 60_000 }))
    await expect.poll(() => Math.min(...busy.map(({ answered }) => answered())), PATIENCE).toBeGreaterThan(5)
    await expect.poll(() => Math.min(...idle.map(({ answered }) => answered())), PATIENCE).toBe(1)

    const exit = node.stop('SIGTERM')
    const busyReports = await Promise.all(busy.map(({ report }) => report))
    const idleReports = await Promise.all(idle.map(({ report }) => report))

    expect(await exit).toBe(0)
    console.log(summaryOf(busyReports))
    for (const { sent, answers, ending } of busyReports) {
      const lastWord = answers.findIndex(({ announcesClose }) => announcesClose) + 1
      expect({ ending, answered: answers.length, lastWord }).toEqual({ ending: 'end', answered: sent, lastWord: sent })
      expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    }
    for (const report of idleReports)
      expect(report).toMatchObject({ sent: 1, ending: 'end', answers: [{ status: 200 }] })
  })

  it('says at once that it is not ready, and still answers who comes before the balancer has noticed', async () => {
    const node = await startProcess({ environment: { ...environment, DRAIN_DELAY_MS: '2500' } })
    const [agent, headers] = [new Agent({ keepAlive: true }), { 'X-API-Key': world.key }]
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

  it('completes requests in flight, even when they take longer than the delay', async () => {
    const node = await startProcess({ environment: { ...environment, DRAIN_DELAY_MS: '300' } })
    // Keys that the node has not seen, so that it must read the table that is locked.
    // As many as the node looks up at once when it has never met them.
    const keys = await world.freshKeys(4)
    const keysTable = await lockKeys(world.databaseUrl)
    const agent = new Agent({ keepAlive: true })
    const inFlight = keys.map((key) => call({ port: node.port, path: PING, agent, headers: { 'X-API-Key': key } }))
    await keysTable.untilAwaitedBy(keys.length)

    const exit = node.stop('SIGTERM')
    await untilRefused(node.port)
    // Long enough for idle connections to have been swept away a few times.
    await sleep(500)
    await keysTable.release()

    for (const answer of await Promise.all(inFlight))
      expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } })
    expect(await exit).toBe(0)
  })
})

function summaryOf(reports: readonly KeepAliveReport[]): string {
  const sent = reports.reduce((total, each) => total + each.sent, 0)
  const answered = reports.reduce((total, each) => total + each.answers.length, 0)
  return `SIGTERM under ${reports.length} keep-alive connections: ${sent} requests sent, ${answered} answered`
}

async function untilRefused(port: number): Promise<void> {
  await expect.poll(() => call({ port, path: '/health' }).catch(String), PATIENCE).toContain('ECONNREFUSED')
}

/** Makes the lookup of a key as slow as the test wants. */
async function lockKeys(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('lock table accounts.api_key in access exclusive mode')
  const waiting = async () => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count
         from pg_locks
        where not granted
          and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows[0]?.count ?? 0
  }
  return {
    untilAwaitedBy: async (count: number) => {
      await expect.poll(waiting, PATIENCE).toBe(count)
    },
    release: async () => {
      await client.query('commit')
      await client.end()
    },
  }
}

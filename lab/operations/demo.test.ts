import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { findEmbeddedPackage } from '../../service/src/database/embedded-postgres.ts'
import { createEmptyDatabase } from '../../service/test/support/database.ts'
import { createDemoFolder, killStartingDemo, startDemo } from '../../service/test/support/processes/demo-process.ts'
import { runCommand } from '../../service/test/support/run-command.ts'

const hasPostgres = findEmbeddedPackage() !== undefined
if (!hasPostgres)
  process.stderr.write(
    'SKIPPED: vis-server demo, because the npm package of PostgreSQL is not installed for this platform.\n',
  )

/** A long timeout: the demo starts PostgreSQL, migrates and runs all feeds while other tests use the same CPU. */
const DEMO_TIMEOUT_MS = 900_000

describe('vis-server demo', { timeout: DEMO_TIMEOUT_MS }, () => {
  it.runIf(hasPostgres)('prints requests to try, answers them, and removes all files when stopped', async () => {
    const demo = await startDemo({})

    expect(demo.listLeftovers()).not.toEqual([])
    const { data, meta } = JSON.parse(demo.runPrintedCommand())
    expect(data.cve).toMatchObject({
      cve_id: 'CVE-2021-44228',
      cvss: { v3_1: { baseScore: 10 } },
      kev: { dateAdded: '2021-12-10' },
      epss: { date: '2026-08-15' },
      acsc: [{ priority: 'Critical' }],
      attack: { techniques: expect.arrayContaining(['T1190']) },
    })
    // The demo starts its clock at the date of the sample data instead of the current time.
    expect(meta.timestamp).toMatch(/^2026-08-21T18:/)
    expect(demo.output()).toContain('The clock of the demo started at 2026-08-21T18:')
    expect(demo.output()).toMatch(/docs +http:\/\/127\.0\.0\.1:\d+\/docs/)

    await demo.end('SIGTERM')
    expect(demo.listLeftovers()).toEqual([])
  })

  it.runIf(hasPostgres)('removes all files and stops its PostgreSQL after it was killed', async () => {
    const demo = await killStartingDemo()

    expect(demo.output()).toContain('Loading the sample into')
    expect(await demo.waitForCleanup()).toEqual([])
  })

  it.runIf(hasPostgres)(
    'keeps the data in the --keep folder, and continues with it at the next start, on any port if PORT is in use',
    async () => {
      const folder = join(createDemoFolder(), 'kept')
      const first = await startDemo({}, '--keep', folder)
      expect(first.runPrintedCommand()).toContain('"cve_id":"CVE-2021-44228"')
      await first.end('SIGINT')
      expect(first.listLeftovers()).toEqual([])
      expect(existsSync(join(folder, 'data/PG_VERSION'))).toBe(true)

      const { port, close } = await occupyPort()
      const second = await startDemo({ PORT: String(port) }, '--keep', folder)
      close()
      expect(second.output()).toContain(`Port ${port} is in use`)
      expect(second.runPrintedCommand()).toContain('"cve_id":"CVE-2021-44228"')
      await expectTwoChanges(second.output())
      expect(await second.end('SIGINT')).toBe(0)
    },
  )

  it('creates a new database on the server in DATABASE_URL and drops it at the end', async () => {
    const { url } = await createEmptyDatabase()
    const demo = await startDemo({ DATABASE_URL: url })
    const [name = ''] = /vis_demo_\w+/.exec(demo.output()) ?? []

    expect(demo.runPrintedCommand()).toContain('"cve_id":"CVE-2021-44228"')
    await expectKeyInReference(demo.output())
    await expectKeySignsIn(demo.output())
    expect(await count(url, `select from pg_database where datname = '${name}'`)).toBe(1)
    expect(await count(url, "select from pg_namespace where nspname in ('catalog', 'source', 'accounts')")).toBe(0)

    expect(await demo.end('SIGINT')).toBe(0)
    expect(await count(url, `select from pg_database where datname = '${name}'`)).toBe(0)
  })
})

/** Listens on a free port, as another demo would. */
async function occupyPort(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return { port: address.port, close: () => server.close() }
}

async function count(url: string, query: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(query)).rowCount ?? 0
  } finally {
    await client.end()
  }
}

describe('vis-server demo: invalid arguments', () => {
  it('rejects a --keep folder that contains other files and leaves the files unchanged', async () => {
    const folder = createDemoFolder()
    writeFileSync(join(folder, 'notes.txt'), 'my notes')

    const { code, stderr } = await runCommand(['demo', '--keep', folder], {})

    expect([code, stderr]).toEqual([1, expect.stringContaining(`${folder} is not empty and holds no demo data`)])
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('my notes')
  })

  it('rejects --keep together with DATABASE_URL', async () => {
    const { code, stderr } = await runCommand(['demo', '--keep', 'x'], {
      DATABASE_URL: 'postgres://nobody@127.0.0.1/x',
    })

    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('--keep works only with the PostgreSQL that comes with the demo'),
    ])
  })
})

/** Checks that the demo's key signs in to the console at the printed address. */
async function expectKeySignsIn(output: string): Promise<void> {
  const [, key = ''] = /key +(vis_test_\w+)/.exec(output) ?? []
  const [, address = ''] = /docs +(http:\S+)\/docs/.exec(output) ?? []
  expect(output).toMatch(/console +(?:http:\/\/\S+\/console\/ \(sign in with the key\)|not built; run "npm run build")/)
  const answer = await fetch(`${address}/console/api/session`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: key }),
  })
  expect(answer.status).toBe(201)
}

/**
 * Checks that a CVE in the sample has an earlier state, and that its changes are dated within the days of the sample.
 */
async function expectTwoChanges(output: string): Promise<void> {
  const [, key = ''] = /key +(vis_test_\w+)/.exec(output) ?? []
  const [, address = ''] = /docs +(http:\S+)\/docs/.exec(output) ?? []
  const answer = await fetch(`${address}/api/v1/cve/CVE-2026-72529/history`, { headers: { 'X-API-Key': key } })
  const { data } = JSON.parse(await answer.text())
  expect(data.changes).toMatchObject([
    { at: '2026-08-21T18:00:00Z', types: expect.arrayContaining(['kev_added', 'priority_raised']) },
    { at: '2026-08-19T18:00:00Z', types: ['published'] },
  ])
}

/**
 * Checks that the demo's API reference contains its key, and that no page from another origin can read or run the
 * script.
 */
async function expectKeyInReference(output: string): Promise<void> {
  const [, key = ''] = /key +(vis_test_\w+)/.exec(output) ?? []
  const [, address = ''] = /docs +(http:\S+)/.exec(output) ?? []
  const start = await fetch(`${address}/start.js`, { headers: { Origin: 'https://other.example' } })
  expect(await start.text()).toContain(`ApiKey: { value: "${key}" }`)
  expect(Object.fromEntries(start.headers)).toMatchObject({
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(start.headers.has('access-control-allow-origin')).toBe(false)
}

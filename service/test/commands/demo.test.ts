import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../tools/free-port.ts'
import { embeddedPackage } from '../../src/database/embedded-postgres.ts'
import { emptyDatabase } from '../support/database.ts'
import { visServer } from '../support/processes/command.ts'
import { demoFolder, startDemo } from '../support/processes/demo-process.ts'

const hasPostgres = embeddedPackage() !== undefined
if (!hasPostgres)
  process.stderr.write('SKIPPED: vis-server demo, as no PostgreSQL of npm is installed for this machine.\n')

/** PostgreSQL, migrations, seventeen feeds: on a machine that runs other tests at the same time. */
const TAKES_MS = 180_000

describe('vis-server demo', { timeout: TAKES_MS }, () => {
  it.runIf(hasPostgres)('says what to try, answers it, and leaves nothing behind when it is stopped', async () => {
    const demo = await startDemo({})

    expect(demo.leftBehind()).not.toEqual([])
    const { data, meta } = JSON.parse(demo.tryIt())
    expect(data.cve).toMatchObject({
      cve_id: 'CVE-2021-44228',
      cvss: { v3_1: { baseScore: 10 } },
      kev: { dateAdded: '2021-12-10' },
      epss: { date: '2026-08-15' },
      acsc: [{ priority: 'Critical' }],
      attack: { techniques: expect.arrayContaining(['T1190']) },
    })
    // The clock of the sample, as it says.
    expect(meta.timestamp).toMatch(/^2026-08-21T18:/)
    expect(demo.said()).toContain('Its clock began at 2026-08-21T18:')
    expect(demo.said()).toMatch(/docs +http:\/\/127\.0\.0\.1:\d+\/docs/)

    expect(await demo.end('SIGINT')).toBe(0)
    expect(demo.leftBehind()).toEqual([])
  })

  it.runIf(hasPostgres)('runs twice at once, and leaves nothing behind even when it is killed', async () => {
    const PORT = String(await freePort())
    const [one, other] = await Promise.all([startDemo({ PORT }), startDemo({ PORT })])

    expect([one.said(), other.said()].filter((said) => said.includes(`Port ${PORT} is taken`))).toHaveLength(1)
    for (const demo of [one, other]) expect(demo.tryIt()).toContain('"cve_id":"CVE-2021-44228"')

    await Promise.all([one.end('SIGKILL'), other.end('SIGTERM')])
    expect(other.leftBehind()).toEqual([])
    expect(await one.settled()).toEqual([])
  })

  it.runIf(hasPostgres)('keeps its data where it is told, and goes on with them', async () => {
    const folder = join(demoFolder(), 'kept')
    const first = await startDemo({}, '--keep', folder)
    expect(first.tryIt()).toContain('"cve_id":"CVE-2021-44228"')
    await first.end('SIGINT')
    expect(first.leftBehind()).toEqual([])
    expect(existsSync(join(folder, 'data/PG_VERSION'))).toBe(true)

    const second = await startDemo({}, '--keep', folder)
    expect(second.tryIt()).toContain('"cve_id":"CVE-2021-44228"')
    expect(await second.end('SIGINT')).toBe(0)
  })

  it('makes a database of its own on the server of DATABASE_URL, and drops it again', async () => {
    const { url } = await emptyDatabase()
    const demo = await startDemo({ DATABASE_URL: url })
    const [name = ''] = /vis_demo_\w+/.exec(demo.said()) ?? []

    expect(demo.tryIt()).toContain('"cve_id":"CVE-2021-44228"')
    expect(await count(url, `select from pg_database where datname = '${name}'`)).toBe(1)
    expect(await count(url, "select from pg_namespace where nspname in ('catalog', 'source', 'accounts')")).toBe(0)

    expect(await demo.end('SIGINT')).toBe(0)
    expect(await count(url, `select from pg_database where datname = '${name}'`)).toBe(0)
  })
})

async function count(url: string, query: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(query)).rowCount ?? 0
  } finally {
    await client.end()
  }
}

describe('vis-server demo teaches', () => {
  it('about a folder that holds something else, which it leaves alone', async () => {
    const folder = demoFolder()
    writeFileSync(join(folder, 'diary.txt'), 'Dear diary')

    const { code, stderr } = await visServer(['demo', '--keep', folder], {})

    expect([code, stderr]).toEqual([1, expect.stringContaining(`${folder} is not empty and holds no demo`)])
    expect(readFileSync(join(folder, 'diary.txt'), 'utf8')).toBe('Dear diary')
  })

  it('about keeping what is on a server', async () => {
    const { code, stderr } = await visServer(['demo', '--keep', 'x'], { DATABASE_URL: 'postgres://nobody@127.0.0.1/x' })

    expect([code, stderr]).toEqual([1, expect.stringContaining('with DATABASE_URL there is no folder')])
  })
})

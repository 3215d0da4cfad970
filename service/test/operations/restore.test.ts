import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { directoryWith, epssFile, kevFile } from '../feeds/small-files.ts'
import { administer, databaseUrl } from '../support/administer.ts'
import { apiAt } from '../support/api.ts'
import { visServer } from '../support/processes/command.ts'
import {
  archivingPostgres,
  asServerUser,
  type PrivatePostgres,
  restoredPostgres,
  serverFolder,
  whyNoPostgres,
} from '../support/processes/private-postgres.ts'
import { startProcess } from '../support/processes/server-process.ts'
import { PATIENT } from '../support/service.ts'
import { inRepository } from './metrics-page.ts'

const script = (name: string) => inRepository(`deploy/backup/${name}`)
const environmentFor = (server: PrivatePostgres) => ({
  NODE_ENV: 'test',
  DATABASE_URL: databaseUrl(server.url, 'vis'),
  ...PATIENT,
})

async function ask<Row extends object>(server: PrivatePostgres, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl(server.url, 'vis') })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

/** What all tables hold, line by line. */
function fingerprint(server: PrivatePostgres): string {
  const told = ['--no-psqlrc', '--tuples-only', '--set', 'ON_ERROR_STOP=1', '--file', script('fingerprint.sql')]
  return asServerUser('psql', [...told, '--dbname', databaseUrl(server.url, 'vis')], {})
}

/** Calls that cost credits, through a real node; and what the account has used afterwards. */
async function spend(server: PrivatePostgres, key: string, calls: number): Promise<number> {
  const node = await startProcess({ environment: { ...environmentFor(server), DRAIN_DELAY_MS: '0' } })
  const api = apiAt(
    node.port,
    () => key,
    () => {},
  )
  for (let call = 0; call < calls; call += 1)
    expect((await api.get('/api/v1/cve/CVE-2024-0001')).json).toMatchObject({
      data: { cve: { cve_id: 'CVE-2024-0001' } },
    })
  const { json } = await api.get('/api/v1/usage')
  await node.stop()
  return json.data.usage.credits_used
}

/** As a minute without anything to do would. */
async function archiveLog(server: PrivatePostgres): Promise<void> {
  const [piece] = await ask<{ name: string }>(server, 'select pg_walfile_name(pg_switch_wal()) as name')
  const isArchived = async () =>
    (
      await ask<{ done: boolean }>(server, `select last_archived_wal >= '${piece?.name}' as done from pg_stat_archiver`)
    )[0]?.done ?? false
  await expect.poll(isArchived, { timeout: 20_000 }).toBe(true)
}

describe.skipIf(whyNoPostgres !== undefined)('A server that is lost', () => {
  it('comes back as it was at any moment since the backup, with every account and every credit', async () => {
    const backups = serverFolder()
    const server = await archivingPostgres(`${script('archive-wal.sh')} "%p" ${backups}/wal "%f"`)
    const environment = environmentFor(server)
    const run = async (...args: string[]) => (await visServer(args, environment)).stdout.trim()
    await run('migrate', '--create-database')
    const from = await directoryWith({
      'known_exploited_vulnerabilities.json': kevFile(['CVE-2024-0001', 'CVE-2024-0002']),
      'epss_scores-2026-08-21.csv.gz': epssFile({ 'CVE-2024-0001': 0.5, 'CVE-2024-0002': 0.01 }),
    })
    await run('sync', '--from', from)
    const key = await run(
      'keys',
      'issue',
      '--account',
      await run('accounts', 'create', '--name', 'Ada', '--plan', 'pro'),
    )
    expect(await spend(server, key, 3)).toBe(15)

    const { port } = new URL(server.url)
    const libpq = { PGHOST: '127.0.0.1', PGPORT: port, PGUSER: 'postgres' }
    expect(asServerUser(script('backup.sh'), ['--to', backups], libpq)).toContain('verified')
    // What happened since then is in the log alone.
    expect(await spend(server, key, 4)).toBe(35)
    await run('accounts', 'create', '--name', 'Grace', '--plan', 'free')
    const before = fingerprint(server)
    const [moment] = await ask<{ at: string }>(server, 'select clock_timestamp()::text as at')
    await sleep(50)
    // Somebody makes a mistake, and then the machine burns.
    await administer(environment.DATABASE_URL, 'truncate accounts.account cascade')
    await archiveLog(server)
    await server.stop('killed')

    const restored = await restoredPostgres(script('restore.sh'), '--from', backups, '--until', moment?.at ?? '')
    const isOpen = async () =>
      (await ask<{ open: boolean }>(restored, 'select not pg_is_in_recovery() as open'))[0]?.open
    await expect.poll(isOpen, { timeout: 30_000 }).toBe(true)

    expect(fingerprint(restored)).toBe(before)
    expect(before).toMatch(/^accounts\.account\|2\|/m)
    expect(before).toContain('accounts that do not add up|0')
    // The key still opens, and its account goes on counting where it was.
    expect(await spend(restored, key, 1)).toBe(40)
  }, 240_000)
})

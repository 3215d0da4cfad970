import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { buildEpssFile, buildKevFile, writeTemporaryDirectory } from '../../service/test/feeds/temporary-files.ts'
import { inRepository } from '../../service/test/operations/metrics-page.ts'
import { createApiClient } from '../../service/test/support/api.ts'
import {
  copyForServerUser,
  createServerFolder,
  type PrivatePostgres,
  postgresMissingReason,
  runAsServerUser,
  startArchivingPostgres,
  startRestoredPostgres,
} from '../../service/test/support/processes/private-postgres.ts'
import { startProcess } from '../../service/test/support/processes/server-process.ts'
import { runCommand } from '../../service/test/support/run-command.ts'
import { buildDatabaseUrl, runStatements } from '../../service/test/support/run-statements.ts'
import { EXTENDED_TIMEOUTS } from '../../service/test/support/service.ts'

const scripts = copyForServerUser(inRepository('deploy/backup'))
const script = (name: string) => join(scripts, name)
const createEnvironment = (server: PrivatePostgres) => ({
  NODE_ENV: 'test',
  DATABASE_URL: buildDatabaseUrl(server.url, 'vis'),
  ...EXTENDED_TIMEOUTS,
})

async function queryRows<Row extends object>(server: PrivatePostgres, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: buildDatabaseUrl(server.url, 'vis') })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Returns one line per table with a checksum of its rows. */
function readFingerprint(server: PrivatePostgres): string {
  const args = ['--no-psqlrc', '--tuples-only', '--set', 'ON_ERROR_STOP=1', '--file', script('fingerprint.sql')]
  return runAsServerUser('psql', [...args, '--dbname', buildDatabaseUrl(server.url, 'vis')], {})
}

/** Makes charged requests to a real node, and returns the credits that the account has used afterwards. */
async function spendCredits(server: PrivatePostgres, key: string, calls: number): Promise<number> {
  const node = await startProcess({ environment: { ...createEnvironment(server), DRAIN_DELAY_MS: '0' } })
  const api = createApiClient(
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

/**
 * Archives the current segment of the write-ahead log (WAL) immediately; PostgreSQL itself would archive it after a
 * minute.
 */
async function archiveWal(server: PrivatePostgres): Promise<void> {
  const [segment] = await queryRows<{ name: string }>(server, 'select pg_walfile_name(pg_switch_wal()) as name')
  const isArchived = async () =>
    (
      await queryRows<{ done: boolean }>(
        server,
        `select last_archived_wal >= '${segment?.name}' as done from pg_stat_archiver`,
      )
    )[0]?.done ?? false
  await expect.poll(isArchived, { timeout: 100_000 }).toBe(true)
}

describe.skipIf(postgresMissingReason !== undefined)('Restoring a lost database server', () => {
  it('restores all accounts and credits as of a chosen time after the backup', async () => {
    const backups = createServerFolder()
    const server = await startArchivingPostgres(`${script('archive-wal.sh')} "%p" ${backups}/wal "%f"`)
    const environment = createEnvironment(server)
    const run = async (...args: string[]) => (await runCommand(args, environment)).stdout.trim()
    await run('migrate', '--create-database')
    const from = await writeTemporaryDirectory({
      'known_exploited_vulnerabilities.json': buildKevFile(['CVE-2024-0001', 'CVE-2024-0002']),
      'epss_scores-2026-08-21.csv.gz': buildEpssFile({ 'CVE-2024-0001': 0.5, 'CVE-2024-0002': 0.01 }),
    })
    await run('sync', '--from', from)
    const key = await run(
      'keys',
      'issue',
      '--account',
      await run('accounts', 'create', '--name', 'Ada', '--plan', 'pro'),
    )
    expect(await spendCredits(server, key, 3)).toBe(15)

    const { port } = new URL(server.url)
    const libpq = { PGHOST: '127.0.0.1', PGPORT: port, PGUSER: 'postgres' }
    expect(runAsServerUser(script('backup.sh'), ['--to', backups], libpq)).toContain('verified')
    // Database changes after the backup are only in the archived write-ahead log, not in the backup.
    expect(await spendCredits(server, key, 4)).toBe(35)
    await run('accounts', 'create', '--name', 'Grace', '--plan', 'free')
    const before = readFingerprint(server)
    const [moment] = await queryRows<{ at: string }>(server, 'select clock_timestamp()::text as at')
    await sleep(50)
    // The test deletes all rows of a table, as an operator may do by mistake, and then kills the database server.
    await runStatements(environment.DATABASE_URL, 'truncate accounts.account cascade')
    await archiveWal(server)
    await server.stop('killed')

    const restored = await startRestoredPostgres(script('restore.sh'), '--from', backups, '--until', moment?.at ?? '')
    const isOpen = async () =>
      (await queryRows<{ open: boolean }>(restored, 'select not pg_is_in_recovery() as open'))[0]?.open
    await expect.poll(isOpen, { timeout: 100_000 }).toBe(true)

    expect(readFingerprint(restored)).toBe(before)
    expect(before).toMatch(/^accounts\.account\|2\|/m)
    expect(before).toContain('accounts that do not add up|0')
    // The API key still works, and the usage of its account continues from the restored value.
    expect(await spendCredits(restored, key, 1)).toBe(40)
  }, 900_000)
})

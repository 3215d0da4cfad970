// Backs up, destroys and restores a PostgreSQL cluster in Debian's layout: pg_createcluster puts the configuration in a
// different folder from the data.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inRepository, parseExposition, readDocumentedMetrics } from '../../service/test/operations/metrics-page.ts'
import { cleanUpAfterTests } from '../../service/test/support/cleanup.ts'
import {
  copyForServerUser,
  createServerFolder,
  runAsServerUser,
} from '../../service/test/support/processes/private-postgres.ts'
import { chooseBySize } from '../../service/test/support/size.ts'
import { freePort } from '../../tools/free-port.ts'

const PROGRAM = '/usr/bin/pg_createcluster'
const VERSIONS = '/usr/lib/postgresql'
const scripts = copyForServerUser(inRepository('deploy/backup'))
const script = (name: string) => join(scripts, name)

/** Arguments of backup.sh, restore.sh and archive-wal.sh for an encrypted backup. */
interface Keys {
  readonly backup: readonly string[]
  readonly restore: readonly string[]
  readonly archive: string
}

function createKeys(home: string, isEncrypted: boolean, run: Run): Keys {
  if (!isEncrypted) return { backup: [], restore: [], archive: '' }
  const [identity, recipients] = [join(home, 'identity'), join(home, 'recipients')]
  run('age-keygen', '-o', identity)
  writeFileSync(recipients, run('age-keygen', '-y', identity))
  return { backup: ['--recipients', recipients], restore: ['--identity', identity], archive: recipients }
}

type Run = (file: string, ...args: readonly string[]) => string

async function createCluster(isEncrypted: boolean) {
  const home = createServerFolder()
  const version =
    readdirSync(VERSIONS)
      .toSorted((a, b) => Number(a) - Number(b))
      .at(-1) ?? ''
  const port = String(await freePort())
  const environment = {
    HOME: home,
    TMPDIR: home,
    LC_ALL: 'C.UTF-8',
    PG_CLUSTER_CONF_ROOT: join(home, 'etc'),
    PGHOST: home,
    PGPORT: port,
    PGUSER: 'postgres',
  }
  const run: Run = (file, ...args) => runAsServerUser(file, args, environment)
  const control = (...args: readonly string[]) =>
    run('pg_ctlcluster', '--skip-systemctl-redirect', version, 'main', ...args)
  const create = (...args: readonly string[]) => {
    const places = ['--datadir', join(home, 'data'), '--socketdir', home, '--logfile', join(home, 'log')]
    return run(PROGRAM, ...places, '--port', port, version, 'main', ...args)
  }
  run('mkdir', join(home, 'etc'))
  create('--', '--no-sync', '--auth=trust', '--username=postgres')
  cleanUpAfterTests(() => {
    if (existsSync(join(home, 'data/postmaster.pid'))) control('stop', '--mode', 'immediate')
  })
  return {
    home,
    run,
    control,
    create,
    configuration: join(home, 'etc', version, 'main'),
    keys: createKeys(home, isEncrypted, run),
    query: (statement: string) =>
      run('psql', '--no-psqlrc', '--tuples-only', '--no-align', '--dbname', 'vis', '--command', statement).trim(),
  }
}

type Cluster = Awaited<ReturnType<typeof createCluster>>

/** Creates a cluster with a backup, and with a row that only the archived write-ahead log contains. */
async function createBackedUpCluster(isEncrypted: boolean): Promise<Cluster> {
  const cluster = await createCluster(isEncrypted)
  const { home, run, control, configuration, keys, query } = cluster
  mkdirSync(join(configuration, 'conf.d'), { recursive: true })
  const archive = `"${script('archive-wal.sh')}" "%p" ${home}/backups/wal "%f" ${keys.archive}`
  writeFileSync(
    join(configuration, 'conf.d/vis.conf'),
    `archive_mode = on\narchive_command = '${archive}'\nvis.note = 'it''s \\\\ kept'\n`,
  )
  appendFileSync(join(configuration, 'pg_hba.conf'), 'host vis ada 192.0.2.1/32 reject\n')
  control('start')
  run('createdb', 'vis')
  query('create schema accounts; create table accounts.account as select 1 as id')
  expect(run(script('backup.sh'), '--to', join(home, 'backups'), ...keys.backup)).toContain('verified')
  query('insert into accounts.account values (2)')
  const segment = query('select pg_walfile_name(pg_switch_wal())')
  await expect.poll(() => query('select last_archived_wal from pg_stat_archiver'), { timeout: 100_000 }).toBe(segment)
  return cluster
}

function destroy({ home, control, configuration }: Cluster): void {
  control('stop', '--mode', 'immediate')
  for (const path of [join(home, 'data'), configuration]) rmSync(path, { recursive: true })
}

/** Reads the metrics that status.sh prints. */
function readStatus({ home, run }: Cluster) {
  const text = run(script('status.sh'), '--from', join(home, 'backups'))
  expect(parseExposition(text)).toEqual(readDocumentedMetrics('backup'))
  const read = (name: string) => Number(new RegExp(`^vis_backup_${name} (\\d+)$`, 'm').exec(text)?.[1])
  return {
    endedAt: read('last_success_timestamp_seconds'),
    isArchiving: read('wal_archiving'),
    waitingSeconds: read('wal_waiting_seconds'),
  }
}

/** Makes archive_command fail and then inserts a row, which a restore cannot recover. */
async function breakArchiving({ query, control }: Cluster): Promise<void> {
  query("alter system set archive_command = 'false'")
  control('reload')
  await expect.poll(() => query('show archive_command')).toBe('false')
  query('insert into accounts.account values (3); select pg_switch_wal()')
}

function expectOnlyEncryptedFiles(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const others = files.filter((file) => !/\.(age|sha256|first-wal)$/.test(file))
  expect(others.toSorted()).toEqual(['accounts', 'base', 'wal'])
}

const UNENCRYPTED = { title: 'an unencrypted backup', isEncrypted: false }
const ENCRYPTED = { title: 'a backup that is encrypted with age', isEncrypted: true }
/** Both go through the same steps, and each takes half a minute, so the short run includes only one of them. */
const BACKUPS = chooseBySize({ short: [ENCRYPTED], long: [UNENCRYPTED, ENCRYPTED] })

describe.skipIf(!existsSync(PROGRAM))("Restoring a cluster in Debian's layout", () => {
  it.each(BACKUPS)(
    'restores data and configuration from $title',
    async ({ isEncrypted }) => {
      const cluster = await createBackedUpCluster(isEncrypted)
      const { home, run, control, create, configuration, keys, query } = cluster
      if (isEncrypted) expectOnlyEncryptedFiles(join(home, 'backups'))
      expect(readStatus(cluster)).toMatchObject({ isArchiving: 1, waitingSeconds: 0 })
      expect(readStatus(cluster).endedAt).toBeGreaterThan(Date.now() / 1000 - 120)
      await breakArchiving(cluster)
      await expect.poll(() => readStatus(cluster).waitingSeconds, { timeout: 100_000 }).toBeGreaterThan(0)
      destroy(cluster)

      run(script('restore.sh'), '--pgdata', join(home, 'data'), '--from', join(home, 'backups'), ...keys.restore)
      create()
      control('start')

      await expect.poll(() => query('select pg_is_in_recovery()'), { timeout: 100_000 }).toBe('f')
      expect(query('select id from accounts.account order by id')).toBe('1\n2')
      expect(query('show vis.note')).toBe("it's \\ kept")
      expect(query('show config_file')).toBe(join(configuration, 'postgresql.conf'))
      expect(readFileSync(join(configuration, 'pg_hba.conf'), 'utf8')).toContain('host vis ada 192.0.2.1/32 reject')
      // The restored configuration enables archive_mode, and restore.sh has switched it off.
      expect(readStatus(cluster)).toMatchObject({ isArchiving: 0 })
    },
    120_000,
  )
})

type Program = 'age' | 'gpg'

/** Creates a key pair and returns the file with recipients and the identity. */
function createPair(program: Program): { readonly recipients: string; readonly identity: string } {
  const folder = createServerFolder()
  const [recipients, identity] = [join(folder, 'recipients'), join(folder, 'identity')]
  const run = (file: string, ...args: readonly string[]) => runAsServerUser(file, args, { HOME: folder })
  if (program === 'age') {
    run('age-keygen', '-o', identity)
    writeFileSync(recipients, run('age-keygen', '-y', identity))
  } else {
    run('mkdir', '--mode', '700', identity)
    run('gpg', '--homedir', identity, '--batch', '--passphrase', '', '--quick-generate-key', 'vis', 'future-default')
    writeFileSync(recipients, run('gpg', '--homedir', identity, '--export', '--armor'))
  }
  return { recipients, identity }
}

/** Returns the exit code of a program. */
function exitCodeOf(file: string, ...args: readonly string[]): number {
  try {
    runAsServerUser(file, args, {})
    return 0
  } catch (error) {
    return error instanceof Error && 'status' in error ? Number(error.status) : -1
  }
}

describe.each<Program>(['age', 'gpg'])('WAL segments encrypted with %s', (program) => {
  const isMissing = !existsSync(`/usr/bin/${program}`)

  it.skipIf(isMissing)(
    'are archived once, decrypted with the right key, and end the recovery with a wrong key',
    () => {
      const { recipients, identity } = createPair(program)
      const folder = createServerFolder()
      const [segment, restored, archive] = [join(folder, 'segment'), join(folder, 'restored'), join(folder, 'wal')]
      const store = () => exitCodeOf(script('archive-wal.sh'), segment, archive, '0001', recipients)
      const fetch = (name: string, key: string) => exitCodeOf(script('fetch-wal.sh'), archive, name, restored, key)
      writeFileSync(segment, 'the content of a segment')

      expect(store()).toBe(0)
      expect(readFileSync(join(archive, `0001.${program}`), 'latin1')).not.toContain('the content')
      expect(store()).toBe(0)
      expect(fetch('0001', identity)).toBe(0)
      expect(readFileSync(restored, 'utf8')).toBe('the content of a segment')
      expect(fetch('0002', identity)).toBe(1)
      // PostgreSQL ends the recovery with an error if the exit code is above 125.
      expect(fetch('0001', createPair(program).identity)).toBe(150)
      writeFileSync(segment, 'the content of another segment')
      expect(store()).toBe(1)
    },
    60_000,
  )
})

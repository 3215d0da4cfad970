import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import type { CommandOutcome } from '../support/processes/command.ts'
import { runCommand } from '../support/run-command.ts'

const { url, name } = await createTestDatabase()
const owner = new Client({ connectionString: url })
await owner.connect()

/** Creates a login with one role and returns its URL. */
async function createLogin(role: string): Promise<string> {
  const login = `${name}_${role}`
  await owner.query(`create role ${login} login in role ${role}`)
  cleanUpAfterTests(async () => {
    await owner.query(`drop owned by ${login}; drop role ${login}`)
  })
  return Object.assign(new URL(url), { username: login }).href
}
cleanUpAfterTests(() => owner.end())

const logins = {
  vis_api: await createLogin('vis_api'),
  vis_feeds: await createLogin('vis_feeds'),
  vis_identity: await createLogin('vis_identity'),
  vis_jobs: await createLogin('vis_jobs'),
  vis_notify: await createLogin('vis_notify'),
  vis_migrate: await createLogin('vis_migrate'),
}
const FEED_COMMANDS = ['feeds', `sync kev --from ${tmpdir()}`, 'catalog publish']
const MIGRATE_COMMANDS = ['migrate --check', 'accounts list', 'keys list --account 1', 'audit export', 'usage 1']

describe('A command with a login that lacks a permission', () => {
  it.each(FEED_COMMANDS)('names the role vis_feeds: %s', async (command) => {
    const { code, stderr } = await runCommand(command.split(' '), { DATABASE_URL: logins.vis_api })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^PostgreSQL refuses access \(permission denied .*\)\. vis-server \w+ needs a login with the role vis_feeds in DATABASE_URL\.\n$/,
      ),
    ])
  })

  it.each(MIGRATE_COMMANDS)('names the role vis_migrate: %s', async (command) => {
    const { code, stderr } = await runCommand(command.split(' '), { DATABASE_URL: logins.vis_feeds })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^PostgreSQL refuses access .* needs a login with the role vis_migrate in .*DATABASE_URL\.\n$/,
      ),
    ])
  })

  it('names the role vis_identity: identity', async () => {
    const settings = { LOG_LEVEL: 'silent', DATABASE_URL: logins.vis_feeds }
    const { code, stderr } = await runCommand(['identity'], settings)
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('vis-server identity needs a login with the role vis_identity in IDENTITY_DATABASE_URL'),
    ])
  })

  it.each(['jobs', 'jobs list', 'jobs dead', 'jobs retry --all'])('names the role vis_jobs: %s', async (command) => {
    const settings = { LOG_LEVEL: 'silent', DATABASE_URL: logins.vis_feeds }
    const { code, stderr } = await runCommand(command.split(' '), settings)
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('vis-server jobs needs a login with the role vis_jobs in JOBS_DATABASE_URL'),
    ])
  })

  it('names the role vis_api: serve', async () => {
    const settings = { CURSOR_SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent', DATABASE_URL: logins.vis_feeds }
    const { code, stderr } = await runCommand(['serve'], settings)
    expect([code, stderr]).toEqual([1, expect.stringContaining('needs a login with the role vis_api in DATABASE_URL.')])
  })
})

/** Creates a folder with the structure of a release, and a folder with the files of /etc/vis. */
async function createRelease() {
  const folder = await mkdtemp(join(tmpdir(), 'vis-release-'))
  cleanUpAfterTests(() => rm(folder, { recursive: true }))
  const inRepository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
  const [program, settings] = [join(folder, 'bin/vis-server'), join(folder, 'etc')]
  await mkdir(join(folder, 'bin'))
  await mkdir(settings)
  await copyFile(inRepository('deploy/vis-server.sh'), program)
  await symlink(process.execPath, join(folder, 'bin/node'))
  await symlink(inRepository('service'), join(folder, 'service'))
  await writeFile(join(settings, 'vis.env'), 'NODE_ENV=test\n')
  await writeFile(join(settings, 'api-database-url'), logins.vis_api)
  await writeFile(join(settings, 'worker-database-url'), logins.vis_feeds)
  await writeFile(join(settings, 'identity-database-url'), logins.vis_identity)
  await writeFile(join(settings, 'jobs-database-url'), logins.vis_jobs)
  await writeFile(join(settings, 'notify-database-url'), logins.vis_notify)
  await writeFile(join(settings, 'migrate-database-url'), `${logins.vis_migrate}\n`)
  await chmod(program, 0o755)
  return { program, settings }
}

describe('bin/vis-server in a release', async () => {
  const { program, settings } = await createRelease()
  const run = (...args: readonly string[]): Promise<CommandOutcome> =>
    new Promise((resolve) => {
      const env = { PATH: process.env['PATH'], VIS_CONFIG_DIRECTORY: settings }
      execFile(program, args, { cwd: settings, env }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      )
    })

  it('uses the migration login for accounts, and the settings in vis.env', async () => {
    const created = await run('accounts', 'create', '--name', 'Ada', '--plan', 'free')
    expect(created).toMatchObject({ code: 0, stdout: '1\n' })
    // In production, which is the default, the key would begin with vis_live_.
    expect((await run('keys', 'issue', '--account', '1')).stdout).toMatch(/^vis_test_/)
  })

  it('uses the worker login for feeds', async () => {
    expect(await run('feeds')).toMatchObject({ code: 0, stdout: expect.stringContaining('never run') })
  })

  it('uses the login for jobs', async () => {
    expect(await run('jobs', 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining('QUEUE') })
  })

  it('prints its version without any settings', async () => {
    expect(await run('--version')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })

  it('names the missing file', async () => {
    await rm(join(settings, 'worker-database-url'))
    expect(await run('feeds')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${settings}/worker-database-url does not exist or is not readable for`),
    })
  })

  it('needs no login to download files and to create keys', async () => {
    const { code, stderr } = await run('feeds', 'key', '--to', settings)
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${settings}/bundle-private.pem`)])
  })
})

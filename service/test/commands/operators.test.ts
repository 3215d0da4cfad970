import { describe, expect, it } from 'vitest'
import { createEmptyDatabase } from '../support/database.ts'
import { runCommand } from '../support/run-command.ts'
import { startTestService } from '../support/service.ts'

const { api, environment } = await startTestService()
const run = (...args: string[]) => runCommand(args, environment)

describe('vis-server accounts create and keys issue', () => {
  it('creates an account and a key that works at once', async () => {
    const account = await run('accounts', 'create', '--name', 'Ada', '--plan', 'free')
    const key = await run('keys', 'issue', '--account', account.stdout.trim())

    expect(account).toMatchObject({ code: 0, stderr: expect.stringContaining('Issue a key: vis-server keys issue') })
    expect(key).toMatchObject({ code: 0, stdout: expect.stringMatching(/^vis_test_\w{49}\n$/) })
    expect((await api.get('/api/v1/ping-lite', { key: key.stdout.trim() })).headers['x-rate-limit-remaining']).toBe(
      '60',
    )
  })
})

describe('vis-server: any command', () => {
  it('prints only JSON with --json', async () => {
    const account = await run('accounts', 'create', '--name', 'Ada', '--plan', 'pro', '--json')
    const { id } = JSON.parse(account.stdout)
    const key = await run('keys', 'issue', '--account', id, '--json')

    expect(account).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(/^\{"id":"\d+",.*\}\n$/) })
    expect(key).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(/^\{.*"key":"vis_test_\w{49}"\}\n$/) })
  })

  it('suggests a command for a misspelled one', async () => {
    const { code, stdout, stderr } = await run('serv')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('Did you mean serve?')
  })
})

describe('vis-server migrate', () => {
  it('fails with --check before the migration and succeeds after it', async () => {
    const { url } = await createEmptyDatabase()
    const runOn = (...args: string[]) => runCommand(args, { DATABASE_URL: url })

    const before = await runOn('migrate', '--check')
    const applying = await runOn('migrate')
    const after = await runOn('migrate', '--check')

    expect([before.code, before.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Migrations are pending in catalog: 0001_feeds_and_datasets, 0002_source_tables, .*\. Run: vis-server migrate/,
      ),
    ])
    expect(applying.stdout).toContain('accounts/0002_keys_and_admissions applied')
    expect([after.code, after.stdout]).toEqual([0, expect.stringContaining('catalog is up to date')])
  })

  it('creates a missing database with --create-database', async () => {
    const { url } = await createEmptyDatabase()
    const missing = `${url}_later`
    const before = await runCommand(['migrate'], { DATABASE_URL: missing })
    const created = await runCommand(['migrate', '--create-database'], { DATABASE_URL: missing })

    expect([before.code, before.stderr]).toEqual([1, expect.stringContaining('vis-server migrate --create-database')])
    expect(created.code).toBe(0)
  })

  it('migrates accounts in a separate database if ACCOUNTS_DATABASE_URL names one', async () => {
    const [catalog, accounts] = [await createEmptyDatabase(), await createEmptyDatabase()]
    const apart = {
      DATABASE_URL: catalog.url,
      ACCOUNTS_DATABASE_URL: accounts.url,
      ACCOUNTS_DATABASE_OWNER_URL: accounts.url,
    }
    await runCommand(['migrate'], apart)

    const { code } = await runCommand(['accounts', 'create', '--name', 'Ada', '--plan', 'free'], apart)
    const inCatalog = await runCommand(['accounts', 'create', '--name', 'Ada', '--plan', 'free'], {
      DATABASE_URL: catalog.url,
    })

    expect(code).toBe(0)
    expect(inCatalog.stderr).toContain('accounts.account')
  })
})

describe('vis-server serve', () => {
  it('does not start while migrations are pending', async () => {
    const { url } = await createEmptyDatabase()
    const { code, stderr } = await runCommand(['serve'], {
      DATABASE_URL: url,
      PORT: '0',
      OPS_PORT: '0',
      LOG_LEVEL: 'silent',
    })
    expect([code, stderr]).toEqual([1, expect.stringContaining('Run "vis-server migrate" first')])
  })

  it('does not start with a database that does not exist', async () => {
    const { code, stderr } = await runCommand(['serve'], {
      ...environment,
      DATABASE_URL: `${environment['DATABASE_URL']}_nowhere`,
      PORT: '0',
      OPS_PORT: '0',
      LOG_LEVEL: 'silent',
    })
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not exist')])
  })

  it('does not start with an invalid configuration', async () => {
    const { code, stderr } = await runCommand(['serve'], { PORT: 'x' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('DATABASE_URL is missing')])
  })
})

describe('vis-server openapi', () => {
  it('prints the document that the API serves at /openapi.json', async () => {
    expect(JSON.parse((await run('openapi')).stdout)).toEqual((await api.get('/openapi.json', { key: null })).json)
  })
})

import { describe, expect, it } from 'vitest'
import { emptyDatabase } from '../support/database.ts'
import { visServer } from '../support/processes/command.ts'
import { testService } from '../support/service.ts'

const { api, environment } = await testService()
const run = (...args: string[]) => visServer(args, environment)

describe('vis-server accounts create, keys issue', () => {
  it('make an account and a key that works at once', async () => {
    const account = await run('accounts', 'create', '--name', 'Ada', '--plan', 'free')
    const key = await run('keys', 'issue', '--account', account.stdout.trim())

    expect(account).toMatchObject({ code: 0, stderr: expect.stringContaining('Next: vis-server keys issue') })
    expect(key).toMatchObject({ code: 0, stdout: expect.stringMatching(/^vis_test_\w{49}\n$/) })
    expect((await api.get('/api/v1/ping-lite', { key: key.stdout.trim() })).headers['x-rate-limit-remaining']).toBe(
      '60',
    )
  })
})

describe('vis-server', () => {
  it('prints JSON for scripts, and nothing else', async () => {
    const account = await run('accounts', 'create', '--name', 'Ada', '--plan', 'pro', '--json')
    const { id } = JSON.parse(account.stdout)
    const key = await run('keys', 'issue', '--account', id, '--json')

    expect(account).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(/^\{"id":"\d+",.*\}\n$/) })
    expect(key).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(/^\{.*"key":"vis_test_\w{49}"\}\n$/) })
  })

  it('knows what was probably meant', async () => {
    const { code, stdout, stderr } = await run('serv')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('Did you mean serve?')
  })
})

describe('vis-server migrate', () => {
  it('--check fails before, and passes after', async () => {
    const { url } = await emptyDatabase()
    const on = (...args: string[]) => visServer(args, { DATABASE_URL: url })

    const before = await on('migrate', '--check')
    const applying = await on('migrate')
    const after = await on('migrate', '--check')

    expect([before.code, before.stderr]).toEqual([
      1,
      expect.stringMatching(/0001_schemas, 0002_dataset, .* not applied\. Run: vis-server migrate/),
    ])
    expect(applying.stdout).toContain('accounts/0002_account_and_key applied')
    expect([after.code, after.stdout]).toEqual([0, expect.stringContaining('catalog is up to date')])
  })

  it('--create-database makes the database that is missing', async () => {
    const { url } = await emptyDatabase()
    const missing = `${url}_later`
    const before = await visServer(['migrate'], { DATABASE_URL: missing })
    const created = await visServer(['migrate', '--create-database'], { DATABASE_URL: missing })

    expect([before.code, before.stderr]).toEqual([1, expect.stringContaining('vis-server migrate --create-database')])
    expect(created.code).toBe(0)
  })

  it('puts accounts into a database of their own, if they have one', async () => {
    const [catalog, accounts] = [await emptyDatabase(), await emptyDatabase()]
    const apart = {
      DATABASE_URL: catalog.url,
      ACCOUNTS_DATABASE_URL: accounts.url,
      ACCOUNTS_DATABASE_OWNER_URL: accounts.url,
    }
    await visServer(['migrate'], apart)

    const { code } = await visServer(['accounts', 'create', '--name', 'Ada', '--plan', 'free'], apart)
    const inCatalog = await visServer(['accounts', 'create', '--name', 'Ada', '--plan', 'free'], {
      DATABASE_URL: catalog.url,
    })

    expect(code).toBe(0)
    expect(inCatalog.stderr).toContain('accounts.account')
  })
})

describe('vis-server serve', () => {
  it('does not start on a schema it does not know', async () => {
    const { url } = await emptyDatabase()
    const { code, stderr } = await visServer(['serve'], { DATABASE_URL: url, PORT: '0', OPS_PORT: '0' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('run "vis-server migrate" first')])
  })

  it('does not start with a database that is not there', async () => {
    const { code, stderr } = await visServer(['serve'], {
      ...environment,
      DATABASE_URL: `${environment['DATABASE_URL']}_nowhere`,
      PORT: '0',
      OPS_PORT: '0',
    })
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not exist')])
  })

  it('does not start with a configuration it cannot use', async () => {
    const { code, stderr } = await visServer(['serve'], { PORT: 'x' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('DATABASE_URL is missing')])
  })
})

describe('vis-server openapi', () => {
  it('prints the document that the service serves', async () => {
    expect(JSON.parse((await run('openapi')).stdout)).toEqual((await api.get('/openapi.json', { key: null })).json)
  })
})

import { describe, expect, it } from 'vitest'
import { visServer } from '../support/command.ts'
import { emptyDatabase } from '../support/database.ts'
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

  it('print JSON for scripts', async () => {
    const account = JSON.parse((await run('accounts', 'create', '--name', 'Ada', '--plan', 'pro', '--json')).stdout)
    const key = JSON.parse((await run('keys', 'issue', '--account', account.id, '--json')).stdout)

    expect(account).toEqual({ id: expect.any(String), name: 'Ada', plan: 'pro' })
    expect(key).toEqual({ id: expect.any(String), key: expect.stringMatching(/^vis_test_/) })
  })

  it('issue vis_live_ keys in production only', async () => {
    const { stdout: id } = await run('accounts', 'create', '--name', 'Ada', '--plan', 'pro')
    const key = await visServer(['keys', 'issue', '--account', id.trim()], { ...environment, NODE_ENV: 'production' })
    expect(key.stdout).toMatch(/^vis_live_/)
  })

  it.each([
    [['keys', 'issue', '--account', '999999'], 'There is no account 999999. Make one: vis-server accounts create'],
    [['keys', 'issue', '--account', 'Ada'], '--account takes the number of an account, not "Ada"'],
    [['accounts', 'create', '--name', 'Ada', '--plan', 'gold'], 'Allowed choices are free, pro, business, enterprise'],
    [['accounts', 'create', '--plan', 'free'], "required option '--name <name>' not specified"],
    [['serv'], 'Did you mean serve?'],
  ])('%j: says what to do, and fails', async (args, sentence) => {
    const { code, stderr, stdout } = await run(...args)
    expect([code === 0, stdout]).toEqual([false, ''])
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('    at ')
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
      expect.stringContaining('0001_schemas, 0002_dataset not applied. Run: vis-server migrate'),
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

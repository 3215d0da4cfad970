import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { visServer } from '../support/processes/command.ts'
import { startProcess } from '../support/processes/server-process.ts'

const { url } = await testDatabase()
const secret = 'x'.repeat(32)
const usual = { DATABASE_URL: url, REDIS_URL: inject('redisUrl'), PORT: '0', OPS_PORT: '0', CURSOR_SECRET: secret }

const holder = await new Promise<Server>((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => resolve(server))
})
afterAll(() => void holder.close())
const taken = String((holder.address() as AddressInfo).port)

// A process that hangs is ended by visServer itself, after longer than this.
const ENDS_WITHIN_MS = 15_000

async function start(environment: Record<string, string>, ...args: readonly string[]) {
  const started = performance.now()
  const outcome = await visServer(args.length > 0 ? args : ['serve'], { ...usual, ...environment })
  expect(outcome.stderr).not.toContain('    at ')
  expect(performance.now() - started).toBeLessThan(ENDS_WITHIN_MS)
  return outcome
}

describe('A start that fails ends the process, and says why without a stack', () => {
  it.each(['PORT', 'OPS_PORT'])('%s is taken', async (name) => {
    const { code, stdout, stderr } = await start({ [name]: taken })
    expect([code, stderr]).toEqual([
      1,
      `Port ${taken} on 127.0.0.1 is taken: choose another PORT, OPS_PORT or WORKER_OPS_PORT, or stop whoever has it.\n`,
    ])
    expect(stdout).not.toContain('"msg":"serving"')
  })

  it.each(['HOST', 'OPS_HOST'])('%s is no address of this machine', async (name) => {
    const { code, stderr } = await start({ [name]: '192.0.2.1' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('is HOST or OPS_HOST an address of this machine?')])
  })

  it('a host name is unknown', async () => {
    const { code, stderr } = await start({ HOST: 'no such host' })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^A host name cannot be resolved \(.*no such host\)/)])
  })

  it('a range of proxies is none', async () => {
    const { code, stderr } = await start({ TRUST_PROXY: '10.0.0.0/99' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('TRUST_PROXY must be')])
  })

  it('nodes in production would not know the cursors of one another', async () => {
    const { code, stderr } = await start({ CURSOR_SECRET: '' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('CURSOR_SECRET is missing')])
  })

  it('the login is refused', async () => {
    const stranger = new URL(url)
    stranger.username = 'vis_test_nobody'
    const { code, stderr } = await start({ DATABASE_URL: stranger.href })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^PostgreSQL refuses the login .*DATABASE_URL\.\n$/)])
  })
})

describe('A command that cannot be run says why without a stack', () => {
  it.each(['constructor', '__proto__', 'toString'])('%s is no command', async (name) => {
    const { code, stderr } = await start({}, name)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`unknown command '${name}'`)])
  })

  it('the socket of PostgreSQL is absent', async () => {
    const { code, stderr } = await start({ DATABASE_URL: 'postgres://postgres@/vis?host=/nowhere' }, 'migrate')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^PostgreSQL cannot be used just now \(connect ENOENT/)])
  })
})

describe('A database that is away does not keep a node from starting', () => {
  it.each([
    ['nobody listens', 'postgres://postgres@127.0.0.1:1/vis'],
    ['its socket is absent', 'postgres://postgres@/vis?host=/nowhere'],
  ])('%s', async (_, away) => {
    const node = await startProcess({ environment: { ...usual, DATABASE_URL: away, DRAIN_DELAY_MS: '0' } })
    const { status } = await fetch(`http://127.0.0.1:${node.port}/health`)
    expect(status).toBe(503)
    expect(await node.stop()).toBe(0)
  })
})

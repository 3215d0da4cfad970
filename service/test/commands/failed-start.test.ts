import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { spawnCommand } from '../support/processes/command.ts'
import { startProcess } from '../support/processes/server-process.ts'
import { runCommand } from '../support/run-command.ts'

const { url } = await createTestDatabase()
const secret = 'x'.repeat(32)
const validSettings = {
  DATABASE_URL: url,
  REDIS_URL: inject('redisUrl'),
  PORT: '0',
  OPS_PORT: '0',
  CURSOR_SECRET: secret,
}

const occupier = await new Promise<Server>((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => resolve(server))
})
afterAll(() => void occupier.close())
const usedPort = String((occupier.address() as AddressInfo).port)

/**
 * Maximum time for a process to exit. It is shorter than the time after which spawnCommand kills a process that hangs.
 */
const EXIT_TIMEOUT_MS = 60_000

/** Runs a vis-server command that must fail, and checks that the command prints no stack trace. */
async function runFailing(environment: Record<string, string>, ...args: readonly string[]) {
  const command = args.length > 0 ? args : ['serve']
  const outcome = await runCommand(command, { ...validSettings, LOG_LEVEL: 'silent', ...environment })
  expect(outcome.stderr).not.toContain('    at ')
  return outcome
}

describe('vis-server serve: failed start', () => {
  it.each(['PORT', 'OPS_PORT'])('exits with code 1 if %s is in use', async (name) => {
    const startedAt = performance.now()
    const { code, stdout, stderr } = await spawnCommand(['serve'], { ...validSettings, [name]: usedPort })
    expect([code, stderr]).toEqual([
      1,
      `Port ${usedPort} on 127.0.0.1 is in use. Choose another PORT, OPS_PORT or WORKER_OPS_PORT, or stop the program that uses it.\n`,
    ])
    expect(stdout).not.toContain('"msg":"serving"')
    expect(performance.now() - startedAt).toBeLessThan(EXIT_TIMEOUT_MS)
  })

  it.each(['HOST', 'OPS_HOST'])('fails if %s is not an address of this computer', async (name) => {
    const { code, stderr } = await runFailing({ [name]: '192.0.2.1' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('Set HOST and OPS_HOST to addresses of this computer.')])
  })

  it('fails if the host name cannot be resolved', async () => {
    const { code, stderr } = await runFailing({ HOST: 'no such host' })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^A host name cannot be resolved \(.*no such host\)/)])
  })

  it('fails if TRUST_PROXY contains an invalid address range', async () => {
    const { code, stderr } = await runFailing({ TRUST_PROXY: '10.0.0.0/99' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('TRUST_PROXY must be')])
  })

  it('fails without CURSOR_SECRET in production', async () => {
    const { code, stderr } = await runFailing({ CURSOR_SECRET: '' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('CURSOR_SECRET is missing')])
  })

  it('fails if PostgreSQL refuses the login', async () => {
    const unknownLogin = new URL(url)
    unknownLogin.username = 'vis_test_nobody'
    const { code, stderr } = await runFailing({ DATABASE_URL: unknownLogin.href })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^PostgreSQL refuses the login .*DATABASE_URL\.\n$/)])
  })
})

describe('vis-server: errors in any command', () => {
  it.each(['constructor', '__proto__', 'toString'])(
    'rejects %s, a property of every object, as an unknown command',
    async (name) => {
      const { code, stderr } = await runFailing({}, name)
      expect([code, stderr]).toEqual([1, expect.stringContaining(`unknown command '${name}'`)])
    },
  )

  it('explains that the PostgreSQL unix socket does not exist', async () => {
    const { code, stderr } = await runFailing({ DATABASE_URL: 'postgres://postgres@/vis?host=/nowhere' }, 'migrate')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^PostgreSQL is not available \(connect ENOENT/)])
  })
})

describe('vis-server serve: unreachable database', () => {
  it.each([
    ['the port of PostgreSQL is closed', 'postgres://postgres@127.0.0.1:1/vis'],
    ['the unix socket of PostgreSQL does not exist', 'postgres://postgres@/vis?host=/nowhere'],
  ])('starts and reports degraded on /health if %s', async (_, unreachableUrl) => {
    const node = await startProcess({
      environment: { ...validSettings, DATABASE_URL: unreachableUrl, DRAIN_DELAY_MS: '0' },
    })
    const response = await fetch(`http://127.0.0.1:${node.port}/health`)
    expect([response.status, await response.json()]).toMatchObject([200, { status: 'degraded' }])
    expect(await node.stop()).toBe(0)
  })
})

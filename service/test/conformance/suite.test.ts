// The conformance suite must run against any service from a copy of its folder, so the suite imports nothing from
// outside its folder.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { runSuite as runChecks, selectChecks } from '../../../conformance/lib/suite.mjs'

const SUITE = join(import.meta.dirname, '../../../conformance')
const FILES = globSync('**/*.mjs', { cwd: SUITE })
const IMPORT = /^(?:import|export) [^'"]*?from '([^']+)'/gm

const findImports = (file: string) =>
  Array.from(readFileSync(join(SUITE, file), 'utf8').matchAll(IMPORT), ([, name = '']) => name)

const runSuite = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [join(SUITE, 'run.mjs'), ...args])

describe('Conformance suite', () => {
  it('lists its checks without a service', async () => {
    const { stdout } = await runSuite('--list', '--only', '^paging: d9')

    expect(stdout).toMatch(/^Paging: D9 an exactly full last page has hasMore false and no nextCursor\n/)
    expect(stdout).toMatch(/\n3 checks\n$/)
  })

  it('prints its usage and exits with code 2 if the address of the service is missing', async () => {
    await expect(runSuite('--keys', 'keys.json')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^usage: node conformance\/run\.mjs --url /),
    })
  })

  it.each(['90', '-3600', '-30d'])('accepts the clock offset %s', async (offset) => {
    const { stdout } = await runSuite('--list', '--clock-offset', offset)

    expect(stdout.trim().split('\n')).toHaveLength(selectChecks().length + 1)
  })

  it.each(['1h', '', '--list'])('rejects the clock offset "%s" with exit code 2', async (offset) => {
    await expect(runSuite('--list', '--clock-offset', offset)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`not "${offset}"`),
    })
  })

  it('names the endpoints in openapi.json for which no check got a 2xx response', async () => {
    const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      // The address of a server that listens on a port is an object.
      const { port } = server.address() as AddressInfo
      const checks = selectChecks('^Service: D15 health needs no key')
      const { unanswered } = await runChecks({ url: `http://127.0.0.1:${port}`, keys: {}, checks })
      expect(unanswered).not.toContain('GET /health')
      expect(unanswered).toContain('POST /api/v1/keys')
    } finally {
      server.close()
    }
  })

  it('runs the checks in every file in its folder "checks"', () => {
    const imported = findImports('lib/suite.mjs').filter((name) => name.startsWith('../checks/'))

    expect(imported.map((name) => name.slice('../'.length)).sort()).toEqual(
      FILES.filter((file) => file.startsWith('checks/')).sort(),
    )
  })

  it('has more than 30 modules with more than 100 imports, so that the test of its imports is meaningful', () => {
    expect(FILES.length).toBeGreaterThan(30)
    expect(FILES.flatMap(findImports).length).toBeGreaterThan(100)
  })

  it.each(FILES)('imports only Node.js modules and modules from its own folder in %s', (file) => {
    const foreign = findImports(file).filter((name) => {
      if (name.startsWith('node:')) return false
      const target = relative(SUITE, join(SUITE, dirname(file), name))
      return !name.startsWith('.') || target.startsWith('..')
    })

    expect(foreign).toEqual([])
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { buildGetRequest, buildPostRequest } from '../../../service/test/support/load/connection.ts'
import { createWrkClient, findWrk } from './wrk.ts'

const program = findWrk(undefined, process.env['PATH'])
if (program === undefined) process.stderr.write("SKIPPED: tests of the load generator: install Debian's package wrk\n")

describe('Load generator wrk', () => {
  it('is not found if PATH does not contain it', () => {
    expect(findWrk(undefined, '/nonexistent')).toBeUndefined()
  })

  it('is an error if WRK names a program that does not exist', () => {
    expect(() => findWrk('/nonexistent/wrk', process.env['PATH'])).toThrow('WRK is /nonexistent/wrk')
  })

  it.skipIf(program === undefined)('sends all requests in turn and counts refused ones as failures', async () => {
    const counts = new Map<string, number>()
    const server = createServer((request, response) => {
      const text = `${request.method} ${request.url} ${String(request.headers['x-api-key'])}`
      counts.set(text, (counts.get(text) ?? 0) + 1)
      response.statusCode = request.url === '/refused' ? 503 : 200
      request.resume().once('end', () => response.end('{}'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanUpAfterTests(() => server.close())
    const folder = mkdtempSync(join(tmpdir(), 'vis-wrk-'))
    cleanUpAfterTests(() => rmSync(folder, { recursive: true }))
    const requests = [
      buildGetRequest('/a', 'k1'),
      buildPostRequest('/b', 'k2', '{"c":1}'),
      buildGetRequest('/refused', 'k3'),
    ]
    const { port } = server.address() as AddressInfo
    const load = await createWrkClient(program ?? '', folder).prepare(port, 4, requests)

    const { calls, failures, seconds } = await load.run(1000)

    expect(calls).toBeGreaterThan(30)
    expect(failures / calls).toBeCloseTo(1 / 3, 1)
    expect(seconds).toBeCloseTo(1, 0)
    expect([...counts.keys()].toSorted()).toEqual(['GET /a k1', 'GET /refused k3', 'POST /b k2'])
  })
})

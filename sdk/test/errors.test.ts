import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../service/test/support/builders.ts'
import { cleanUpAfterTests } from '../../service/test/support/cleanup.ts'
import { createClient, isVisError, type VisError } from '../src/index.ts'
import { SAMPLE_CVES, startSdkSetup } from './sdk-setup.ts'

const service = await startSdkSetup()
await service.given(...SAMPLE_CVES)
const client = await service.client()

/** Returns the VisError that a call rejects with. */
async function catchError(call: Promise<unknown>): Promise<VisError> {
  const error: unknown = await call.then(
    () => expect.unreachable('the call succeeded'),
    (thrown: unknown) => thrown,
  )
  if (!isVisError(error)) throw error
  return error
}

/** Starts an HTTP server that is not the service, and returns its URL. */
async function startOtherServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  cleanUpAfterTests(() => server.closeAllConnections())
  cleanUpAfterTests(() => server.close())
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

describe('SDK: errors from the service', () => {
  it('sets the code, status, parameter, value, issues, suggestion and correlation id of a VisError', async () => {
    // @ts-expect-error The parameter is misspelled, which plain JavaScript would accept.
    const error = await catchError(client.search({ severty: 'high', sort: 'epss' }).page())

    expect(error).toMatchObject({
      name: 'VisError',
      code: 'INVALID_PARAMETER',
      status: 400,
      parameter: 'sort',
      value: 'epss',
      didYouMean: expect.any(String),
      correlationId: expect.stringMatching(/^req_/),
    })
    expect(error.issues.map(({ parameter }) => parameter)).toEqual(['sort', 'severty'])
    expect(error.issues[1]?.suggestion).toBe('severity')
  })

  it('rejects with NOT_FOUND for an unknown CVE', async () => {
    expect(await catchError(client.cve('CVE-1999-0001'))).toMatchObject({ code: 'NOT_FOUND', status: 404, issues: [] })
  })

  it('reports why the service rejected a key', async () => {
    const revoked = createTestKey()
    await service.given(account('pro').withKey(revoked, { revoked: true }))
    const error = await catchError(createClient({ url: service.url, apiKey: revoked.key }).usage())

    expect(isVisError(error, 'UNAUTHORIZED') && error.details.reason).toBe('revoked')
    expect(isVisError(error, 'NOT_FOUND')).toBe(false)
  })

  it('reports which plan a call requires', async () => {
    const error = await catchError(client.detail('CVE-2021-44228', { vendor: 'redhat' }))

    expect(isVisError(error, 'FORBIDDEN') && error.details.required_plan).toBe('enterprise')
  })

  it('reports the time of the credit reset and does not retry the call', async () => {
    const poor = await service.client({ creditsLeft: 3 })
    service.responses.length = 0
    const error = await catchError(poor.cve('CVE-2021-44228'))

    expect(error).toMatchObject({ code: 'CREDIT_LIMIT_EXCEEDED', status: 429, retryAfter: expect.any(Number) })
    expect(isVisError(error, 'CREDIT_LIMIT_EXCEEDED') && error.details).toMatchObject({
      credits_limit: 30_000,
      credits_used: 29_997,
      reset_at: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00Z$/),
    })
    expect(service.responses).toHaveLength(1)
  })
})

describe('SDK: calls that end without a response from the service', () => {
  it('rejects with NETWORK_ERROR if no server is listening', async () => {
    const unreachable = createClient({ url: 'http://127.0.0.1:1', apiKey: '', retries: 0 })

    expect(await catchError(unreachable.health())).toMatchObject({
      code: 'NETWORK_ERROR',
      status: 0,
      message: /127\.0\.0\.1:1/,
    })
  })

  it('rejects with TIMEOUT if the response does not start or does not end in time', async () => {
    const silent = await startOtherServer(() => undefined)
    const slow = await startOtherServer((_, response) => void response.writeHead(200).write('{'))
    for (const url of [silent, slow]) {
      const error = await catchError(createClient({ url, apiKey: '', retries: 0, timeoutMs: 50 }).health())

      expect(error).toMatchObject({ code: 'TIMEOUT', status: 0, message: expect.stringContaining('50 ms') })
    }
  })

  it.each([
    [502, '<html>Bad gateway</html>'],
    [200, '<html>Please log in</html>'],
    [200, '[]'],
    [404, '{"detail":"unknown path"}'],
  ])('rejects with INVALID_RESPONSE for status %i and the body %s', async (status, body) => {
    const url = await startOtherServer((_, response) => void response.writeHead(status).end(body))

    expect(await catchError(createClient({ url, apiKey: '' }).ping())).toMatchObject({
      code: 'INVALID_RESPONSE',
      status,
    })
  })

  it('rejects a redirect instead of sending the key to another host', async () => {
    const redirected: unknown[] = []
    const target = await startOtherServer((request, response) => {
      redirected.push(request.headers)
      response.end('{}')
    })
    const url = await startOtherServer((_, response) => void response.writeHead(307, { Location: target }).end())
    const error = await catchError(createClient({ url, apiKey: 'vis_live_secret', retries: 0 }).usage())

    expect([error.code, redirected]).toEqual(['NETWORK_ERROR', []])
  })

  it("rejects with the signal's reason when it aborts a pending call", async () => {
    const url = await startOtherServer(() => undefined)
    const controller = new AbortController()
    const pending = createClient({ url, apiKey: '' }).usage({ signal: controller.signal })
    controller.abort(new Error('cancelled'))

    await expect(pending).rejects.toThrow('cancelled')
  })
})

describe('SDK: API key', () => {
  it('keeps the API key out of printed clients, errors and listings', async () => {
    const apiKey = 'vis_live_secret'
    const secretClient = createClient({ url: service.url, apiKey })
    const error = await catchError(secretClient.usage())

    expect(inspect([secretClient, error, secretClient.search()], { depth: 9, showHidden: true })).not.toContain(apiKey)
    expect(JSON.stringify([secretClient, error])).not.toContain(apiKey)
  })

  it('rejects a key with a line break without printing the key', () => {
    expect(() => createClient({ url: service.url, apiKey: 'vis_live_secret\n' })).toThrow(
      new TypeError('apiKey contains a character that no key has, perhaps a line break at the end'),
    )
  })
})

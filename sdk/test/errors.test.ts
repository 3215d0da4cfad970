import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { account, aKey } from '../../service/test/support/builders.ts'
import { atEnd } from '../../service/test/support/cleanup.ts'
import { createClient, isVisError, type VisError } from '../src/index.ts'
import { KNOWN, world } from './world.ts'

const service = await world()
await service.given(...KNOWN)
const client = await service.client()

/** What a call rejected with. */
async function failure(call: Promise<unknown>): Promise<VisError> {
  const error: unknown = await call.then(
    () => expect.unreachable('it succeeded'),
    (thrown: unknown) => thrown,
  )
  if (!isVisError(error)) throw error
  return error
}

/** Something that is not the service. */
async function stranger(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  atEnd(() => server.closeAllConnections())
  atEnd(() => server.close())
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

describe('an error of the service', () => {
  it('carries code, status, parameter, value, every fault, a guess and the correlation id', async () => {
    // @ts-expect-error a typo, as plain JavaScript would let it pass
    const error = await failure(client.search({ severty: 'high', sort: 'epss' }).page())

    expect(error).toMatchObject({
      name: 'VisError',
      code: 'INVALID_PARAMETER',
      status: 400,
      parameter: 'sort',
      value: 'epss',
      didYouMean: expect.any(String),
      correlationId: expect.stringMatching(/^req_/),
    })
    expect(error.faults.map(({ parameter }) => parameter)).toEqual(['sort', 'severty'])
    expect(error.faults[1]?.did_you_mean).toBe('severity')
  })

  it('tells an unknown CVE', async () => {
    expect(await failure(client.cve('CVE-1999-0001'))).toMatchObject({ code: 'NOT_FOUND', status: 404, faults: [] })
  })

  it('tells why a key is refused', async () => {
    const revoked = aKey()
    await service.given(account('pro').withKey(revoked, { revoked: true }))
    const error = await failure(createClient({ url: service.url, apiKey: revoked.key }).usage())

    expect(isVisError(error, 'UNAUTHORIZED') && error.details.reason).toBe('revoked')
    expect(isVisError(error, 'NOT_FOUND')).toBe(false)
  })

  it('tells which plan is needed', async () => {
    const error = await failure(client.detail('CVE-2021-44228', { vendor: 'redhat' }))

    expect(isVisError(error, 'FORBIDDEN') && error.details.required_plan).toBe('enterprise')
  })

  it('tells when credits come back, and is not tried again', async () => {
    const poor = await service.client({ creditsLeft: 3 })
    service.seen.length = 0
    const error = await failure(poor.cve('CVE-2021-44228'))

    expect(error).toMatchObject({ code: 'CREDIT_LIMIT_EXCEEDED', status: 429, retryAfter: expect.any(Number) })
    expect(isVisError(error, 'CREDIT_LIMIT_EXCEEDED') && error.details).toMatchObject({
      credits_limit: 30_000,
      credits_used: 29_997,
      reset_at: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00Z$/),
    })
    expect(service.seen).toHaveLength(1)
  })
})

describe('without an answer of the service', () => {
  it('is NETWORK_ERROR where nobody listens', async () => {
    const nobody = createClient({ url: 'http://127.0.0.1:1', apiKey: '', retries: 0 })

    expect(await failure(nobody.health())).toMatchObject({
      code: 'NETWORK_ERROR',
      status: 0,
      message: /127\.0\.0\.1:1/,
    })
  })

  it('is TIMEOUT where the answer does not come, or does not end', async () => {
    const silent = await stranger(() => undefined)
    const slow = await stranger((_, response) => void response.writeHead(200).write('{'))
    for (const url of [silent, slow]) {
      const error = await failure(createClient({ url, apiKey: '', retries: 0, timeoutMs: 50 }).health())

      expect(error).toMatchObject({ code: 'TIMEOUT', status: 0, message: expect.stringContaining('50 ms') })
    }
  })

  it.each([
    [502, '<html>Bad gateway</html>'],
    [200, '<html>Please log in</html>'],
    [200, '[]'],
    [418, '{"teapot":true}'],
  ])('is INVALID_RESPONSE where something else answers: %i %s', async (status, body) => {
    const url = await stranger((_, response) => void response.writeHead(status).end(body))

    expect(await failure(createClient({ url, apiKey: '' }).ping())).toMatchObject({ code: 'INVALID_RESPONSE', status })
  })

  it('never follows a redirection with the key', async () => {
    const asked: unknown[] = []
    const thief = await stranger((request, response) => {
      asked.push(request.headers)
      response.end('{}')
    })
    const url = await stranger((_, response) => void response.writeHead(307, { Location: thief }).end())
    const error = await failure(createClient({ url, apiKey: 'vis_live_secret', retries: 0 }).usage())

    expect([error.code, asked]).toEqual(['NETWORK_ERROR', []])
  })

  it('rejects with the reason of the signal while it waits', async () => {
    const url = await stranger(() => undefined)
    const controller = new AbortController()
    const asked = createClient({ url, apiKey: '' }).usage({ signal: controller.signal })
    controller.abort(new Error('gone home'))

    await expect(asked).rejects.toThrow('gone home')
  })
})

describe('the key', () => {
  it('is in nothing that can be printed', async () => {
    const apiKey = 'vis_live_secret'
    const kept = createClient({ url: service.url, apiKey })
    const error = await failure(kept.usage())

    expect(inspect([kept, error, kept.search()], { depth: 9, showHidden: true })).not.toContain(apiKey)
    expect(JSON.stringify([kept, error])).not.toContain(apiKey)
  })

  it('with a line break is refused at once, in words that do not repeat it', () => {
    expect(() => createClient({ url: service.url, apiKey: 'vis_live_secret\n' })).toThrow(
      new TypeError('apiKey holds a character that no key has; a line break at its end, perhaps?'),
    )
  })
})

// Tests of the tests: the helpers that everything else leans on must be able to say no.
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { ping } from '../../src/api/endpoints/ping/endpoint.ts'
import { register } from '../../src/api/register.ts'
import { judgeBy } from './schema-assertions.ts'

describe('The closed network', () => {
  it.each(['192.0.2.1', 'example.org', '2001:db8::1'])('refuses to connect to %s', (host) => {
    expect(() => connect(443, host)).toThrow('The network is closed in tests')
  })

  it('refuses fetch', async () => {
    const error = await fetch('http://192.0.2.1/').catch((thrown: Error) => thrown)
    expect(String(error instanceof Error ? error.cause : error)).toContain('The network is closed in tests')
  })
})

describe('Judging answers by openapi.json', () => {
  const judge = judgeBy(endpoints)
  const meta = { timestamp: '2026-08-22T00:00:00Z', version: 'v1', correlationId: `req_${'0'.repeat(36)}` }
  const headers = { 'x-correlation-id': meta.correlationId, 'x-content-type-options': 'nosniff' }
  const lite = { method: 'GET', path: '/api/v1/ping-lite', status: 200, headers }
  const data = { status: 'ok', timestamp: '2026-08-22T00:00:00Z' }

  it('accepts what is promised', () => {
    expect(() => judge({ ...lite, json: { data, meta } })).not.toThrow()
  })

  it.each([
    ['an extra member', { data: { ...data, secret: 1 }, meta }],
    ['a missing member', { data: { status: 'ok' }, meta }],
    ['a wrong type', { data: { ...data, status: 1 }, meta }],
    ['a time with fractions', { data: { ...data, timestamp: '2026-08-22T00:00:00.000Z' }, meta }],
    ['no envelope', data],
    ['nothing', undefined],
  ])('refuses %s', (_kind, json) => {
    expect(() => judge({ ...lite, json })).toThrow('does not fit openapi.json')
  })

  it('refuses an answer without the headers that every answer has', () => {
    expect(() => judge({ ...lite, headers: {}, json: { data, meta } })).toThrow('correlation id')
    expect(() =>
      judge({ ...lite, headers: { ...headers, 'x-content-type-options': undefined }, json: { data, meta } }),
    ).toThrow('nosniff')
  })

  it('refuses a status that is not promised', () => {
    expect(() => judge({ ...lite, status: 404, json: {} })).toThrow('does not mention')
  })
})

describe('A route without a price that can be charged', () => {
  const start = (change: object) => () => Reflect.apply(register, undefined, [{}, [{ ...ping, ...change }], {}])

  it.each([
    [{ credits: undefined }, 'multiple of half a credit'],
    [{ credits: 0.3 }, 'multiple of half a credit'],
    [{ credits: -1 }, 'multiple of half a credit'],
    [{ credits: 1, access: 'public' }, 'nobody to charge'],
  ])('does not start: %j', (change, reason) => {
    expect(start(change)).toThrow(reason)
  })
})

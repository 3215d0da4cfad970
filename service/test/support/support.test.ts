// Tests of the test helpers: each helper must reject what it is meant to reject.
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { ping } from '../../src/api/endpoints/ping/endpoint.ts'
import { register } from '../../src/api/register.ts'
import { createAnswerValidator } from './schema-assertions.ts'

describe('Network guard for tests', () => {
  it.each(['192.0.2.1', 'example.org', '2001:db8::1'])('throws an error if a test connects to %s', (host) => {
    expect(() => connect(443, host)).toThrow('The network is closed in tests')
  })

  it('rejects a fetch from an address outside this machine', async () => {
    const error = await fetch('http://192.0.2.1/').catch((thrown: Error) => thrown)
    expect(String(error instanceof Error ? error.cause : error)).toContain('The network is closed in tests')
  })
})

describe('Response validator for tests (createAnswerValidator)', () => {
  const validate = createAnswerValidator(endpoints)
  const meta = { timestamp: '2026-08-22T00:00:00Z', version: 'v1', correlationId: `req_${'0'.repeat(36)}` }
  const headers = { 'x-correlation-id': meta.correlationId, 'x-content-type-options': 'nosniff' }
  const response = { method: 'GET', path: '/api/v1/ping-lite', status: 200, headers }
  const data = { status: 'ok', timestamp: '2026-08-22T00:00:00Z' }

  it('accepts a response that matches openapi.json', () => {
    expect(() => validate({ ...response, json: { data, meta } })).not.toThrow()
  })

  it.each([
    ['an extra member', { data: { ...data, secret: 1 }, meta }],
    ['a missing member', { data: { status: 'ok' }, meta }],
    ['a wrong type', { data: { ...data, status: 1 }, meta }],
    ['a time with fractions', { data: { ...data, timestamp: '2026-08-22T00:00:00.000Z' }, meta }],
    ['a body without an envelope', data],
    ['an empty body', undefined],
  ])('rejects a response with %s', (_kind, json) => {
    expect(() => validate({ ...response, json })).toThrow('does not match openapi.json')
  })

  it('rejects a response without X-Correlation-Id or X-Content-Type-Options', () => {
    expect(() => validate({ ...response, headers: {}, json: { data, meta } })).toThrow('correlation id')
    expect(() =>
      validate({ ...response, headers: { ...headers, 'x-content-type-options': undefined }, json: { data, meta } }),
    ).toThrow('nosniff')
  })

  it('rejects a status that openapi.json does not list', () => {
    expect(() => validate({ ...response, status: 404, json: {} })).toThrow('does not list')
  })
})

describe('Registration of endpoints with invalid prices', () => {
  const start = (change: object) => () => Reflect.apply(register, undefined, [{}, [{ ...ping, ...change }], {}])

  it.each([
    [{ credits: undefined }, 'multiple of half a credit'],
    [{ credits: 0.3 }, 'multiple of half a credit'],
    [{ credits: -1 }, 'multiple of half a credit'],
    [{ credits: 1, access: 'public' }, 'no caller to charge'],
  ])('throws an error for an endpoint with %j', (change, reason) => {
    expect(start(change)).toThrow(reason)
  })
})

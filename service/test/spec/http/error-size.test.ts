// Sends each endpoint the inputs that cause the most and the longest errors: an error body must stay below 8 KiB
// (threat T-11).
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { SCOPES } from '../../../src/domain/account/scope.ts'
import { createManager } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService()
const { key } = await createManager({ given }, SCOPES)

const MAX_BYTES = 8192
/** A URL may be up to 8 KiB. */
const MAX_QUERY_LENGTH = 8000

const repeat = (count: number, build: (index: number) => string) => Array.from({ length: count }, (_, n) => build(n))
const cut = (parts: readonly string[]) => parts.join('&').slice(0, MAX_QUERY_LENGTH)

/** Percent-encoded control characters: JSON needs six bytes for each. */
const CONTROL = '%01'

const QUERIES: readonly (readonly [what: string, query: string])[] = [
  ['40 unknown parameters', cut(repeat(30, (n) => `unknown${n}=1`))],
  ['2,000 unknown parameters of one character', cut(repeat(2000, (n) => `${n.toString(36)}=`))],
  ['40 unknown parameters with long values', cut(repeat(40, (n) => `u${n}=${'x'.repeat(190)}`))],
  [
    'unknown parameters of control characters',
    cut(repeat(20, (n) => `${n}${CONTROL.repeat(60)}=${CONTROL.repeat(60)}`)),
  ],
  ['one long name and one long value', `${CONTROL.repeat(1300)}=${CONTROL.repeat(1300)}`],
  ['a name with characters outside the basic plane', `${'%F0%9F%92%A3'.repeat(300)}=${'%F0%9F%92%A3'.repeat(300)}`],
]

const BODIES: readonly (readonly [what: string, body: unknown])[] = [
  ['50 invalid ids', { cve_ids: repeat(50, (n) => `${n}`.padEnd(300, 'x')) }],
  [
    'invalid items in each list',
    Object.fromEntries(['cve_ids', 'fields', 'include', 'severity'].map((name) => [name, repeat(50, (n) => `x${n}`)])),
  ],
  ['100 invalid fields', { cve_ids: ['CVE-2021-44228'], fields: repeat(100, (n) => `field${n}`) }],
  [
    '800 unknown fields',
    Object.fromEntries(repeat(800, (n) => `unknown${n}`).map((name) => [name, '\u0001'.repeat(9)])),
  ],
  ['an unknown field of control characters', { ['\u0001'.repeat(5000)]: '\u0001'.repeat(5000) }],
]

/** Wrong values for all parameters that the endpoint defines. */
function buildWrongValues(names: readonly string[]): string {
  const share = Math.floor(MAX_QUERY_LENGTH / names.length) - 20
  return names
    .map(
      (name) =>
        `${name}=${repeat(200, (n) => `x${n}`)
          .join(',')
          .slice(0, share)}`,
    )
    .join('&')
}

async function expectSmallError(method: string, path: string, body?: unknown) {
  const sent = { key, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const { status, text, json } = await api.send(method, path, body === undefined ? { key } : sent)
  expect(status).toBe(400)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES)
  return json.error
}

const CALLS = endpoints.map(({ method, path, parameters, body }) => ({
  method,
  path: path.replace('{cve-id}', 'CVE-2021-44228'),
  names: Object.keys(parameters.query),
  body: body === undefined ? undefined : { cve_ids: ['CVE-2021-44228'] },
}))

describe.each(CALLS)('Size of error bodies from $method $path', ({ method, path, body }) => {
  it.each(QUERIES)('is at most 8 KiB for %s', async (_what, query) => {
    await expectSmallError(method, `${path}?${query}`, body)
  })
})

describe('Size of error bodies for invalid values', () => {
  it.each(CALLS.filter(({ names }) => names.length > 0))(
    'is at most 8 KiB if each parameter of $method $path has many invalid values',
    async ({ method, path, names, body }) => {
      await expectSmallError(method, `${path}?${buildWrongValues(names)}`, body)
    },
  )
})

describe('Size of error bodies from the batch endpoint', () => {
  it.each(BODIES)('is at most 8 KiB for %s', async (_what, body) => {
    await expectSmallError('POST', '/api/v1/cve/batch', body)
  })
})

describe('A long list of invalid parameters', () => {
  const UNKNOWN = repeat(30, (n) => `unknown${n}=1`).join('&')

  it('names all 30 unknown parameters and lists the allowed names once', async () => {
    const { message, details } = await expectSmallError('GET', `/api/v1/cves?${UNKNOWN}`)

    expect(details.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual(
      repeat(30, (n) => `unknown${n}`),
    )
    expect(details.errors[0].allowed).toContain('severity')
    expect(details.errors[29]).toEqual({
      parameter: 'unknown29',
      value: '1',
      message: 'is not a query parameter of this endpoint',
      allowed: ['the values in details.errors[0].allowed'],
    })
    expect(message).toMatch(/ \(and 29 more in details\.errors\)$/)
    expect(details).not.toHaveProperty('omitted_errors')
  })

  it('counts the invalid parameters that do not fit', async () => {
    const { message, details } = await expectSmallError('POST', '/api/v1/cve/batch', {
      cve_ids: repeat(50, (n) => `${n}`.padEnd(300, 'x')),
    })

    expect(details.errors.length).toBeGreaterThan(10)
    expect(details.errors.length + details.omitted_errors).toBe(50)
    expect(message).toMatch(` (and 49 more, of which details.errors lists ${details.errors.length - 1})`)
  })

  it('repeats the allowed values for each parameter if all of them fit', async () => {
    const { details } = await expectSmallError('GET', '/api/v1/cves?severity=hihg,lwo')

    expect(details.errors.map(({ allowed }: { allowed: string[] }) => allowed)).toEqual([
      ['critical', 'high', 'medium', 'low'],
      ['critical', 'high', 'medium', 'low'],
    ])
  })
})

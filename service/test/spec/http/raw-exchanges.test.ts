import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { containsKey } from '../../../src/domain/account/key-form.ts'
import { account, createTestKey } from '../../support/builders.ts'
import type { WireResponse } from '../../support/network/http-responses.ts'
import { exchange } from '../../support/network/raw-exchange.ts'
import { priceProbes } from '../../support/price-probes.ts'
import { createErrorValidator } from '../../support/schema-assertions.ts'
import { startTestService } from '../../support/service.ts'
import { isLongRun } from '../../support/size.ts'
import { CHUNKS, LENGTHS } from './raw-exchanges/bodies.ts'
import { EXPECTATIONS } from './raw-exchanges/expectations.ts'
import { HEADERS } from './raw-exchanges/headers.ts'
import { PIPELINING } from './raw-exchanges/pipelining.ts'
import { METHODS_AND_VERSIONS, TARGETS } from './raw-exchanges/request-lines.ts'
import { get, KEY, LITE, type RawExchange } from './raw-exchanges/requests.ts'
import { TIMEOUTS } from './raw-exchanges/timeouts.ts'

const { api, given, logLines, metrics } = await startTestService({
  endpoints: [...endpoints, ...priceProbes],
})
const key = createTestKey()
await given(account('pro').withKey(key))
const checkError = createErrorValidator(endpoints)

const SUBJECTS: Readonly<Record<string, readonly RawExchange[]>> = {
  pipelining: PIPELINING,
  'Expect: 100-continue': EXPECTATIONS,
  'bodies in chunks': CHUNKS,
  'lengths of bodies': LENGTHS,
  'request targets': TARGETS,
  'methods and versions': METHODS_AND_VERSIONS,
  headers: HEADERS,
}

const containsCompleteKey = (text: string) => text.toLowerCase().includes(key.key.slice(9).toLowerCase())
const insertKey = (text: string) => text.replaceAll(KEY, key.key)

async function run({ steps, responses, connection }: RawExchange, timeoutMs?: number) {
  const sent = steps.map((step) => (typeof step === 'string' ? insertKey(step) : step))
  // A request after the exchange shows that the service has read every byte that belongs to the exchange, and no more.
  const probe = connection === 'open' ? [{ untilResponses: responses.length }, insertKey(get(LITE))] : []
  const expectedResponses = responses.length + (connection === 'open' ? 1 : 0)
  const result = await exchange({
    port: api.port,
    steps: [...sent, ...probe],
    expectedResponses,
    untilClosed: connection === 'closed',
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
  const kinds = result.responses.map(describeResponse)
  expect({ kinds, isClosed: result.isClosed }).toEqual({
    kinds: connection === 'open' ? [...responses, '200'] : responses,
    isClosed: connection === 'closed',
  })
  for (const response of result.responses) checkResponse(response)
}

function describeResponse({ status, body }: WireResponse): string {
  return status < 400 || body.length === 0 ? String(status) : `${status} ${parseBody(body).error?.code}`
}

// biome-ignore lint/suspicious/noExplicitAny: the members of a body are checked where they are read.
const parseBody = (body: Buffer): any => JSON.parse(body.toString('utf8'))

/** Checks the envelope, headers and log line of one response, and that no key is repeated in it. */
function checkResponse({ status, headers, body }: WireResponse): void {
  expect(containsKey(JSON.stringify(headers)) || containsKey(body.toString('latin1'))).toBe(false)
  if (status < 200) return
  const id = headers['x-correlation-id']
  expect(id).toMatch(/^req_[0-9a-f-]{36}$/)
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(Date.parse(headers['date'] ?? '')).toBeGreaterThan(0)
  if (body.length > 0) {
    const json = parseBody(body)
    expect(json.meta.correlationId).toBe(id)
    if (status >= 400) checkError(json)
  }
  const lines = logLines.filter((line) => line.includes(`"${id}"`)).map((line) => JSON.parse(line))
  expect(lines).toEqual([expect.objectContaining({ msg: 'request', status, ms: expect.any(Number) })])
}

for (const [subject, exchanges] of Object.entries(SUBJECTS)) {
  describe.concurrent(`Raw exchange: ${subject}`, () => {
    it.each(exchanges.map((each) => [each.name, each] as const))('%s', (_name, each) => run(each))
  })
}

describe.runIf(isLongRun)('Raw exchange: timeouts', () => {
  it('answers or closes every connection whose request does not arrive in time', async () => {
    await Promise.all(TIMEOUTS.map((each) => run(each, 25_000)))
  })
})

describe('All raw exchanges', () => {
  it('cover at least 60 cases', () => {
    const total = Object.values(SUBJECTS).flat().length
    console.log(`${total + TIMEOUTS.length} raw exchanges`)
    expect(total).toBeGreaterThanOrEqual(60)
  })

  it('increase the request metric once per log line', async () => {
    const lines = logLines.filter((line) => line.includes('"msg":"request"'))
    const counts = [...(await metrics.text()).matchAll(/vis_http_request_duration_seconds_count\{[^}]*\} (\d+)/g)]
    expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(lines.length)
  })

  it('write no key to the log', () => {
    expect(logLines.filter(containsCompleteKey)).toEqual([])
  })
})

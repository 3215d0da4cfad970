// The examples of openapi.json are answers of this service to the requests that they name. After a change that they show,
// renew them: UPDATE_EXAMPLES=1 npx vitest run --project service service/test/spec/documentation/examples.test.ts && npm run generate
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import type { Example } from '../../../src/contract/endpoint.ts'
import { ERRORS } from '../../../src/contract/errors.ts'
import { account, aKey } from '../../support/builders.ts'
import { freshDatasets, publishExamples } from '../../support/catalog/example-catalog.ts'
import { judgeBy } from '../../support/schema-assertions.ts'
import { PATIENT, testService } from '../../support/service.ts'

const SOURCE = new URL('../../../src/', import.meta.url)
const ERRORS_FILE = 'contract/error-examples.json'
const FREE_CALLS = 60
const isRenewing = process.env['UPDATE_EXAMPLES'] !== undefined

const service = await testService({ environment: { ...PATIENT, CURSOR_SECRET: 'for examples, and for nothing else' } })
const { api, given } = service
const [someSpent, allSpent, hasty] = [aKey(), aKey(), aKey()]
await given(
  ...freshDatasets,
  account('pro').withKey(someSpent).withCreditsLeft(27_342),
  account('free').withKey(allSpent).withCreditsLeft(2),
  account('free').withKey(hasty),
)
await publishExamples(service.database.url)

const judge = judgeBy(endpoints)

/** Null for no key at all; undefined for that of a pro account. */
const KEYS: Readonly<Record<string, string | null>> = {
  health: null,
  'get-usage': someSpent.key,
  UNAUTHORIZED: null,
  CREDIT_LIMIT_EXCEEDED: allSpent.key,
  RATE_LIMIT_EXCEEDED: hasty.key,
}

const CORRELATION_ID = 'req_0198d0c5-7c1e-7b43-9d51-3f2a6c8e4b10'

/** What is different each time, as the examples have it. */
const volatileIn = (name: string): Readonly<Record<string, unknown>> => ({
  correlationId: CORRELATION_ID,
  latency_ms: 0.84,
  // The window of the rate limit ends sooner than the month of the credits.
  reset_at: name === 'RATE_LIMIT_EXCEEDED' ? '2026-08-22T00:00:42Z' : '2026-09-01T00:00:00Z',
})

function settled(name: string, answer: unknown): unknown {
  const volatile = volatileIn(name)
  return JSON.parse(JSON.stringify(answer, (member, value: unknown) => volatile[member] ?? value))
}

async function ask(name: string, { request, body }: Example): Promise<{ status: number; answer: unknown }> {
  const [method = '', path = ''] = request.split(' ')
  const key = KEYS[name]
  const { status, json } = await api.send(method, path, {
    ...(key === undefined ? {} : { key }),
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return { status, answer: settled(name, json) }
}

/** As text: the order of the members is part of the example. */
function expectSame(answer: unknown, example: unknown): void {
  const [now, shown] = [answer, example].map((each) => JSON.stringify(each, null, 2))
  expect(now, 'how to renew it is said at the top of this file').toBe(shown)
}

function expectPromised({ request, answer }: Example, status: number): void {
  const [method = '', target = ''] = request.split(' ')
  const headers = { 'x-correlation-id': CORRELATION_ID, 'x-content-type-options': 'nosniff' }
  judge({ method, path: target.split('?', 1)[0] ?? '', status, headers, json: answer })
}

describe('The example of an endpoint in openapi.json', () => {
  it.each(endpoints)('is what $method $path answers, and fits its schema', async ({ name, example }) => {
    if (!example) throw new Error(`give ${name} an example.json: {"request": "…", "answer": {}}, then renew it`)
    const { status, answer } = await ask(name, example)
    expect(status).toBe(200)
    if (isRenewing) return write(`api/endpoints/${name}/example.json`, { ...example, answer })
    expectSame(answer, example.answer)
    expectPromised(example, status)
  })
})

describe('The example of an error in openapi.json', () => {
  const examples: Record<string, Example> = JSON.parse(readFileSync(new URL(ERRORS_FILE, SOURCE), 'utf8'))

  it.each(Object.keys(examples))('is what is answered: %s', async (code) => {
    const example = examples[code] ?? raise(code)
    const { status, answer } = await (code === 'RATE_LIMIT_EXCEEDED' ? askInHaste : ask)(code, example)
    expect(status).toBe(statusOf(code))
    if (isRenewing) return write(ERRORS_FILE, Object.assign(examples, { [code]: { ...example, answer } }))
    expectSame(answer, example.answer)
    expectPromised(example, status)
  })

  it('is there for 400, 401, 403, 404 and both kinds of 429', () => {
    const statuses = Object.keys(examples).map(statusOf)
    expect(statuses).toEqual([400, 401, 403, 404, 429, 429])
  })
})

function statusOf(code: string): number | undefined {
  return new Map<string, { status: number }>(Object.entries(ERRORS)).get(code)?.status
}

/** Until one is refused: a window may end on the way, but not twice. */
async function askInHaste(code: string, example: Example): ReturnType<typeof ask> {
  const answers = await Promise.all(Array.from({ length: FREE_CALLS + 1 }, () => ask(code, example)))
  return answers.find(({ status }) => status === 429) ?? askInHaste(code, example)
}

function write(file: string, content: object): void {
  writeFileSync(new URL(file, SOURCE), `${JSON.stringify(content, null, 2)}\n`)
}

function raise(code: string): never {
  throw new Error(`no example of ${code}`)
}

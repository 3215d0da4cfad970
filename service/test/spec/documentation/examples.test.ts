// Checks that the examples in openapi.json are the real responses of the service. Rewrite them after a change:
// UPDATE_EXAMPLES=1 npx vitest run --project service service/test/spec/documentation/examples.test.ts && npm run generate
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import type { Example } from '../../../src/contract/endpoint.ts'
import { ERRORS } from '../../../src/contract/response/errors.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { freshDatasets, publishExamples } from '../../support/catalog/example-catalog.ts'
import { useCookie } from '../../support/console.ts'
import { addMember, openMemberSession } from '../../support/members.ts'
import { readRows } from '../../support/run-statements.ts'
import { createAnswerValidator } from '../../support/schema-assertions.ts'
import { post } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'

const SOURCE = new URL('../../../src/', import.meta.url)
const ERRORS_FILE = 'contract/response/error-examples.json'
const FREE_CALLS = 60
const isUpdating = process.env['UPDATE_EXAMPLES'] !== undefined

const service = await startTestService({
  environment: { CURSOR_SECRET: 'for examples, and for nothing else' },
})
const { api, given } = service
const [partlyUsed, usedUp, fast] = [createTestKey(), createTestKey(), createTestKey()]
const [manager, rotated, revoked] = [createTestKey(), createTestKey(), createTestKey()]
const triager = createTestKey()
const managed = account('pro')
await given(
  ...freshDatasets,
  account('pro').withKey(partlyUsed).withCreditsLeft(27_342),
  account('free').withKey(usedUp).withCreditsLeft(2),
  account('free').withKey(fast),
  managed
    .withKey(manager, { name: 'deployment', scopes: ['read', 'manage', 'watch'] })
    .withKey(rotated, { name: 'nightly-scan' })
    .withKey(revoked, { name: 'old-laptop' })
    .withOrigins('https://app.example'),
  account('pro').withKey(triager, { name: 'triage', scopes: ['read', 'triage'] }),
)
const ada = await addMember(service.database.url, { accountId: managed.id, email: 'ada@example.org', role: 'owner' })
await addMember(service.database.url, { accountId: managed.id, email: 'alan@example.org', role: 'viewer' })
await addMember(service.database.url, {
  accountId: managed.id,
  email: 'grace@example.org',
  role: 'viewer',
  isInvited: true,
})
await readRows(
  service.database.url,
  `insert into accounts.view (account_id, member_id, is_shared, name, query, columns)
   values ($1, $2, true, 'Fortinet in KEV', 'kev=true&product_vendor=fortinet&sort=priority_desc', '{priority,epss}')`,
  [managed.id, ada],
)
await readRows(
  service.database.url,
  `with watch as (
     insert into accounts.view (account_id, member_id, is_shared, name, query, kinds, team)
     values ($1, $2, true, 'Everything exploited', 'priority=P0,P1', '{entered,exploited}', 'security')
     returning id
   ), inbox as (
     insert into notify.inbox (account_id, last_nr) values ($1, 2)
   ), news as (
     insert into notify.news (seq, subject_key, subject, at, upstream_day, types, diff, record)
     values (41, 202600000000001111, 'CVE-2026-1111', '2026-08-21T20:00:03Z', '2026-08-21',
             '{affected_changed,kev_added,priority_raised}',
             '{"priority.level": {"old": "P3", "new": "P0"}, "kev.dateAdded": {"old": null, "new": "2026-08-21"}}',
             '{"severity": 9.8, "epss_score": 0.42, "in_kev": true, "in_eu_kev": false, "ransomware": false,
               "priority_level": "P0", "exploit_maturity": "active", "has_fix": true, "status": "Analyzed",
               "products": [{"vendor": "fortinet", "product": "fortios"}], "product_count": 1}')
   )
   insert into notify.event (account_id, nr, watch_id, seq, subject_key, type, kinds, entered_by, at, detail)
   select $1, 1, watch.id, 41, 202600000000001111, 'matched', '{entered,exploited}'::text[], '{priority}'::text[],
          '2026-08-21T20:00:04Z'::timestamptz, null::jsonb
     from watch
    union all
   select $1, 2, watch.id, 58, null, 'recalculated', '{}', '{}', '2026-08-21T21:00:04Z',
          '{"cause": "rules", "first_seq": 42, "entered": {"P1": 2}, "left": {"P1": 1},
            "entered_ids": ["CVE-2021-44228", "CVE-2024-3400"], "left_ids": ["CVE-2014-0160"]}'
     from watch`,
  [managed.id, ada],
)
const session = useCookie(api, await openMemberSession(service.database.url, ada))
await publishExamples(service.database.url)
await post(api, triager.key, '/api/v1/triage/bulk', {
  set: [
    {
      cve_id: 'CVE-2021-44228',
      scope: 'pkg:maven/org.apache.logging.log4j/log4j-core',
      version_range: '<2.15.0',
      state: 'under_investigation',
    },
    {
      cve_id: 'CVE-2024-3400',
      scope: 'cpe:2.3:o:paloaltonetworks:pan-os:*:*:*:*:*:*:*:*',
      state: 'accepted',
      action_statement: 'Telemetry is off, and the firewall is replaced in January.',
      until: '2027-01-31',
      unless: ['priority_raised'],
    },
  ],
})
for (const path of ['/api/v1/cve/CVE-2021-44228', '/api/v1/kev?limit=1']) await api.get(path, { key: manager.key })

const judge = createAnswerValidator(endpoints)

/** API key of each example request: null sends no key; examples that are not listed use the key of a pro account. */
const KEYS: Readonly<Record<string, string | null>> = {
  health: null,
  'get-usage': partlyUsed.key,
  ...Object.fromEntries(endpoints.filter(({ scope }) => scope !== undefined).map(({ name }) => [name, manager.key])),
  ...Object.fromEntries(endpoints.filter(({ scope }) => scope === 'triage').map(({ name }) => [name, triager.key])),
  'get-usage-breakdown': manager.key,
  'list-views': manager.key,
  'get-view': manager.key,
  UNAUTHORIZED: null,
  CREDIT_LIMIT_EXCEEDED: usedUp.key,
  RATE_LIMIT_EXCEEDED: fast.key,
}

/** Only a member who is signed in can call these. */
const OF_MEMBERS: ReadonlySet<string> = new Set(['get-own-member', 'mark-seen'])

const CORRELATION_ID = 'req_0198d0c5-7c1e-7b43-9d51-3f2a6c8e4b10'

/** Fixed values for response members that differ from response to response. */
const fixVolatile = (name: string): Readonly<Record<string, unknown>> => ({
  correlationId: CORRELATION_ID,
  latency_ms: 0.84,
  // The size of a snapshot in bytes depends on the version of zlib.
  bytes: 1734,
  sha256: ['6c8e4b103f2a9d517b437c1ed0c50198e1a4c7305b2f8d694e0a7c3518f2b6d9'],
  // In the example of RATE_LIMIT_EXCEEDED, reset_at is the end of the rate limit window; in all other examples it is
  // the end of the month.
  reset_at: name === 'RATE_LIMIT_EXCEEDED' ? '2026-08-22T00:00:42Z' : '2026-09-01T00:00:00Z',
  ...((Object.hasOwn(KEYS, name) || OF_MEMBERS.has(name)) && OF_ACCOUNTS),
})

/** Values of accounts and keys; their times come from the database clock. */
const OF_ACCOUNTS = {
  secret: 'vis_test_…',
  link: 'https://vis.example.org/console/enter#…',
  last_four: 'x7Qa',
  time: '2026-08-22T00:00:00Z',
  created_at: '2026-08-01T00:00:00Z',
  changed_at: '2026-08-22T00:00:00Z',
  seen_at: '2026-08-22T00:00:00Z',
  expires_at: '2026-08-23T00:00:00Z',
  last_used_day: '2026-08-22',
  from: '2026-08-01',
  to: '2026-08-22',
  day: '2026-08-22',
  set_at: '2026-08-22T00:00:00Z',
  feed_addresses: {
    atom: 'https://vis.example.org/feeds/….atom',
    json: 'https://vis.example.org/feeds/….json',
  },
  daily_events: [0, 3, 0, 0, 1, 2, 0],
  evaluated: { position: '263680:0f3a5c1d2b4e6f70', newest: '263680:0f3a5c1d2b4e6f70' },
}

function replaceVolatile(name: string, answer: unknown): unknown {
  const fixed: Readonly<Record<string, unknown>> = {
    ...fixVolatile(name),
    ...(name === 'explain-watch' && { position: '2:0f3a5c1d2b4e6f70' }),
    ...(name === 'export-triage' && { timestamp: '2026-08-22T00:00:00Z' }),
  }
  return JSON.parse(
    JSON.stringify(answer, (member, value: unknown) => (value === null ? null : (fixed[member] ?? value))).replace(
      /(?<="@id":")urn:uuid:[\da-f-]+/,
      DOCUMENT_ID,
    ),
  )
}

const DOCUMENT_ID = 'urn:uuid:5d0a9f3e-7c1e-4b43-9d51-3f2a6c8e4b10'

/** Omits what the example does not show. */
function shorten(answer: unknown, only: Example['only'] = {}): unknown {
  for (const [path, kept] of Object.entries(only)) {
    const steps = path.split('.')
    const last = steps.pop() ?? ''
    const parent = steps.reduce<unknown>((value, step) => Reflect.get(Object(value), step), answer)
    const long: unknown = Reflect.get(Object(parent), last)
    if (typeof long !== 'object' || long === null) throw new Error(`The answer has no object or list ${path}.`)
    const entries = Object.entries(long).filter(([name]) => kept.includes(name))
    Reflect.set(
      Object(parent),
      last,
      Array.isArray(long) ? entries.map(([, item]) => item) : Object.fromEntries(entries),
    )
  }
  return answer
}

async function send(name: string, { request, body, only }: Example): Promise<{ status: number; answer: unknown }> {
  const [method = '', path = ''] = request.split(' ')
  const key = KEYS[name]
  const text = body === undefined ? undefined : JSON.stringify(body)
  const { status, json } = OF_MEMBERS.has(name)
    ? await session.send(method, `/console${path}`, text)
    : await api.send(method, path, {
        ...(key === undefined ? {} : { key }),
        ...(text === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: text }),
      })
  return { status, answer: shorten(replaceVolatile(name, json), only) }
}

/** Compares the response with the example as text, because the order of the members is part of the example. */
function expectSame(answer: unknown, example: unknown): void {
  const [actual, documented] = [answer, example].map((each) => JSON.stringify(each, null, 2))
  expect(actual, 'the top of this file explains how to update the example').toBe(documented)
}

function expectValid({ request, answer }: Example, status: number): void {
  const [method = '', target = ''] = request.split(' ')
  const headers = { 'x-correlation-id': CORRELATION_ID, 'x-content-type-options': 'nosniff' }
  judge({ method, path: target.split('?', 1)[0] ?? '', status, headers, json: answer })
}

describe('openapi.json: endpoint examples', () => {
  // A file has no JSON that could be shown.
  it.each(endpoints.filter(({ response }) => response.mediaType === undefined))(
    'shows the real response of $method $path, which matches its schema',
    async ({ name, example }) => {
      if (!example) throw new Error(`${name} has no example.json: write {"request": "…", "answer": {}} and update it`)
      const { status, answer } = await send(name, example)
      expect(status).toBe(200)
      if (isUpdating) return write(`api/endpoints/${name}/example.json`, { ...example, answer })
      expectSame(answer, example.answer)
      expectValid(example, status)
    },
  )
})

describe('openapi.json: error examples', () => {
  const examples: Record<string, Example> = JSON.parse(readFileSync(new URL(ERRORS_FILE, SOURCE), 'utf8'))

  it.each(Object.keys(examples))('shows the real response for the error %s', async (code) => {
    const example = examples[code] ?? raise(code)
    const { status, answer } = await (code === 'RATE_LIMIT_EXCEEDED' ? sendUntilLimited : send)(code, example)
    expect(status).toBe(findStatus(code))
    if (isUpdating) return write(ERRORS_FILE, Object.assign(examples, { [code]: { ...example, answer } }))
    expectSame(answer, example.answer)
    expectValid(example, status)
  })

  it('shows examples for the statuses 400, 401, 403 and 404 and for both error codes with status 429', () => {
    const statuses = Object.keys(examples).map(findStatus)
    expect(statuses).toEqual([400, 401, 403, 404, 429, 429])
  })
})

function findStatus(code: string): number | undefined {
  return new Map<string, { status: number }>(Object.entries(ERRORS)).get(code)?.status
}

/** Sends requests until one exceeds the rate limit. Starts again if the rate limit window ends in between. */
async function sendUntilLimited(code: string, example: Example): ReturnType<typeof send> {
  const answers = await Promise.all(Array.from({ length: FREE_CALLS + 1 }, () => send(code, example)))
  return answers.find(({ status }) => status === 429) ?? sendUntilLimited(code, example)
}

function write(file: string, content: object): void {
  writeFileSync(new URL(file, SOURCE), `${JSON.stringify(content, null, 2)}\n`)
}

function raise(code: string): never {
  throw new Error(`no example of ${code}`)
}

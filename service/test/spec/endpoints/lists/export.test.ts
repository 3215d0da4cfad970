// GET /api/v1/cves/export, and streams in general: equal to the pages of the search, bounded in memory, ended with the
// call.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { exportAudit } from '../../../../src/api/endpoints/export-audit/endpoint.ts'
import { exportCves } from '../../../../src/api/endpoints/export-cves/endpoint.ts'
import { endpoints } from '../../../../src/api/endpoints/index.ts'
import { defineEndpoint, type ServedEndpoint } from '../../../../src/api/services.ts'
import type { Database } from '../../../../src/database/postgres.ts'
import { account, createTestKey } from '../../../support/builders.ts'
import { generateCatalog } from '../../../support/catalog/generated-catalog.ts'
import { AT_FULL_SPEED, openPacedReader } from '../../../support/network/paced-reader.ts'
import { readRows } from '../../../support/run-statements.ts'
import { startTestService } from '../../../support/service.ts'
import { chooseBySize } from '../../../support/size.ts'

const CVES = chooseBySize({ short: 450, long: 100_000 })
const PART_BYTES = 1024 * 1024
const PARTS = 40
let partsRead = 0

const defaults = {
  method: 'GET',
  tag: 'Service',
  summary: 'A test endpoint',
  description: 'Exists only in tests.',
  access: 'key',
  credits: 1,
  consumesRate: true,
  work: 'search',
  cacheControl: 'no-store',
  errors: [],
} as const
const mediaType = 'text/csv; charset=utf-8'

const longStream = defineEndpoint({
  ...defaults,
  name: 'long-stream',
  path: '/api/v1/probe/long-stream',
  response: { name: 'LongStream', mediaType, schema: Type.String() },
  answer: async () => {
    partsRead = 0
    const next = async () => {
      partsRead += 1
      return partsRead > PARTS ? undefined : randomBytes(PART_BYTES / 2).toString('hex')
    }
    return { stream: { mediaType, next } }
  },
})

const brokenStream = defineEndpoint({
  ...defaults,
  name: 'broken-stream',
  path: '/api/v1/probe/broken-stream',
  response: { name: 'BrokenStream', mediaType, schema: Type.String() },
  countUnits: async () => 7,
  answer: async () => {
    let isFirst = true
    const next = async () => {
      if (!isFirst) throw new Error('the stream breaks because the test requests it')
      isFirst = false
      return 'a,b\r\n'
    }
    return { stream: { mediaType, next } }
  },
})

/** The same export, but its second part comes once after the call has given it up. */
const delay = (endpoint: ServedEndpoint): ServedEndpoint => ({
  ...endpoint,
  name: `late-${endpoint.name}`,
  path: `/api/v1/late/${endpoint.path.slice('/api/v1/'.length)}`,
  answer: async (input, services) => {
    const made = await endpoint.answer(input, services)
    if (!('stream' in made)) return made
    let parts = 0
    const next: typeof made.stream.next = async (fresh) => {
      parts += 1
      if (parts === 2) await made.stream.next({ ...fresh, signal: AbortSignal.abort() }).catch(() => {})
      return made.stream.next(fresh)
    }
    return { ...made, stream: { ...made.stream, next } }
  },
})

const service = await startTestService({
  endpoints: [...endpoints, longStream, brokenStream, delay(exportCves), delay(exportAudit)],
  environment: { MIN_READ_KB_PER_SECOND: '300', READ_RATE_WINDOW_SECONDS: '3', CONCURRENT_CALLS_PER_ACCOUNT: '1' },
})
const { api, database, given } = service
await given({ store: (db: Database) => generateCatalog(db, CVES) })
const HOSTILE = ['=1+1', '+1', '-1', '@a', '\tx', '\rx', ' =1', 'a"b,c', 'line 1\r\nline 2', '＝1', "'x", 'ü \u{1F600}']
for (const [index, text] of HOSTILE.entries())
  await readRows(
    database.url,
    `update catalog.cve_document set description = $2
      where cve_key = (select cve_key from catalog.cve_document order by cve_key offset $1 limit 1)`,
    [index * 7, JSON.stringify(text)],
  )

async function createKey(): Promise<string> {
  const key = createTestKey()
  await given(account('enterprise').withKey(key).withQuota(1_000_000))
  return key.key
}

const readCredits = async (key: string): Promise<number> =>
  (await api.get('/api/v1/usage', { key })).json.data.usage.credits_used

const parseWithPython = (text: string): readonly (readonly string[])[] => {
  const program =
    'import csv,io,json,sys; text=sys.stdin.buffer.read().decode("utf-8"); json.dump(list(csv.reader(io.StringIO(text, newline=""))), sys.stdout)'
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { input: text, maxBuffer: 2 ** 30 })
  if (stderr.length > 0) throw new Error(stderr.toString())
  return JSON.parse(stdout.toString())
}

/** A second reader of RFC 4180, written from its grammar. */
function parseByGrammar(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [[]]
  for (let at = 0; at < text.length; ) {
    let cell = ''
    if (text[at] === '"') {
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += text[at] === '"' ? 2 : 1) cell += text[at]
      at += 1
    } else for (; at < text.length && text[at] !== ',' && !text.startsWith('\r\n', at); at += 1) cell += text[at]
    lines.at(-1)?.push(cell)
    if (text[at] === ',') at += 1
    else {
      expect(text.slice(at, at + 2)).toBe('\r\n')
      at += 2
      if (at < text.length) lines.push([])
    }
  }
  return lines
}

// biome-ignore lint/suspicious/noExplicitAny: the rows of an answer.
async function readPages(query: string): Promise<any[]> {
  const [rows, key] = [[], await createKey()] as [unknown[], string]
  let after = ''
  do {
    const path = `/api/v1/cves?limit=100&include=priority,fixes,enrichment&${query}${after && `&after=${encodeURIComponent(after)}`}`
    const { json } = await api.get(path, { key })
    rows.push(...json.data.cves)
    after = json.data.pagination.nextCursor ?? ''
  } while (after !== '')
  return rows
}

type Cell = string | number | boolean | null | undefined
const text = (value: Cell) => (value === null || value === undefined ? '' : String(value))
const guarded = (value: Cell) => text(value).replace(/^(?=[\t\r]|\s*[=+\-@＝])/u, "'")

describe('GET /api/v1/cves/export', () => {
  it.each(['sort=priority_desc', 'sort=epss_asc&cvss_min=5', 'sort=modified_desc', 'patched=true'])(
    'has the CVEs of all pages in their order with %s, for two readers of CSV, at the price of the pages',
    async (query) => {
      const [key, pages] = [await createKey(), await readPages(query)]
      const { status, headers, raw } = await api.get(`/api/v1/cves/export?${query}`, { key })
      expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
        200,
        'text/csv; charset=utf-8',
        'attachment; filename="cves.csv"',
      ])
      const csv = raw.toString()
      const [names = [], ...lines] = parseByGrammar(csv)
      expect(parseWithPython(csv)).toEqual([names, ...lines])
      const rows = lines.map((line) => Object.fromEntries(names.map((name, index) => [name, line[index]])))
      const expected = pages.map((cve) => ({
        cve_id: cve.cve_id,
        published: text(cve.published),
        severity: text(cve.severity),
        priority_level: text(cve.priority?.level),
        epss_score: text(cve.epss?.score),
        in_kev: String(cve.kev !== undefined && cve.kev !== null),
        kev_date_added: text(cve.kev?.dateAdded),
        description: guarded(cve.description),
      }))
      expect(rows).toMatchObject(expected)
      expect(rows).toHaveLength(expected.length)
      expect(await readCredits(key)).toBe(Math.max(1, Math.ceil(expected.length / 100)))
    },
    600_000,
  )

  it('is compressed for clients that accept gzip, has only headers for HEAD, and only the names for no CVE', async () => {
    const key = await createKey()
    const plain = await api.get('/api/v1/cves/export?kev=true', { key })
    const packed = await api.get('/api/v1/cves/export?kev=true', { key, headers: { 'Accept-Encoding': 'gzip' } })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect((await import('node:zlib')).gunzipSync(packed.raw).equals(plain.raw)).toBe(true)
    expect((await api.send('HEAD', '/api/v1/cves/export?kev=true', { key })).raw.length).toBe(0)
    const none = await api.get('/api/v1/cves/export?ids=CVE-1999-99999', { key })
    expect(none.raw.toString()).toMatch(/^cve_id,[a-z_,]+,description\r\n$/)
  })

  it('refuses what a search refuses, and an account without enough credits, free of charge', async () => {
    expect((await api.get('/api/v1/cves/export?severty=high')).json.error.details.errors[0].parameter).toBe('severty')
    expect((await api.get('/api/v1/cves/export?limit=5')).status).toBe(400)
    const poor = createTestKey()
    await given(account('pro').withKey(poor).withCreditsLeft(2))
    const before = await readCredits(poor.key)
    expect((await api.get('/api/v1/cves/export', { key: poor.key })).json.error.code).toBe('CREDIT_LIMIT_EXCEEDED')
    expect(await readCredits(poor.key)).toBe(before)
  })
})

describe('An export with a part that comes too late', () => {
  it.each(['cves/export?sort=priority_desc', 'audit/export'])('has all rows: %s', async (path) => {
    const key = createTestKey()
    const owner = account('enterprise')
      .withKey(key, { scopes: ['read', 'manage'] })
      .withQuota(1_000_000)
    await given(owner)
    await readRows(
      database.url,
      "insert into accounts.audit (actor, action, account_id) select 'key:1', 'key.grant', $1 from generate_series(1, 450)",
      [owner.id],
    )
    const [whole, late] = [
      await api.get(`/api/v1/${path}`, { key: key.key }),
      await api.get(`/api/v1/late/${path}`, { key: key.key }),
    ]
    expect(parseByGrammar(whole.raw.toString()).length).toBeGreaterThan(400)
    expect(late.raw.equals(whole.raw)).toBe(true)
  })
})

describe('A streamed answer', () => {
  const open = (key: string, pace = AT_FULL_SPEED, path = 'long-stream') => {
    partsRead = 0
    const request = `GET /api/v1/probe/${path} HTTP/1.1\r\nHost: a.test\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`
    return openPacedReader(api.port, request, pace)
  }

  it('reads no further than a client that does not read, holds no database connection, and ends at last', async () => {
    const key = await createKey()
    const reader = await open(key, { bytes: 0, everyMs: 1000 })
    await expect.poll(() => partsRead, { timeout: 60_000 }).toBeGreaterThan(1)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(partsRead).toBeLessThan(PARTS / 2)
    expect((await api.get('/api/v1/cves?limit=1')).status).toBe(200)
    // Once the connection is reset, the account may make its next call.
    await expect
      .poll(async () => (await api.get('/api/v1/cves?limit=1', { key })).status, { timeout: 60_000 })
      .toBe(200)
    expect(partsRead).toBeLessThan(PARTS / 2)
    reader.close()
  }, 240_000)

  it('ends with a client that leaves, who has paid', async () => {
    const key = await createKey()
    const reader = await open(key, { bytes: 1000, everyMs: 10 })
    await expect.poll(() => partsRead, { timeout: 60_000 }).toBeGreaterThan(1)
    reader.close()
    await expect
      .poll(async () => (await api.get('/api/v1/cves?limit=1', { key })).status, { timeout: 60_000 })
      .toBe(200)
    expect(partsRead).toBeLessThan(PARTS)
    expect(await readCredits(key)).toBe(2)
  }, 240_000)

  it('breaks off before its end if it fails, and all its units are refunded', async () => {
    const key = await createKey()
    const reader = await open(key, AT_FULL_SPEED, 'broken-stream')
    await reader.waitUntilClosed(60_000)
    const received = Buffer.concat(reader.received).toString()
    expect(received).toContain('Transfer-Encoding: chunked')
    expect(received).toContain('a,b\r\n')
    expect(received.endsWith('0\r\n\r\n')).toBe(false)
    await expect.poll(() => readCredits(key), { timeout: 30_000 }).toBe(0)
    const [row] = await readRows(
      database.url,
      "select cost_half from accounts.ledger where endpoint = 'broken-stream' and kind = 'charge'",
    )
    expect(Number(row.cost_half)).toBe(14)
  })

  it('is refunded if the node stops before its end', async () => {
    const key = await createKey()
    const readRefunds = async () =>
      (
        await readRows(
          database.url,
          "select count(*)::integer as total from accounts.ledger where endpoint = 'long-stream' and kind = 'refund'",
        )
      )[0]?.total
    const before = await readRefunds()
    const reader = await open(key, { bytes: 0, everyMs: 1000 })
    await expect.poll(() => partsRead, { timeout: 60_000 }).toBeGreaterThan(1)
    // As after a stop signal; no test may follow.
    service.startDraining()
    service.server.closeAllConnections()
    await expect.poll(readRefunds, { timeout: 30_000 }).toBe(before + 1)
    reader.close()
  }, 240_000)
})

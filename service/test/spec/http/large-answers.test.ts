import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { buildWeakEtag } from '../../../src/api/etag.ts'
import { account, createTestKey, type Fixture } from '../../support/builders.ts'
import { cve } from '../../support/catalog/cve-builder.ts'
import { AT_FULL_SPEED, openPacedReader, type Pace } from '../../support/network/paced-reader.ts'
import { exchange } from '../../support/network/raw-exchange.ts'
import { buildLargeList, largeProbe } from '../../support/probes.ts'
import { startTestService } from '../../support/service.ts'

const WINDOW_SECONDS = 3
const { api, given, logLines, metrics } = await startTestService({
  endpoints: [...endpoints, largeProbe],
  environment: {
    UNSENT_MB_PER_ACCOUNT: '16',
    UNSENT_MB_PER_NODE: '20',
    MIN_READ_KB_PER_SECOND: '300',
    READ_RATE_WINDOW_SECONDS: String(WINDOW_SECONDS),
  },
})
const POLL = { timeout: 60_000, interval: 50 }
/**
 * More than the socket buffers on both sides hold, so that the server has unsent bytes while the client does not read.
 */
const LARGE_KB = 12_000
const WAITED_CALLS = 'vis_unsent_bytes_waits_total{result="waited"}'
const NOT_AT_ALL: Pace = { bytes: 0, everyMs: 1000 }

const buildPath = (kilobytes: number) => `/api/v1/probe/large?kilobytes=${kilobytes}`
const buildRequest = (key: string, kilobytes = LARGE_KB, more = '') =>
  `GET ${buildPath(kilobytes)} HTTP/1.1\r\nHost: a.test\r\nX-API-Key: ${key}\r\n${more}Connection: close\r\n\r\n`
const openReader = (key: string, pace: Pace) => openPacedReader(api.port, buildRequest(key), pace)

async function createKey(): Promise<string> {
  const key = createTestKey()
  await given(account('pro').withKey(key))
  return key.key
}

async function readCredits(key: string): Promise<number> {
  const { json } = await api.get('/api/v1/usage', { key })
  return json.data.usage.credits_used
}

async function readMetric(series: string): Promise<number> {
  const line = (await metrics.text()).split('\n').find((each) => each.startsWith(`${series} `))
  return Number(line?.split(' ')[1])
}

function parseBody(received: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(received)
  return bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)
}

describe('Large responses', () => {
  const json = buildLargeList(3000).join('')

  it('have the same body, ETag and Content-Length as a response that is sent at once', async () => {
    const { raw, headers, json: body } = await api.get(buildPath(3000))

    expect(raw.toString()).toBe(`{"data":${json},"meta":${JSON.stringify(body.meta)}}`)
    expect(headers).toMatchObject({ etag: buildWeakEtag(json), 'content-length': String(raw.length) })
    expect(headers['transfer-encoding']).toBeUndefined()
  })

  it('are compressed for clients that accept gzip, with a Content-Length', async () => {
    const gzipped = buildRequest(await createKey(), 3000, 'Accept-Encoding: gzip\r\n')
    const { responses } = await exchange({ port: api.port, steps: [gzipped], expectedResponses: 1 })
    const [response] = responses

    const text = gunzipSync(response?.body ?? '').toString()
    expect(text.startsWith(`{"data":${json},"meta":`)).toBe(true)
    expect(Object.keys(JSON.parse(text))).toEqual(['data', 'meta'])
    expect(response?.headers).toMatchObject({ 'content-encoding': 'gzip', etag: buildWeakEtag(json) })
  })

  it('have the same headers for HEAD, and get 304 if the client has the current version', async () => {
    const key = await createKey()
    const [get, head] = [await api.get(buildPath(3000), { key }), await api.send('HEAD', buildPath(3000), { key })]
    const etag = get.headers['etag'] ?? ''
    const unchanged = await api.get(buildPath(3000), { key, headers: { 'If-None-Match': etag } })

    expect([head.status, head.raw.length, head.headers['content-length']]).toEqual([200, 0, String(get.raw.length)])
    expect([unchanged.status, unchanged.raw.length]).toEqual([304, 0])
    expect(await readCredits(key)).toBe(2)
  })

  it('are sent to HTTP/1.0 clients, and in the right order to clients that pipeline requests', async () => {
    const key = await createKey()
    const old = buildRequest(key, 500).replace('HTTP/1.1', 'HTTP/1.0')
    const reader = await openPacedReader(api.port, old, AT_FULL_SPEED)
    await reader.waitUntilClosed(100_000)
    expect(JSON.parse(parseBody(reader.received).toString()).data).toHaveLength(
      JSON.parse(buildLargeList(500).join('')).length,
    )

    const open = (kilobytes: number) => buildRequest(key, kilobytes).replace('Connection: close\r\n', '')
    const steps = [`${open(2000)}${open(1)}${open(300)}`]
    const { responses } = await exchange({ port: api.port, steps, expectedResponses: 3 })
    expect(responses.map(({ body }) => JSON.parse(body.toString()).data.length)).toEqual(
      [2000, 1, 300].map((kilobytes) => JSON.parse(buildLargeList(kilobytes).join('')).length),
    )
  })
})

describe('Part of a snapshot', () => {
  const id = '20260822T000000Z-0123abcd'
  const bytes = randomBytes(LARGE_KB * 1024)
  const part: Fixture = {
    store: async (db) => {
      await sql`insert into catalog.snapshot values (${id}, now(), 0, 0, 1, '1.5.0')`.execute(db)
      await sql`
        insert into catalog.snapshot_part
        select ${id}, 1, bytes, sha256(bytes) from (values (${bytes}::bytea)) as part (bytes)
      `.execute(db)
    },
  }

  it('is sent byte for byte, and a client that reads it too slowly is disconnected', async () => {
    await given(part)
    const path = `/api/v1/snapshots/${id}/parts/1`
    const { raw, headers } = await api.get(path)
    expect(raw.equals(bytes)).toBe(true)
    expect(headers['content-length']).toBe(String(bytes.length))

    const cutBefore = await readMetric('vis_slow_readers_cut_total{reason="rate"}')
    const request = `GET ${path} HTTP/1.1\r\nHost: a.test\r\nX-API-Key: ${await createKey()}\r\n\r\n`
    const reader = await openPacedReader(api.port, request, { bytes: 16_384, everyMs: 1000 })
    await expect.poll(() => readMetric('vis_unsent_bytes'), POLL).toBeGreaterThan(1_000_000)
    await reader.waitUntilClosed(100_000)
    expect(await readMetric('vis_slow_readers_cut_total{reason="rate"}')).toBe(cutBefore + 1)
    expect(await readMetric('vis_unsent_bytes')).toBe(0)
  })
})

describe('A single CVE with a large record', () => {
  const description = 'Large. '.repeat(1_500_000)

  it('is answered the same way with and without gzip', async () => {
    await given(cve('CVE-2026-4000', { description }))
    const answers = [
      await api.get('/api/v1/cve/CVE-2026-4000'),
      await api.get('/api/v1/cve/CVE-2026-4000', { headers: { 'Accept-Encoding': 'gzip' } }),
    ]

    expect(answers.map(({ json }) => json.data.cve.description === description)).toEqual([true, true])
  })

  it('no longer counts after the client has closed the connection', async () => {
    const request = buildRequest(await createKey()).replace(buildPath(LARGE_KB), '/api/v1/cve/CVE-2026-4000')
    const reader = await openPacedReader(api.port, request, NOT_AT_ALL)
    await expect.poll(() => readMetric('vis_unsent_bytes'), POLL).toBeGreaterThan(1_000_000)
    reader.close()
    await expect.poll(() => readMetric('vis_unsent_bytes'), POLL).toBe(0)
  })
})

describe('A client that reads a large response', () => {
  it('receives every byte if it reads steadily, and is logged as usual', async () => {
    const reader = await openReader(await createKey(), { bytes: 100_000, everyMs: 40 })
    await reader.waitUntilClosed(100_000)

    const { data, meta } = JSON.parse(parseBody(reader.received).toString())
    expect(JSON.stringify(data)).toBe(buildLargeList(LARGE_KB).join(''))
    const lines = logLines.filter((line) => line.includes(meta.correlationId)).map((line) => JSON.parse(line))
    expect(lines).toEqual([expect.objectContaining({ msg: 'request', status: 200 })])
    expect(await readMetric('vis_unsent_bytes')).toBe(0)
  })

  it('is disconnected and charged if it reads more slowly than the minimum rate', async () => {
    const [key, cutBefore] = [await createKey(), await readMetric('vis_slow_readers_cut_total{reason="rate"}')]
    const reader = await openReader(key, { bytes: 16_384, everyMs: 1000 })
    await expect.poll(() => readMetric('vis_unsent_bytes'), POLL).toBeGreaterThan(1_000_000)
    await reader.waitUntilClosed(100_000)

    expect(reader.bytes).toBeLessThan(LARGE_KB * 500)
    expect(await readMetric('vis_slow_readers_cut_total{reason="rate"}')).toBe(cutBefore + 1)
    expect(await readMetric('vis_unsent_bytes')).toBe(0)
    expect(await readCredits(key)).toBe(1)
    const id = /x-correlation-id: (\S+)/i.exec(Buffer.concat(reader.received).toString('latin1'))?.[1] ?? ''
    const lines = logLines.filter((line) => line.includes(id)).map((line) => JSON.parse(line))
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'warn',
        endpoint: 'large-probe',
        reason: 'rate',
        msg: 'connection closed, because the client read its response too slowly',
      }),
    ])
  })

  it('frees the memory for the response when it closes the connection', async () => {
    const reader = await openReader(await createKey(), NOT_AT_ALL)
    await expect.poll(() => readMetric('vis_unsent_bytes'), POLL).toBeGreaterThan(1_000_000)
    reader.close()
    await expect.poll(() => readMetric('vis_unsent_bytes'), POLL).toBe(0)
  })
})

describe('Unread responses to one account', () => {
  it("do not delay another account's large responses", async () => {
    const [slow, other] = [await createKey(), await createKey()]
    const waitsBefore = await readMetric(WAITED_CALLS)
    const readers = await Promise.all(Array.from({ length: 4 }, () => openReader(slow, NOT_AT_ALL)))
    await expect.poll(() => readMetric(WAITED_CALLS), POLL).toBe(waitsBefore + 3)

    const answer = await api.get(buildPath(LARGE_KB), { key: other })
    expect(answer.status).toBe(200)
    expect(await readMetric(WAITED_CALLS)).toBe(waitsBefore + 3)
    for (const reader of readers) reader.close()
  })

  it('make its next large calls wait, without a charge, until it reads', async () => {
    const key = await createKey()
    const readers = await Promise.all(Array.from({ length: 2 }, () => openReader(key, NOT_AT_ALL)))
    await expect.poll(() => readMetric('vis_unsent_bytes_waiting_calls'), POLL).toBe(1)
    await expect.poll(() => readCredits(key), POLL).toBe(1)
    expect((await api.get(buildPath(20), { key })).status).toBe(200)

    for (const reader of readers) reader.setPace(AT_FULL_SPEED)
    for (const reader of readers) await reader.waitUntilClosed(100_000)
    expect(readers.map(({ received }) => JSON.parse(parseBody(received).toString()).data.length)).toEqual(
      Array.from({ length: 2 }, () => JSON.parse(buildLargeList(LARGE_KB).join('')).length),
    )
    expect(await readCredits(key)).toBe(3)
  })
})

describe('A client of a server that closes idle connections', async () => {
  const impatient = await startTestService({ endpoints: [...endpoints, largeProbe] })
  impatient.server.timeout = 500
  const { port } = impatient.api
  const getConnections = promisify(impatient.server.getConnections.bind(impatient.server))
  const countConnections = () => getConnections()
  const key = createTestKey()
  await impatient.given(account('pro').withKey(key))
  const request = (kilobytes: number) => buildRequest(key.key, kilobytes).replace('Connection: close\r\n', '')

  it('is disconnected if it pipelines calls with small responses and reads nothing', async () => {
    const reader = await openPacedReader(port, request(50).repeat(250), NOT_AT_ALL)
    await expect.poll(countConnections, POLL).toBe(1)
    await expect.poll(countConnections, POLL).toBe(0)
    reader.close()
  })

  it('receives a large response completely if it reads steadily and has pipelined a CONNECT request', async () => {
    const pipelined = `${request(LARGE_KB)}CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n`
    const reader = await openPacedReader(port, pipelined, { bytes: 400_000, everyMs: 40 })
    await reader.waitUntilClosed(100_000)
    expect(Buffer.concat(reader.received).includes('HTTP/1.1 405 Method Not Allowed')).toBe(true)
  })
})

describe('Unread responses that stay unread', () => {
  it("lead to 503 without a charge for the account's further large calls", async () => {
    const patient = await startTestService({
      endpoints: [...endpoints, largeProbe],
      environment: { UNSENT_MB_PER_ACCOUNT: '16' },
    })
    const key = createTestKey()
    await patient.given(account('pro').withKey(key))
    const reader = await openPacedReader(patient.api.port, buildRequest(key.key), NOT_AT_ALL)
    const readUnsent = async () => /^vis_unsent_bytes (\d+)$/m.exec(await patient.metrics.text())?.[1]
    await expect.poll(async () => Number(await readUnsent()), POLL).toBeGreaterThan(1_000_000)

    const { status, headers, json } = await patient.api.get(buildPath(15_000), { key: key.key })
    expect([status, json.error.code, headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '5'])
    expect(json.error.message).toMatch(/^This account has \d+\.\d MB of answers that its clients have not read\./)
    const { json: usage } = await patient.api.get('/api/v1/usage', { key: key.key })
    expect(usage.data.usage.credits_used).toBe(1)
    reader.close()
  })
})

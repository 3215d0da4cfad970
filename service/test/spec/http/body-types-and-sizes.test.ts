import { describe, expect, it } from 'vitest'
import { createTestKey } from '../../support/builders.ts'
import { bodyProbe, objectsProbe } from '../../support/probes.ts'
import { startTestService } from '../../support/service.ts'

const { api } = await startTestService({ endpoints: [bodyProbe, objectsProbe] })
const BATCH = '/api/v1/probe/cve/batch'

describe('HTTP: request body type and size (decisions B2 and B11)', () => {
  const good = '{"cve_ids":["CVE-2021-44228"]}'
  const post = (body: string | Buffer, headers = {}, key?: string) =>
    api.send('POST', BATCH, { body, headers, ...(key ? { key } : {}) })

  it('accepts a body of 64 KiB and returns 413 for a body that is one byte longer', async () => {
    expect((await post(good.padEnd(65_536))).status).toBe(200)
    const { status, json } = await post(good.padEnd(65_537))
    expect([status, json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(json.error.message).toBe('The body may have at most 65536 bytes (64 KiB).')
  })

  it("applies an endpoint's own size limit and names it in the error (decision B11)", async () => {
    const postObjects = (length: number) =>
      api.send('POST', '/api/v1/probe/objects', { body: '{"items":[{"cve_id":"CVE-2021-44228"}]}'.padEnd(length) })
    expect((await postObjects(256 * 1024)).status).toBe(200)
    const { status, json } = await postObjects(256 * 1024 + 1)
    expect([status, json.error.message]).toEqual([413, 'The body may have at most 262144 bytes (256 KiB).'])
  })

  it('applies the size limit to a chunked body', async () => {
    expect((await post(good.padEnd(65_537), { 'Transfer-Encoding': 'chunked' })).status).toBe(413)
    expect((await post(good, { 'Transfer-Encoding': 'chunked' })).status).toBe(200)
  })

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset="UTF-8"',
    undefined,
  ])('parses a body with Content-Type %s', async (type) => {
    expect((await post(good, type ? { 'Content-Type': type } : {})).status).toBe(200)
  })

  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json\t; a=b',
    'application/json,text/plain',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/ json',
    'unknown',
    ';',
    '/',
  ])('returns 415 for a body with Content-Type %j', async (type) => {
    const { status, json } = await post(good, { 'Content-Type': type })
    expect([status, json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  it.each(['gzip', 'br', 'identity, gzip'])('returns 415 for a body with Content-Encoding %s', async (encoding) => {
    const { status, json, headers } = await post(good, { 'Content-Encoding': encoding })
    expect([status, headers['accept-encoding']]).toEqual([415, 'identity'])
    expect(json.error.message).toBe('Send the body without compression and without Content-Encoding.')
    expect((await post(good, { 'Content-Encoding': 'identity' })).status).toBe(200)
  })

  it('checks the API key before the request body', async () => {
    expect((await post('{', { 'Content-Type': ';' }, 'abc')).status).toBe(401)
    expect((await post('x'.repeat(100_000), {}, createTestKey().key)).status).toBe(401)
  })

  it('returns 400 with parameter "body" for a body that is not UTF-8', async () => {
    const { json } = await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))
    expect(json.error.parameter).toBe('body')
  })
})

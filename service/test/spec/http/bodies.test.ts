import { describe, expect, it } from 'vitest'
import { bodyProbe, objectsProbe } from '../../support/probes.ts'
import { startTestService } from '../../support/service.ts'

const { api } = await startTestService({ endpoints: [bodyProbe, objectsProbe] })

const post = (body: unknown) =>
  api.send('POST', '/api/v1/probe/objects', {
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })

async function readIssues(body: unknown): Promise<{ parameter: string; message: string; suggestion?: string }[]> {
  const { status, json } = await post(body)
  expect(status).toBe(400)
  return json.error.details.errors
}

const ITEM = { cve_id: 'CVE-2021-44228' }

describe('Parameter validation: objects in a JSON body (decisions B6 and B11)', () => {
  it('parses texts, numbers, booleans and nested objects', async () => {
    const { status, json } = await post({
      items: [{ cve_id: 'cve-2021-44228', exposure: 'exposed', score: 9.8 }, ITEM],
      context: { is_strict: false },
      limit: 2,
    })
    expect([status, json.data]).toEqual([
      200,
      {
        items: [{ cve_id: 'CVE-2021-44228', exposure: 'exposed', score: 9.8 }, { cve_id: 'CVE-2021-44228' }],
        context: { is_strict: false },
        limit: 2,
      },
    ])
  })

  it('treats null as an absent member', async () => {
    const { json } = await post({ items: [{ ...ITEM, exposure: null }], context: null, limit: null })
    expect(json.data).toEqual({ items: [ITEM] })
  })

  it('names each error by its path and returns all errors at once', async () => {
    const issues = await readIssues({
      items: [ITEM, { cve_id: 'nonsense', exposure: 'exposd' }, 'text', { exposure: 'internal' }],
      context: { is_strict: 'true' },
      limit: '2',
    })
    expect(issues.map(({ parameter }) => parameter)).toEqual([
      'items[1].cve_id',
      'items[1].exposure',
      'items[2]',
      'items[3].cve_id',
      'context.is_strict',
      'limit',
    ])
    expect(issues[1]).toMatchObject({ suggestion: 'exposed', message: 'must be one of exposed, internal' })
    expect(issues[3]?.message).toMatch(/^is required: a CVE id/)
    expect(issues[4]?.message).toBe('must be true or false')
  })

  it('rejects an unknown member of an object and suggests a similar name', async () => {
    expect(await readIssues({ items: [{ ...ITEM, exposur: 'exposed' }], context: { mission: 'high' } })).toMatchObject([
      {
        parameter: 'items[0].exposur',
        suggestion: 'exposure',
        message: 'is not a member of items[0]; did you mean exposure?',
      },
      {
        parameter: 'context.mission',
        message: 'is not a member of context; allowed are exposure, is_strict',
      },
    ])
    expect(await readIssues({ items: [JSON.parse('{"cve_id":"CVE-2021-44228","__proto__":{}}')] })).toMatchObject([
      { parameter: 'items[0].__proto__' },
    ])
  })

  it.each([
    [{}, 'is required: an array of 1 to 500 objects'],
    [{ items: [] }, 'must be an array of 1 to 500 objects; 0 were sent'],
    [{ items: Array.from({ length: 501 }, () => ITEM) }, 'must be an array of 1 to 500 objects; 501 were sent'],
    [{ items: ITEM }, 'must be an array of 1 to 500 objects'],
  ])('says how many objects the list may contain (case %#)', async (body, message) => {
    expect(await readIssues(body)).toMatchObject([{ parameter: 'items', message }])
  })

  it.each([-1, 10.5, '9', true, [9]])('rejects %j as a number from 0 to 10', async (score) => {
    expect(await readIssues({ items: [{ ...ITEM, score }] })).toMatchObject([
      { parameter: 'items[0].score', message: 'must be a decimal number from 0 to 10' },
    ])
  })

  it('checks a rule on several fields only if the fields are valid', async () => {
    expect(await readIssues({ items: [ITEM], limit: 2 })).toMatchObject([
      { parameter: 'items', message: 'must have at least limit entries' },
    ])
    expect(await readIssues({ items: [{ cve_id: 'x' }], limit: 2 })).toMatchObject([{ parameter: 'items[0].cve_id' }])
  })

  it('answers a body with 500 invalid objects quickly, in at most 8 KiB, and says where checking stopped', async () => {
    const wrong = { cve_id: 'x', ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`expo${n}`, n])) }
    const started = performance.now()
    const { text, json } = await post({ items: Array.from({ length: 500 }, () => wrong) })
    expect(performance.now() - started).toBeLessThan(500)
    expect(text.length).toBeLessThan(8192)
    expect(json.error.message).toMatch(/^items\[0\]\.cve_id must be a CVE id/)
    expect(json.error.details.omitted_errors).toBeGreaterThan(10)
  })
})

describe('Parameter validation: JSON body (decisions B6 and B11)', () => {
  const postIds = async (body: string | Buffer) =>
    (await api.send('POST', '/api/v1/probe/cve/batch', { body, headers: { 'Content-Type': 'application/json' } })).json
      .error

  it.each(['', '{}'])('names the required field if the body is %j', async (body) => {
    const { message, details } = await postIds(body)
    expect(message).toMatch(/^cve_ids is required: an array of 1 to 3 items/)
    expect(details.errors[0]).toMatchObject({ parameter: 'cve_ids', value: null })
  })

  it.each([
    ['an empty list', '{"cve_ids":[]}', /1 to 3 items, each a CVE id such as CVE-2021-44228; 0 were sent$/],
    ['four ids', JSON.stringify({ cve_ids: Array(4).fill('CVE-2021-44228') }), /; 4 were sent$/],
    ['an invalid id', '{"cve_ids":["x"]}', /^each of cve_ids must be a CVE id such as CVE-2021-44228$/],
  ])('says what is wrong with %s', async (_mistake, body, message) => {
    expect((await postIds(body)).message).toMatch(message)
  })

  it('returns 400 with the parameter "body" for a body that is not UTF-8', async () => {
    expect((await postIds(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).parameter).toBe('body')
  })
})

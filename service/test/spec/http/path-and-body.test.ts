import { describe, expect, it } from 'vitest'
import { bodyProbe, pathProbe } from '../../support/probes.ts'
import { startTestService } from '../../support/service.ts'

const { api } = await startTestService({ endpoints: [pathProbe, bodyProbe] })

const post = (body: string) =>
  api.send('POST', '/api/v1/probe/cve/batch', { body, headers: { 'Content-Type': 'application/json' } })

describe('Parameter validation: CVE id in the path (decisions B4 and B5)', () => {
  it.each([
    'log4shell',
    'CVE-2021',
    'CVE-2021-123',
    'CVE-21-44228',
    'CVE-2021-44228x',
    `CVE-2021-${'1'.repeat(20)}`,
    'x'.repeat(300),
    'CVE-２０２１-44228',
    '__proto__',
    'ſve-2021-44228',
  ])('returns 400 with parameter "cve-id" for the path id %s', async (id) => {
    const { status, json } = await api.get(`/api/v1/probe/cve/${encodeURIComponent(id)}`)
    expect([status, json.error.parameter, json.error.value]).toEqual([400, 'cve-id', id.slice(0, 200)])
  })

  it('accepts a CVE id in any letter case and converts it to upper case', async () => {
    const { json } = await api.get('/api/v1/probe/cve/cVe-2021-44228')
    expect(json.data.path).toEqual({ 'cve-id': 'CVE-2021-44228' })
  })
})

describe('Parameter validation: JSON body (decisions B6 and B11)', () => {
  async function expectBodyRejection(body: string, parameter: string, value?: unknown) {
    const { status, json } = await post(body)
    expect([status, json.error?.parameter], body.slice(0, 60)).toEqual([400, parameter])
    if (value !== undefined) expect(json.error.value).toEqual(value)
    return json.error.details.errors[0]
  }

  it('parses a JSON body', async () => {
    expect((await post('{"cve_ids":["cve-2021-44228"]}')).json.data).toEqual({ cve_ids: ['CVE-2021-44228'] })
  })

  it.each([' ', '{', 'not json', '{"cve_ids": ["CVE-2021-44228"],}', "{'cve_ids': []}", '{"cve_ids": ["\xff"]'])(
    'returns 400 with parameter "body" for the malformed body %j',
    async (body) => {
      await expectBodyRejection(body, 'body')
    },
  )

  it.each(['[]', 'null', '"text"', '5'])(
    'returns 400 with parameter "body" for the non-object body %s',
    async (body) => {
      await expectBodyRejection(body, 'body')
    },
  )

  it('reports the field and the first invalid item of a list in the body', async () => {
    await expectBodyRejection('{"cve_ids":["CVE-2021-44228","nonsense"]}', 'cve_ids', 'nonsense')
    await expectBodyRejection('{"cve_ids":[44228]}', 'cve_ids', 44228)
    await expectBodyRejection('{"cve_ids":[null]}', 'cve_ids', null)
  })

  it('reports the field name for a missing list and for a list of the wrong length', async () => {
    await expectBodyRejection('{}', 'cve_ids', null)
    await expectBodyRejection('{"cve_ids":null}', 'cve_ids', null)
    await expectBodyRejection('{"cve_ids":[]}', 'cve_ids', null)
    await expectBodyRejection(
      '{"cve_ids":["CVE-2021-0001","CVE-2021-0002","CVE-2021-0003","CVE-2021-0004"]}',
      'cve_ids',
      null,
    )
    await expectBodyRejection('{"cve_ids":"CVE-2021-44228"}', 'cve_ids')
  })

  it('names the required field if the body is empty or lacks the field', async () => {
    const expected = { parameter: 'cve_ids', value: null, message: expect.stringMatching(/^is required: an array of/) }
    expect(await expectBodyRejection('', 'cve_ids', null)).toMatchObject(expected)
    expect(await expectBodyRejection('{}', 'cve_ids', null)).toMatchObject(expected)
    expect((await post('')).json.error.message).toMatch(/^cve_ids is required: an array of 1 to 3 items/)
  })

  it('rejects unknown members of the body, including __proto__ and constructor', async () => {
    expect(await expectBodyRejection('{"cve_ids":["CVE-2021-44228"],"cve_id":1}', 'cve_id')).toMatchObject({
      did_you_mean: 'cve_ids',
    })
    await expectBodyRejection('{"cve_ids":["CVE-2021-44228"],"__proto__":{"x":1}}', '__proto__')
    await expectBodyRejection('{"cve_ids":["CVE-2021-44228"],"constructor":1}', 'constructor')
  })

  it('returns 400 for a body nested 20,000 levels deep', async () => {
    await expectBodyRejection(`{"cve_ids":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'cve_ids')
  })

  it('rejects an unknown query parameter of a request with a body', async () => {
    const { json } = await api.send('POST', '/api/v1/probe/cve/batch?colour=red', {
      body: '{"cve_ids":["CVE-2021-44228"]}',
    })
    expect(json.error).toMatchObject({ parameter: 'colour', value: 'red' })
  })
})

import { describe, expect, it } from 'vitest'
import { bodyProbe, pathProbe } from '../../support/probes.ts'
import { testService } from '../../support/service.ts'

const { api } = await testService({ endpoints: [pathProbe, bodyProbe] })

const post = (body: string) =>
  api.send('POST', '/api/v1/probe/cve/batch', { body, headers: { 'Content-Type': 'application/json' } })

describe('An id in the path (B4, B5)', () => {
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
  ])('%s is 400 naming cve-id', async (id) => {
    const { status, json } = await api.get(`/api/v1/probe/cve/${encodeURIComponent(id)}`)
    expect([status, json.error.parameter, json.error.value]).toEqual([400, 'cve-id', id.slice(0, 200)])
  })

  it('comes in any letter case and goes out in upper case', async () => {
    const { json } = await api.get('/api/v1/probe/cve/cVe-2021-44228')
    expect(json.data.path).toEqual({ 'cve-id': 'CVE-2021-44228' })
  })
})

describe('A JSON body (B6, B11)', () => {
  async function refusesBody(body: string, parameter: string, value?: unknown) {
    const { status, json } = await post(body)
    expect([status, json.error?.parameter], body.slice(0, 60)).toEqual([400, parameter])
    if (value !== undefined) expect(json.error.value).toEqual(value)
    return json.error.details.errors[0]
  }

  it('is read', async () => {
    expect((await post('{"cve_ids":["cve-2021-44228"]}')).json.data).toEqual({ cve_ids: ['CVE-2021-44228'] })
  })

  it.each(['', '{', 'not json', '{"cve_ids": ["CVE-2021-44228"],}', "{'cve_ids': []}", '{"cve_ids": ["\xff"]'])(
    'malformed (%j) names body',
    async (body) => {
      await refusesBody(body, 'body')
    },
  )

  it.each(['[]', 'null', '"text"', '5'])('that is no object (%s) names body', async (body) => {
    await refusesBody(body, 'body')
  })

  it('with faulty items names the field and the first faulty item', async () => {
    await refusesBody('{"cve_ids":["CVE-2021-44228","nonsense"]}', 'cve_ids', 'nonsense')
    await refusesBody('{"cve_ids":[44228]}', 'cve_ids', 44228)
    await refusesBody('{"cve_ids":[null]}', 'cve_ids', null)
  })

  it('with too few, too many or no items names the field', async () => {
    await refusesBody('{}', 'cve_ids', null)
    await refusesBody('{"cve_ids":null}', 'cve_ids', null)
    await refusesBody('{"cve_ids":[]}', 'cve_ids', null)
    await refusesBody('{"cve_ids":["CVE-2021-0001","CVE-2021-0002","CVE-2021-0003","CVE-2021-0004"]}', 'cve_ids', null)
    await refusesBody('{"cve_ids":"CVE-2021-44228"}', 'cve_ids')
  })

  it('with unknown keys is refused, prototypes included', async () => {
    expect(await refusesBody('{"cve_ids":["CVE-2021-44228"],"cve_id":1}', 'cve_id')).toMatchObject({
      did_you_mean: 'cve_ids',
    })
    await refusesBody('{"cve_ids":["CVE-2021-44228"],"__proto__":{"x":1}}', '__proto__')
    await refusesBody('{"cve_ids":["CVE-2021-44228"],"constructor":1}', 'constructor')
  })

  it('that is very deep is 400, not 500', async () => {
    await refusesBody(`{"cve_ids":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'cve_ids')
  })

  it('does not excuse an unknown query parameter', async () => {
    const { json } = await api.send('POST', '/api/v1/probe/cve/batch?colour=red', {
      body: '{"cve_ids":["CVE-2021-44228"]}',
    })
    expect(json.error).toMatchObject({ parameter: 'colour', value: 'red' })
  })
})

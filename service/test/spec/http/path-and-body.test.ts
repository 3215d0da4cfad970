import { describe, expect, it } from 'vitest'
import { bodyProbe } from '../../support/probes.ts'
import { startTestService } from '../../support/service.ts'

const { api } = await startTestService({ endpoints: [bodyProbe] })

const post = (body: string) =>
  api.send('POST', '/api/v1/probe/cve/batch', { body, headers: { 'Content-Type': 'application/json' } })

describe('Parameter validation: JSON body (decisions B6 and B11)', () => {
  async function expectBodyRejection(body: string, parameter: string, value?: unknown) {
    const { status, json } = await post(body)
    expect([status, json.error?.parameter], body.slice(0, 60)).toEqual([400, parameter])
    if (value !== undefined) expect(json.error.value).toEqual(value)
    return json.error.details.errors[0]
  }

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
})

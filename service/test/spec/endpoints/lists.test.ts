import { describe, expect, it } from 'vitest'
import { parameterProbe } from '../../support/probes.ts'
import { startTestService } from '../../support/service.ts'

const { api } = await startTestService({ endpoints: [parameterProbe] })

const get = (query: string) => api.get(`/api/v1/probe/parameters?${query}`)
const parse = async (query: string) => (await get(query)).json.data

async function expectRejection(query: string, parameter: string, value: unknown) {
  const { status, json } = await get(query)
  expect([status, json.error?.parameter, json.error?.value], query).toEqual([400, parameter, value])
  expect(json.error.details.errors[0]).toMatchObject({ parameter, value })
  return json.error.details.errors[0]
}

describe('Parameter validation: long lists', () => {
  it('reports each invalid list item once, and rejects a list with too many invalid items', async () => {
    const { json } = await get(`severity=${'x,y,'.repeat(1000)}`)
    expect(json.error.details.errors).toHaveLength(2)
    const many = Array.from({ length: 101 }, (_, index) => `x${index}`).join(',')
    await expectRejection(`severity=${many}`, 'severity', null)
  })

  it('accepts a list of valid values as long as the URL allows', async () => {
    expect(await parse(`severity=${'low,'.repeat(1500)}`)).toMatchObject({ severity: ['low'] })
  })
})

describe('Parameter validation: spaces in lists', () => {
  it('ignores spaces around the commas of a list', async () => {
    expect(await parse('ids=CVE-2021-0001,%20CVE-2021-0002&severity=high+,+low')).toMatchObject({
      ids: ['CVE-2021-0001', 'CVE-2021-0002'],
      severity: ['high', 'low'],
    })
    expect(await parse('severity=%20,%20')).not.toHaveProperty('severity')
  })

  it('rejects a list of ids that contains only spaces, which would match every CVE', async () => {
    await expectRejection('ids=%20,', 'ids', '')
  })
})

describe('Parameter validation: lists of CVE ids', () => {
  it('converts CVE ids to upper case and drops duplicates', async () => {
    expect(await parse('ids=cve-2021-44228,CVE-2021-44228')).toMatchObject({ ids: ['CVE-2021-44228'] })
  })

  it('reports the value of an invalid item in a list of ids', async () => {
    const { error } = (await get('ids=CVE-2021-0001,nonsense')).json
    expect(error.message).toBe('each of ids must be a CVE id such as CVE-2021-44228')
    expect(error.details.errors).toEqual([
      {
        parameter: 'ids',
        value: 'nonsense',
        message: 'must be a CVE id such as CVE-2021-44228',
        allowed: ['a CVE id such as CVE-2021-44228'],
      },
    ])
    expect((await get('ids=%FF')).json.error.message).toBe('ids must be valid percent-encoded UTF-8')
  })

  it('rejects a list with more ids than allowed', async () => {
    await expectRejection('ids=CVE-2021-0001,CVE-2021-0002,CVE-2021-0003,CVE-2021-0004', 'ids', null)
  })
})

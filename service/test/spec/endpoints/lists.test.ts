import { describe, expect, it } from 'vitest'
import { parameterProbe } from '../../support/probes.ts'
import { testService } from '../../support/service.ts'

const { api } = await testService({ endpoints: [parameterProbe] })

const get = (query: string) => api.get(`/api/v1/probe/parameters?${query}`)
const understood = async (query: string) => (await get(query)).json.data

async function refuses(query: string, parameter: string, value: unknown) {
  const { status, json } = await get(query)
  expect([status, json.error?.parameter, json.error?.value], query).toEqual([400, parameter, value])
  expect(json.error.details.errors[0]).toMatchObject({ parameter, value })
  return json.error.details.errors[0]
}

describe('Long lists', () => {
  it('report each faulty item once, and are bounded', async () => {
    const { json } = await get(`severity=${'x,y,'.repeat(1000)}`)
    expect(json.error.details.errors).toHaveLength(2)
    const many = Array.from({ length: 101 }, (_, index) => `x${index}`).join(',')
    await refuses(`severity=${many}`, 'severity', null)
  })

  it('of allowed words may be as long as the URL', async () => {
    expect(await understood(`severity=${'low,'.repeat(1500)}`)).toMatchObject({ severity: ['low'] })
  })
})

describe('Blanks around the commas of a list', () => {
  it('change nothing', async () => {
    expect(await understood('ids=CVE-2021-0001,%20CVE-2021-0002&severity=high+,+low')).toMatchObject({
      ids: ['CVE-2021-0001', 'CVE-2021-0002'],
      severity: ['high', 'low'],
    })
    expect(await understood('severity=%20,%20')).not.toHaveProperty('severity')
  })

  it('do not make a list of ids empty, and so everything', async () => {
    await refuses('ids=%20,', 'ids', '')
  })
})

describe('Lists of ids', () => {
  it('are upper-cased, and folded', async () => {
    expect(await understood('ids=cve-2021-44228,CVE-2021-44228')).toMatchObject({ ids: ['CVE-2021-44228'] })
  })

  it('are spoken of one by one', async () => {
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

  it('beyond their limit are refused as a whole', async () => {
    await refuses('ids=CVE-2021-0001,CVE-2021-0002,CVE-2021-0003,CVE-2021-0004', 'ids', null)
  })
})

import { describe, expect, it } from 'vitest'
import { formatInstant } from '../../../../src/domain/instant.ts'
import { cve } from '../../../support/catalog/cve-builder.ts'
import { countedNames } from '../../../support/catalog/cve-names.ts'
import { startTestService } from '../../../support/service.ts'

const { api, clock, given } = await startTestService()
const published = formatInstant(clock.now())
await given(
  cve('CVE-2026-1001', { published, products: ['microsoft/exchange_server'] }),
  cve('CVE-2026-1002', { published, products: ['apple/ios', 'apple/ios,_ipados,_and_macos'] }),
  cve('CVE-2026-1003', { published, products: ['cisco/ios'] }),
  countedNames(),
)

const read = async (query: string, path = 'cves') => {
  const { status, json } = await api.get(`/api/v1/${path}?${query}`)
  const ids = json.data.cves.map((each: { cve_id: string }) => each.cve_id).sort()
  return { status, ids, unknown: json.data.did_you_mean }
}
const encode = (name: string) => encodeURIComponent(name)

describe('Unknown names in filters of CVE lists (decision E37)', () => {
  it.each(['cves', 'cves/recent'])('of %s give an empty list with similar names', async (path) => {
    expect(await read('product_vendor=Microsft&product=exchnage', path)).toMatchObject({
      status: 200,
      ids: [],
      unknown: [
        { parameter: 'product_vendor', value: 'microsft', suggestions: [{ value: 'microsoft', count: 1 }] },
        {
          parameter: 'product',
          value: 'exchnage',
          suggestions: [{ value: 'exchange_server', vendor: 'microsoft', count: 1 }],
        },
      ],
    })
  })

  it('have no suggestions if no name is similar', async () => {
    expect((await read('product=zzzzzz')).unknown).toEqual([{ parameter: 'product', value: 'zzzzzz', suggestions: [] }])
  })

  it('are named beside known ones, whose CVEs are listed', async () => {
    expect(await read('product_vendor=microsft,apple')).toMatchObject({
      ids: ['CVE-2026-1002'],
      unknown: [{ value: 'microsft' }],
    })
  })

  it('are not named if every name is known but no CVE matches', async () => {
    expect(await read('product_vendor=apple&product=exchange_server')).toMatchObject({ ids: [], unknown: undefined })
    expect(await read('product_vendor=Apple%20Inc.&severity_max=0')).toMatchObject({ ids: [], unknown: undefined })
  })
})

describe('Names with commas in filters', () => {
  it('are one name if the catalog has it', async () => {
    expect(await read(`product=${encode('iOS, iPadOS, and macOS')}`)).toMatchObject({
      ids: ['CVE-2026-1002'],
      unknown: undefined,
    })
  })

  it('are a list otherwise', async () => {
    expect(await read(`product=${encode('ios,exchange_server')}`)).toMatchObject({
      ids: ['CVE-2026-1001', 'CVE-2026-1002', 'CVE-2026-1003'],
    })
  })

  it('can be sent beside other names as parameters of their own', async () => {
    expect(await read(`product=${encode('iOS, iPadOS, and macOS')}&product=exchange_server`)).toMatchObject({
      ids: ['CVE-2026-1001', 'CVE-2026-1002'],
    })
  })

  it('can end in a legal form of a vendor', async () => {
    expect(await read(`product_vendor=${encode('Apple, Inc.')}`)).toMatchObject({
      ids: ['CVE-2026-1002'],
      unknown: undefined,
    })
    expect((await read(`product_vendor=${encode('Aple, Inc.')}`)).unknown).toMatchObject([{ value: 'aple' }])
  })
})

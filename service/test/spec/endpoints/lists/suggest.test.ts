import { describe, expect, it } from 'vitest'
import { cve } from '../../../support/catalog/cve-builder.ts'
import { countedNames } from '../../../support/catalog/cve-names.ts'
import { startTestService } from '../../../support/service.ts'

const { api, given } = await startTestService()

let number = 7000
/** Stores `count` CVEs with the given products and names. */
const cves = (count: number, options: Parameters<typeof cve>[1]) =>
  Array.from({ length: count }, () => cve(`CVE-2026-${++number}`, options))

await given(
  ...cves(3, { products: ['fortinet/fortios', 'fortinet/fortiproxy'], cwes: ['CWE-79'], assigner: 'Fortinet' }),
  ...cves(2, { products: ['fortinet/fortiweb'], cwes: ['CWE-89', 'CWE-79'], assigner: 'GitHub_M' }),
  ...cves(1, { products: ['microsoft/internet_explorer'], cwes: ['CWE-790'], techniques: ['T1059.001'] }),
  ...cves(1, { products: ['microsoft/exchange_server', 'devolutions/remote_desktop_manager'], cwes: [] }),
  ...cves(1, { products: ['forte/fortios'], cwes: [], assigner: null, techniques: ['T1190'] }),
  ...cves(1, { products: ['google/chrome', '100%_free/50%_off', 'a_b/a_b_c'], cwes: [] }),
  countedNames({
    'CWE-89': 'SQL Injection',
    'CWE-79': "Web Page Generation ('Cross-site Scripting')",
    T1059: 'Interpreter',
  }),
)

const send = (query: string) => api.get(`/api/v1/suggest?${query}`)
const suggest = async (of: string, q: string, limit = 10) =>
  (await send(`of=${of}&q=${encodeURIComponent(q)}&limit=${limit}`)).json.data.suggestions
const suggestValues = async (of: string, q: string) =>
  (await suggest(of, q)).map(({ value }: { value: string }) => value)

describe('GET /api/v1/suggest', () => {
  it('returns products that begin with the text, those with the most CVEs first', async () => {
    expect(await suggest('product', 'forti')).toEqual([
      { value: 'fortios', vendor: 'fortinet', count: 3 },
      { value: 'fortiproxy', vendor: 'fortinet', count: 3 },
      { value: 'fortiweb', vendor: 'fortinet', count: 2 },
      { value: 'fortios', vendor: 'forte', count: 1 },
    ])
  })

  it('returns the name that equals the text first', async () => {
    expect((await suggest('cwe', '79'))[0]).toEqual({
      value: 'CWE-79',
      title: "Web Page Generation ('Cross-site Scripting')",
      count: 5,
    })
    expect((await suggest('product', 'fortiweb'))[0]).toMatchObject({ value: 'fortiweb' })
  })

  it.each([
    ['product', 'fortois', 'fortios'],
    ['product', 'chorme', 'chrome'],
    ['product', 'chrrome', 'chrome'],
    ['product', 'Inernet Explorer', 'internet_explorer'],
    ['product', 'exchnage', 'exchange_server'],
    ['product', 'exchnage serve', 'exchange_server'],
    ['product', 'Microsoft Exchnage', 'exchange_server'],
    ['product', 'desktpo', 'remote_desktop_manager'],
    ['vendor', 'microsft', 'microsoft'],
    ['vendor', 'Fortinet, Inc.', 'fortinet'],
    ['vendor', 'micorsoft', 'microsoft'],
    ['vendor', 'fortnet', 'fortinet'],
    ['assigner', 'fortinett', 'Fortinet'],
  ])('of=%s finds the name despite the typo in %s', async (of, q, value) => {
    expect((await suggestValues(of, q))[0]).toBe(value)
  })

  it('counts a CVE once per vendor', async () => {
    expect(await suggest('vendor', 'fo')).toEqual([
      { value: 'fortinet', count: 5 },
      { value: 'forte', count: 1 },
    ])
  })

  it('finds weaknesses and techniques by id, by number and by words in the title', async () => {
    expect(await suggestValues('cwe', 'cwe-7')).toEqual(['CWE-79', 'CWE-790'])
    expect(await suggestValues('cwe', 'inj sql')).toEqual(['CWE-89'])
    expect(await suggestValues('cwe', 'CROSS-SITE')).toEqual(['CWE-79'])
    expect(await suggestValues('technique', '1059')).toEqual(['T1059', 'T1059.001'])
    expect(await suggestValues('technique', 'interpreter')).toEqual(['T1059'])
    expect(await suggestValues('assigner', 'github')).toEqual(['GitHub_M'])
  })

  it.each(['%%', '__', '5%_o', "'; drop table", '\\\\', '.*'])(
    'gives the characters in %j no special meaning',
    async (q) => {
      expect(await suggest('product', q)).toEqual([])
    },
  )

  it('finds names with the characters % and _', async () => {
    expect(await suggestValues('product', '50%_')).toEqual(['50%_off'])
    expect(await suggestValues('vendor', 'a_')).toEqual(['a_b'])
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { cve } from '../../support/catalog/cve-builder.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService()

/** Published one after the other, so that the default order differs from the order by relevance. */
const CVES = [
  cve('CVE-2021-44228', {
    published: '2021-12-10T00:00:00Z',
    description: 'JNDI features do not protect against endpoints that attackers control.',
    names: ['Log4Shell', 'Apache Log4j2 Remote Code Execution Vulnerability'],
    products: ['apache/log4j', 'cisco/unified_contact_center'],
  }),
  cve('CVE-2021-45046', {
    published: '2021-12-14T00:00:00Z',
    description: 'The fix of CVE-2021-44228 was incomplete.',
    products: ['apache/log4j'],
  }),
  cve('CVE-2022-1000', {
    published: '2022-01-01T00:00:00Z',
    description: 'A web page mentions log4j, log4shell, Exchange and a flaw in mod_ssl.',
    products: ['examplesoft/page'],
  }),
  cve('CVE-2022-2000', {
    published: '2022-01-02T00:00:00Z',
    description: 'Deserialization of untrusted data.',
    names: ['ProxyExample'],
    products: ['microsoft/exchange_server'],
  }),
  cve('CVE-2022-3000', {
    published: '2022-01-03T00:00:00Z',
    description: 'The page admin.php of a shop accepts SQL; mod and ssl are apart.',
    products: ['fortinet/fortios'],
  }),
]
beforeAll(() => service.given(...CVES))

async function search(q: string, sort = 'relevance'): Promise<readonly string[]> {
  const answer = await service.api.get(`/api/v1/cves?q=${encodeURIComponent(q)}&sort=${sort}`)
  expect(answer.status, q).toBe(200)
  return answer.json.data.cves.map(({ cve_id }: { cve_id: string }) => cve_id)
}

describe('GET /api/v1/cves: words of names', () => {
  it.each([
    ['log4shell', 'CVE-2021-44228'],
    ['LOG4SHELL', 'CVE-2021-44228'],
    ['log4j', 'CVE-2021-44228'],
    ['apache', 'CVE-2021-44228'],
    ['apache log4j', 'CVE-2021-44228'],
    ['CVE-2021-44228', 'CVE-2021-44228'],
    ['CVE-2021-45046', 'CVE-2021-45046'],
    ['exchange', 'CVE-2022-2000'],
    ['"microsoft exchange"', 'CVE-2022-2000'],
    ['proxyexample', 'CVE-2022-2000'],
    ['fortinet', 'CVE-2022-3000'],
    ['fortios', 'CVE-2022-3000'],
    ['mod_ssl', 'CVE-2022-1000'],
    ['admin.php', 'CVE-2022-3000'],
    ['log4j -jndi -mentions', 'CVE-2021-45046'],
    ['fortios OR proxyexample -shop', 'CVE-2022-2000'],
    ['unified_contact', 'CVE-2021-44228'],
    ['cisco contact', 'CVE-2021-44228'],
  ])('a search for %s returns %s first', async (q, id) => {
    expect((await search(q))[0]).toBe(id)
  })

  it('are found in every sort order', async () => {
    expect(await search('microsoft', 'published_asc')).toEqual(['CVE-2022-2000'])
    expect(await search('log4j', 'published_desc')).toEqual(['CVE-2022-1000', 'CVE-2021-45046', 'CVE-2021-44228'])
  })

  it('are counted by facets of the same search', async () => {
    const answer = await service.api.get('/api/v1/cves/facets?q=apache%20-cisco&facets=severity')
    expect(answer.json.data).toMatchObject({ counted: 1, is_complete: true })
  })
})

describe('GET /api/v1/cves: operators of q', () => {
  it.each([
    ['-windows', 'only excludes words'],
    ['tomcat OR -windows', 'joins an excluded word by OR'],
    [Array.from({ length: 11 }, (_, index) => `word${index}`).join(' OR '), 'joins 11 alternatives by OR'],
  ])('returns 400 with advice for %s', async (q, message) => {
    const answer = await service.api.get(`/api/v1/cves?q=${encodeURIComponent(q)}`)
    expect(answer.status).toBe(400)
    expect(answer.json.error.details.errors[0]).toMatchObject({ parameter: 'q' })
    expect(answer.json.error.details.errors[0].message).toContain(message)
  })

  it('gives a cursor that is valid for the same words in another spelling, and for no other words', async () => {
    const first = await service.api.get('/api/v1/cves?q=log4j%20OR%20fortios&limit=1')
    const next = first.json.data.pagination.nextCursor
    const read = (q: string) =>
      service.api.get(`/api/v1/cves?q=${encodeURIComponent(q)}&limit=1&after=${encodeURIComponent(next)}`)
    expect((await read(' LOG4J   OR FortiOS ')).status).toBe(200)
    expect((await read('log4j or fortios')).status).toBe(400)
    expect((await read('log4j fortios')).status).toBe(400)
  })

  it('answers a text of 256 characters of any kind', async () => {
    for (const text of ['"', '-', 'a ', 'OR ', 'a.', '"a" ', `'&|!()`])
      expect((await service.api.get(`/api/v1/cves?q=x%20${encodeURIComponent(text.repeat(40))}`)).status).toBe(200)
  })
})

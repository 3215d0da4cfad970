// Matches products whose CVEs are known from the vendors' own pages with the whole published catalog.
import { describe, expect, it } from 'vitest'
import type { MatchedComponent } from '../../../service/src/matching/match.ts'
import { findPublishedCatalog, match, type NamedComponent, openPublishedCatalog } from './published-catalog.ts'

const url = findPublishedCatalog('the test of well-known products on the whole catalog')

const cpe = (part: string, ...name: readonly string[]): NamedComponent => ({
  cpe: `cpe:2.3:${part}:${name.join(':')}:${Array(11 - 1 - name.length)
    .fill('*')
    .join(':')}`,
})

const LOG4SHELL = ['CVE-2021-44228', 'CVE-2021-44832', 'CVE-2021-45046', 'CVE-2021-45105']

describe.skipIf(url === undefined)('Matching with the whole catalog', () => {
  const db = openPublishedCatalog(url ?? 'postgres://127.0.0.1/none')

  async function matchOne(component: NamedComponent): Promise<MatchedComponent> {
    const [matched] = await match(db, [component])
    if (matched === undefined) throw new Error('There is no answer.')
    const { verdict, matches, weakerCount, unorderedCount, upgrade } = matched
    const counts = `${matches.length} listed, ${weakerCount} weaker, ${unorderedCount} unordered`
    process.stdout.write(`${JSON.stringify(component)}: ${verdict}, ${counts}, upgrade to ${upgrade?.version}\n`)
    return matched
  }
  const listIds = ({ matches }: MatchedComponent) => matches.map(({ subject }) => subject.id).sort()

  it('lists the nine CVEs of Apache httpd 2.4.59, and no others', async () => {
    const matched = await matchOne(cpe('a', 'apache', 'http_server', '2.4.59'))
    // Fixed in 2.4.60, the last one in 2.4.62, according to httpd.apache.org.
    expect(listIds(matched)).toEqual([
      'CVE-2024-36387',
      ...[38472, 38473, 38474, 38475, 38476, 38477, 39573, 40898].map((number) => `CVE-2024-${number}`),
    ])
    expect(matched).toMatchObject({ verdict: 'affected', weakerCount: 12, upgrade: { version: '2.4.62' } })
  })

  it.each([
    ['CPE name', cpe('a', 'apache', 'log4j', '2.14.1')],
    ['package URL', { purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1' }],
  ])('lists the four CVEs of Log4j 2.14.1 when given its %s', async (_, component) => {
    const matched = await matchOne(component)
    expect(listIds(matched)).toEqual(LOG4SHELL)
    expect(matched).toMatchObject({ verdict: 'affected', weakerCount: 0, upgrade: { version: '2.17.1' } })
  })

  it.each([
    ['an update', '11.1.2:h1', '11.1.2:h3'],
    ['part of the version', '11.1.2-h1', '11.1.2-h3'],
  ])('lists CVE-2024-3400 for PAN-OS 11.1.2-h1 and not for -h3, with the hotfix as %s', async (_, first, third) => {
    const [affected, fixed] = [first, third].map((version) =>
      cpe('o', 'paloaltonetworks', 'pan-os', ...version.split(':')),
    )
    if (affected === undefined || fixed === undefined) throw new Error('There are no components.')
    expect(listIds(await matchOne(affected))).toContain('CVE-2024-3400')
    const ids = listIds(await matchOne(fixed))
    expect(ids).not.toContain('CVE-2024-3400')
    // The series 10.0 is affected without an end, and 11.1 is not affected.
    expect(ids).not.toContain('CVE-2023-6793')
    expect(ids).toContain('CVE-2024-0012')
  })

  it('lists the CVEs of OpenSSL 3.0.7 when given its vendor and product', async () => {
    const matched = await matchOne({ vendor: 'openssl', product: 'openssl', version: '3.0.7' })
    const ids = listIds(matched)
    // Fixed in 3.0.8, 3.0.9, 3.0.10, 3.0.13, 3.0.14, 3.0.15 and 3.0.16, according to openssl-library.org.
    for (const year2023 of ['0215', '0216', '0217', '0286', '0401', '0464', '1255', '2650', '3446', '3817', '5678'])
      expect(ids).toContain(`CVE-2023-${year2023}`)
    for (const year2024 of [2511, 4603, 4741, 5535, 6119, 9143]) expect(ids).toContain(`CVE-2024-${year2024}`)
    // Fixed in 3.0.7, or introduced in 3.2.
    for (const other of ['CVE-2022-3602', 'CVE-2022-3786', 'CVE-2024-12797']) expect(ids).not.toContain(other)
    expect(matched).toMatchObject({ verdict: 'affected', weakerCount: 0, unorderedCount: 0 })
  })

  it('orders the OpenSSL letter releases from 1.0.2k to za, and suggests upgrades within the series', async () => {
    const matched = await matchOne(cpe('a', 'openssl', 'openssl', '1.0.2k'))
    expect(matched.unorderedCount).toBe(0)
    expect(matched.upgrade?.version).toMatch(/^1\.0\.2z[a-z]$/)
  })
})

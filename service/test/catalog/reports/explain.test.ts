import { expect, it } from 'vitest'
import type { SourceData } from '../../../src/catalog/model/source-data.ts'
import { explain } from '../../../src/catalog/reports/explain.ts'
import { resolve } from '../../../src/catalog/resolve/resolve.ts'
import {
  CISA,
  configurations,
  cve,
  kevEntry,
  match,
  notice,
  nvd,
  nvdRating,
  override,
  record,
  sourceData,
  VECTORS,
} from '../builders.ts'

function explainAll(given: SourceData) {
  const resolved = resolve(given)
  if (resolved === undefined) throw new Error('the source data resolve to no record')
  return explain({ sourceData: given, resolved, techniques: { ids: [], mapping: null } })
}

const findLine = (given: SourceData, name: string) => explainAll(given).find((each) => each.name === name)

const rated = nvd({
  configurations: configurations(match('router')),
  metrics: {
    cvssMetricV31: [
      nvdRating('nvd@nist.gov', VECTORS['9.8'], 9.6, 'Primary'),
      nvdRating('security@apache.org', VECTORS['7.5'], 7.5),
    ],
  },
})

it('explain report shows the provider of a score, the stated score and the next score in order of precedence', () => {
  expect(findLine(sourceData([rated]), 'cvss 3.x')).toEqual({
    name: 'cvss 3.x',
    value: `9.8 (3.1) ${VECTORS['9.8']}, stated as 9.6`,
    by: 'nvd',
    time: '2026-08-10T09:30:00Z',
    runnersUp: [`7.5 (3.1) ${VECTORS['7.5']} by cna:apache`],
  })
})

it('explain report shows the number of CPE matches and the number of matches from other providers', () => {
  const anchore = override(configurations(match('router'), match('switch')))
  expect(findLine(sourceData([rated, anchore]), 'cpe')).toMatchObject({
    value: '1 match',
    by: 'nvd',
    runnersUp: ['2 matches by anchore'],
  })
  const versions = [{ version: '1', status: 'affected' }]
  const byProductName = cve({ cna: { affected: [{ vendor: 'ExampleSoft', product: 'Router', versions }] } })
  expect(findLine(sourceData([byProductName]), 'cpe')).toMatchObject({
    value: '1 match, derived',
    by: 'cna:apache',
  })
})

it('explain report shows all values of the SSVC assessment and the older assessments', () => {
  const assess = (timestamp: string) => ({
    source: CISA,
    ssvcData: { timestamp, options: [{ exploitation: 'poc' }, { technicalImpact: 'total' }] },
  })
  const metrics = { ssvcV203: [assess('2026-07-01T00:00:00Z'), assess('2026-07-02T00:00:00Z')] }
  const given = sourceData([nvd({ metrics })])
  expect(findLine(given, 'technical impact')).toEqual({
    name: 'technical impact',
    value: 'total',
    by: 'cisa-adp',
    time: '2026-07-02',
    runnersUp: [],
  })
  expect(findLine(given, 'automatable')).toMatchObject({ value: '–' })
})

it('explain report shows the KEV entry, the EPSS score, notices and exploit items', () => {
  const repository = {
    id: 'a/b',
    kind: 'repository',
    title: 'a/b',
    url: 'https://a.example',
    published: null,
    rank: null,
    firstSeen: null,
  }
  const given = sourceData([rated], {
    kev: kevEntry({ removedAt: new Date('2026-08-09T00:00:00Z') }),
    epssScore: 0.5,
    notices: [notice('2026-08-01T00:00:00Z')],
    exploits: [
      { ...repository, feed: 'poc' },
      { ...repository, feed: 'exploitdb' },
      { ...repository, feed: 'poc', id: 'c/d' },
    ],
  })
  const removed = 'added 2026-08-02, removed 2026-08-09T00:00:00Z by cisa-kev'
  expect(explainAll(given).slice(-5)).toEqual([
    { name: 'kev', value: '–', by: '', time: '', runnersUp: [removed] },
    { name: 'epss', value: '0.5', by: 'epss', time: '', runnersUp: [] },
    { name: 'notices', value: '1 notice', by: 'acsc', time: '2026-08-01T00:00:00Z', runnersUp: [] },
    { name: 'exploits', value: '1 item by exploitdb; 2 items by poc', by: 'exploitdb, poc', time: '', runnersUp: [] },
    { name: 'techniques', value: '–', by: '', time: '', runnersUp: [] },
  ])
})

it('explain report shows a dash for every missing value of a CVE that only KEV lists', () => {
  const dashed = explainAll(sourceData([], { kev: kevEntry() })).filter(({ value }) => value === '–')
  expect(dashed.map(({ name }) => name)).toEqual([
    'score',
    'severity word',
    'tags',
    'cvss 3.x',
    'cvss 4.0',
    'cvss 2.0',
    'weaknesses',
    'cpe',
    'affected',
    'references',
    'exploitation',
    'automatable',
    'technical impact',
    'fix',
    'conclusions',
    'epss',
    'notices',
    'exploits',
    'techniques',
  ])
})

it('explain report names the product and branch of a fixed version, and marks it downstream or derived', () => {
  const fixedIn = (...ends: readonly ReturnType<typeof match>[]) => nvd({ configurations: configurations(...ends) })
  const until = (versionEndExcluding: string, versionStartIncluding: string) =>
    match('router', { versionEndExcluding, versionStartIncluding })
  const own = findLine(sourceData([fixedIn(until('2.4.1', '2.4.0'), until('2.6.3', '2.6.0'))]), 'fix')
  expect(own?.value).toBe('versionEndExcluding 2.4.1, router, branch 2.4')
  const rpm = { vendor: 'AlmaLinux:9', product: 'router', status: 'affected', purl: 'pkg:rpm/almalinux/router' }
  const packaged = record('osv', { database: 'almalinux', products: [{ ...rpm, fixed: '2.4-1' }] })
  const line = findLine(sourceData([fixedIn(until('2.4.1', '2.4.0')), packaged]), 'fix')
  expect(line?.runnersUp).toEqual(['fixed 2.4-1, router, downstream by osv:almalinux'])
  const text = [
    { product: 'Router', versions: [{ version: '3c: prior to 3.7; 2c: prior to 2.1', status: 'affected' }] },
  ]
  expect(findLine(sourceData([cve({ cna: { affected: text } })]), 'fix')?.value).toBe(
    'lessThan 3.7, Router, branch 3, derived',
  )
})

it('explain report shortens long text without cutting a surrogate pair', () => {
  const value = '🔒'.repeat(90)
  const line = findLine(sourceData([nvd({ descriptions: [{ lang: 'en', value }] })]), 'description')
  expect(line?.value).toBe(`${'🔒'.repeat(79)}…`)
})

it('explain report removes control characters from upstream text', () => {
  const hostile = nvd({ descriptions: [{ lang: 'en', value: 'A \u001B]0;owned\u0007 router\u009B2J.' }] })
  const texts = explainAll(sourceData([hostile])).flatMap(({ value, by, runnersUp }) => [value, by, ...runnersUp])
  expect(texts.join('')).toContain('router')
  expect(texts.join('')).not.toMatch(/\p{C}/u)
})

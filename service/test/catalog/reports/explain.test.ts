import { expect, it } from 'vitest'
import type { SourceData } from '../../../src/catalog/model/source-data.ts'
import { explain } from '../../../src/catalog/reports/explain.ts'
import { resolve } from '../../../src/catalog/resolve/resolve.ts'
import {
  configurations,
  cve,
  kevEntry,
  match,
  notice,
  nvd,
  nvdRating,
  override,
  sourceData,
  VECTORS,
} from '../builders.ts'

function explainAll(given: SourceData) {
  const resolved = resolve(given)
  if (resolved === undefined) throw new Error('the source data resolve to no record')
  return explain(given, resolved)
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

it('explain report shows the provider of a score, the stated score and the next score by precedence', () => {
  expect(findLine(sourceData([rated]), 'score')).toEqual({
    name: 'score',
    value: `9.8 (3.1) ${VECTORS['9.8']}, stated as 9.6`,
    by: 'nvd',
    runnersUp: [`7.5 (3.1) ${VECTORS['7.5']} by cna:apache`],
  })
})

it('explain report shows the number of CPE matches and the number of matches of other providers', () => {
  const anchore = override(configurations(match('router'), match('switch')))
  expect(findLine(sourceData([rated, anchore]), 'cpe')).toMatchObject({
    value: '1 match',
    by: 'nvd',
    runnersUp: ['2 by anchore'],
  })
  const versions = [{ version: '1', status: 'affected' }]
  const byProductName = cve({ cna: { affected: [{ vendor: 'ExampleSoft', product: 'Router', versions }] } })
  expect(findLine(sourceData([byProductName]), 'cpe')).toMatchObject({
    value: '1 match, derived from product names',
    by: 'cna:apache',
  })
})

it('explain report shows the KEV entry, the EPSS score, notices and exploit items', () => {
  const repository = {
    id: 'a/b',
    kind: 'repository',
    title: 'a/b',
    url: 'https://a.example',
    published: null,
    rank: null,
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
  expect(explainAll(given).slice(-4)).toEqual([
    { name: 'kev', value: 'added 2026-08-02, removed 2026-08-09T00:00:00Z', by: 'cisa', runnersUp: [] },
    { name: 'epss', value: '0.5', by: 'first', runnersUp: [] },
    { name: 'notices', value: 'acsc-1', by: 'acsc', runnersUp: [] },
    { name: 'exploits', value: '1 exploitdb, 2 poc', by: 'exploitdb, poc', runnersUp: [] },
  ])
})

it('explain report shows a dash for every missing value of a CVE that only KEV lists', () => {
  const dashed = explainAll(sourceData([], { kev: kevEntry() })).filter(({ value }) => value === '–')
  expect(dashed.map(({ name }) => name)).toEqual([
    'published',
    'description',
    'score',
    'cvss 3.x',
    'cvss 4.0',
    'cvss 2.0',
    'weakness',
    'cpe',
    'affected',
    'references',
    'exploitation',
    'fix',
    'epss',
    'notices',
    'exploits',
  ])
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

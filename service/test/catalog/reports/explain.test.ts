import { expect, it } from 'vitest'
import type { Facts } from '../../../src/catalog/model/source-data.ts'
import { explain } from '../../../src/catalog/reports/explain.ts'
import { resolve } from '../../../src/catalog/resolve/resolve.ts'
import { configurations, cve, facts, kevEntry, match, notice, nvd, nvdRating, override, VECTORS } from '../builders.ts'

function explained(given: Facts) {
  const resolved = resolve(given)
  if (resolved === undefined) throw new Error('these facts give no record')
  return explain(given, resolved)
}

const lineOf = (given: Facts, name: string) => explained(given).find((each) => each.name === name)

const rated = nvd({
  configurations: configurations(match('teapot')),
  metrics: {
    cvssMetricV31: [
      nvdRating('nvd@nist.gov', VECTORS['9.8'], 9.6, 'Primary'),
      nvdRating('security@apache.org', VECTORS['7.5'], 7.5),
    ],
  },
})

it('A score is explained by who gave it, what it was said to be, and who would have been next', () => {
  expect(lineOf(facts([rated]), 'score')).toEqual({
    name: 'score',
    value: `9.8 (3.1) ${VECTORS['9.8']}, said to be 9.6`,
    by: 'nvd',
    runnersUp: [`7.5 (3.1) ${VECTORS['7.5']} by cna:apache`],
  })
})

it('Products are counted, with how many others would have named', () => {
  const anchore = override(configurations(match('teapot'), match('kettle')))
  expect(lineOf(facts([rated, anchore]), 'cpe')).toMatchObject({
    value: '1 match',
    by: 'nvd',
    runnersUp: ['2 by anchore'],
  })
  const versions = [{ version: '1', status: 'affected' }]
  const inWords = cve({ cna: { affected: [{ vendor: 'ExampleSoft', product: 'Teapot', versions }] } })
  expect(lineOf(facts([inWords]), 'cpe')).toMatchObject({
    value: '1 match, derived from other words',
    by: 'cna:apache',
  })
})

it('KEV, EPSS, notices and evidence of exploits are there too', () => {
  const repository = {
    id: 'a/b',
    kind: 'repository',
    title: 'a/b',
    url: 'https://a.example',
    published: null,
    rank: null,
  }
  const given = facts([rated], {
    kev: kevEntry({ removedAt: new Date('2026-08-09T00:00:00Z') }),
    epssScore: 0.5,
    notices: [notice('2026-08-01T00:00:00Z')],
    exploits: [
      { ...repository, feed: 'poc' },
      { ...repository, feed: 'exploitdb' },
      { ...repository, feed: 'poc', id: 'c/d' },
    ],
  })
  expect(explained(given).slice(-4)).toEqual([
    { name: 'kev', value: 'added 2026-08-02, removed 2026-08-09T00:00:00Z', by: 'cisa', runnersUp: [] },
    { name: 'epss', value: '0.5', by: 'first', runnersUp: [] },
    { name: 'notices', value: 'acsc-1', by: 'acsc', runnersUp: [] },
    { name: 'exploits', value: '1 exploitdb, 2 poc', by: 'exploitdb, poc', runnersUp: [] },
  ])
})

it('What nobody says is a dash, also of a stub', () => {
  const dashed = explained(facts([], { kev: kevEntry() })).filter(({ value }) => value === '–')
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

it('Long text is cut, and never within a character', () => {
  const value = '🫖'.repeat(90)
  const line = lineOf(facts([nvd({ descriptions: [{ lang: 'en', value }] })]), 'description')
  expect(line?.value).toBe(`${'🫖'.repeat(79)}…`)
})

it('Words of others cannot speak to the terminal', () => {
  const hostile = nvd({ descriptions: [{ lang: 'en', value: 'A \u001B]0;owned\u0007 teapot\u009B2J.' }] })
  const said = explained(facts([hostile])).flatMap(({ value, by, runnersUp }) => [value, by, ...runnersUp])
  expect(said.join('')).toContain('teapot')
  expect(said.join('')).not.toMatch(/\p{C}/u)
})

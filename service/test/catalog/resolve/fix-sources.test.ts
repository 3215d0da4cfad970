import { describe, expect, it } from 'vitest'
import { cisa, configurations, cve, nvd, record, resolved, showFix } from '../builders.ts'
import { below, byCna, byNvd, product, show, until, type Versions } from './fix-records.ts'

describe("Fixed versions in a CNA's solution (CVE-2024-21762)", () => {
  const through = (version: string, lessThanOrEqual: string) => ({ version, lessThanOrEqual, status: 'affected' })
  const lines = ['Upgrade to Router version 2.6.0 or above', 'Upgrade to Router version 2.4.4 or above']
  const solve = (value: string, versions: Versions = [through('2.4.0', '2.4.3')]) =>
    cve({
      cna: {
        affected: [product(versions), product(versions, { product: 'Switch' })],
        solutions: [{ lang: 'en', value }],
      },
      adp: [cisa({ affected: [product([below('2.3.0')])] })],
    })

  it("are the vendor's statements about the product that a line names, before those of CISA", () => {
    expect(show([solve(lines.join('\n'))])).toEqual(['Router 2.4.4 cna:apache | 2.3.0 cisa-adp'])
    expect(showFix(resolved([solve(lines.join('\n'))]))).toMatchObject({ value: '2.4.4 (solution)', by: 'cna:apache' })
  })

  it('are marked as derived, like the versions of several branches in one text (CVE-2022-21551)', () => {
    expect(resolved([solve(lines.join('\n'))]).fixes).toMatchObject([{ isDerived: true }])
    const several = { version: '21c: prior to 21.7.0; 19c: prior to 19.1.0', status: 'affected' }
    const { fixes, fix } = resolved([byCna([several])])
    expect(fixes).toMatchObject([
      { version: '21.7.0', isDerived: true },
      { version: '19.1.0', isDerived: true },
    ])
    expect(fix).toMatchObject({ value: { isDerived: true } })
    expect(resolved([byCna([below('2.4')])]).fixes[0]).not.toHaveProperty('isDerived')
  })

  it('belong to the branch of the affected range that they end', () => {
    const versions = [through('2.4.0', '2.4.3'), through('2.2.0', '2.2.8')]
    const text = 'Upgrade to Router version 2.4.4 or above. Upgrade to Router version 2.2.9 or above.'
    expect(show([solve(text, versions)]).slice(0, 2)).toEqual([
      'Router [2.4] 2.4.4 cna:apache',
      'Router [2.2] 2.2.9 cna:apache',
    ])
  })

  it.each<[string, string, Versions?]>([
    ['names no product of the record', 'Upgrade to Hub version 2.4.4.'],
    ['names a product only inside another word', 'Upgrade to Router2 version 2.4.4.'],
    ['names two products', 'Upgrade to Router and Switch version 2.4.4.'],
    ['names an affected version', 'Upgrade to Router version 2.4.2.'],
    ['repeats a product whose fixed version is structured', 'Upgrade to Router version 2.4.9.', [below('2.4.4')]],
  ])('are not read from a line that %s', (_, text, versions) => {
    expect(resolved([solve(text, versions)]).fixes.some(({ member }) => member === 'solution')).toBe(false)
  })
})

describe("Fixed versions of Debian's packages (CVE-2024-56642)", () => {
  const state = (fixedVersion: string | null, status = 'resolved', release = 'bookworm') => ({
    package: 'router',
    release,
    status,
    fixedVersion,
    isDescribed: true,
  })
  const resolveWith = (...debian: readonly ReturnType<typeof state>[]) => resolved([nvd()], { debian })

  it('are fixes downstream, one per release, and the evidence if no source names a fix of the product itself', () => {
    const found = resolveWith(state('2.4-1'), state('2.2-1', 'resolved', 'bullseye'))
    expect(found.fixes).toMatchObject([
      { vendor: 'Debian:bookworm', product: 'router', version: '2.4-1', by: 'debian', rank: 'redistributed' },
      { vendor: 'Debian:bullseye', product: 'router', version: '2.2-1', by: 'debian', rank: 'redistributed' },
    ])
    expect(showFix(found)).toMatchObject({ value: 'fixed 2.4-1', by: 'debian' })
  })

  it('come after the fix of the product itself', () => {
    const found = resolved([byNvd(until('2.4.1'))], { debian: [state('2.4-1')] })
    expect(found.fixes.map(({ version }) => version)).toEqual(['2.4.1', '2.4-1'])
    expect(found.fix).toMatchObject({ by: 'nvd', runnersUp: [{ by: 'debian' }] })
  })

  it('begin with the package that the CVE names, although an erratum rebuilds a whole module (CVE-2022-29599)', () => {
    const rebuilt = ['alliance', 'maven', 'maven-shared-router'].map((name) => ({
      vendor: 'AlmaLinux:8',
      product: name,
      status: 'affected',
      purl: `pkg:rpm/almalinux/${name}`,
      fixed: `${name.length}.0-1`,
    }))
    const erratum = record('osv', { database: 'almalinux', advisories: ['ALSA-2026:1'], products: rebuilt })
    const described = (value: string) => nvd({ descriptions: [{ lang: 'en', value }] })
    const find = (value: string) => showFix(resolved([described(value), erratum]))?.value
    expect(find('In Maven maven-shared-router, Commandline escapes no quotes.')).toBe('fixed 19.0-1')
    expect(find('The class Commandline escapes no quotes.')).toBe('fixed 8.0-1')
  })

  it('are not read from an open status, or from a release that never had the flaw', () => {
    expect(resolveWith(state(null, 'open'), state('0'), state(null)).fixes).toEqual([])
  })
})

describe('The product that a CVE is about', () => {
  it('is the package that most products of the CNA contain, if a source names it as a product (CVE-2022-4244)', () => {
    const containing = (name: string, packageName?: string) => ({
      vendor: 'Console Inc.',
      product: name,
      cpes: [`cpe:/a:console:${name}:1`],
      defaultStatus: 'affected',
      ...(packageName !== undefined && { packageName }),
    })
    const affected = [containing('suite', 'router'), containing('desk', 'router'), containing('desktop')]
    const bundling = {
      vulnerable: true,
      criteria: 'cpe:2.3:a:console:suite:*:*:*:*:*:*:*:*',
      versionEndExcluding: '9.1',
    }
    const analysis = nvd({ configurations: configurations(bundling, until('2.4')) })
    const ranks = resolved([cve({ cna: { affected } }), analysis]).fixes.map(({ product: name, rank }) => [name, rank])
    expect(ranks).toEqual([
      ['router', 'own'],
      ['suite', 'other'],
    ])
  })
})

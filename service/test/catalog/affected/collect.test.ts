import { describe, expect, it } from 'vitest'
import { collectAffected } from '../../../src/catalog/affected/collect.ts'
import type { SourceData, SourceRecord } from '../../../src/catalog/model/source-data.ts'
import type { AffectedRow } from '../../../src/record/affected-row.ts'
import { configurations, cve, match, nvd, override, record, resolved, vendor } from '../builders.ts'

const collect = (records: readonly SourceRecord[], known: Partial<SourceData> = {}) =>
  collectAffected({ debian: [], kev: null, euKev: null, ...known }, resolved(records))

/** Formats a row as one line: who says what about which versions of which product. */
function format(row: AffectedRow): string {
  const name = `${row.kind === 'purl' ? 'pkg:' : ''}${row.vendor}/${row.product}`
  const target = row.target === '' ? '' : `[${row.target}]`
  const low = row.low === null ? '' : `${row.isLowIncluded ? '>=' : '>'}${row.low}`
  const high = row.high === null ? '' : `${row.isHighIncluded ? '<=' : '<'}${row.high}`
  const versions = row.versions?.join(',') ?? ''
  const flags = [row.isVague ? 'vague' : '', row.isAffected ? '' : 'unaffected', row.fixed ? `fixed ${row.fixed}` : '']
  return [`${row.source}:`, `${name}${target}`, low, high, versions, ...flags].filter((each) => each !== '').join(' ')
}

const list = (...records: readonly SourceRecord[]) => collect(records).map(format)
const nvdWith = (...matches: readonly Readonly<Record<string, unknown>>[]) =>
  nvd({ configurations: configurations(...matches) })
const named = (product: string, version: string, update = '*', rest = '*:*:*:*:*:*') => ({
  vulnerable: true,
  criteria: `cpe:2.3:a:examplesoft:${product}:${version}:${update}:${rest}`,
})

describe('Affected versions from NVD', () => {
  it('are ranges with their ends, and an excluded end is the fixed version', () => {
    const rows = list(
      nvdWith(
        match('router', { versionStartIncluding: '2.0', versionEndExcluding: '2.4' }),
        match('router', { versionStartExcluding: '3.0', versionEndIncluding: '3.1' }),
        match('switch', { versionEndExcluding: '7' }),
      ),
    )
    expect(rows).toEqual([
      'nvd: examplesoft/router >3.0 <=3.1',
      'nvd: examplesoft/router >=2.0 <2.4 fixed 2.4',
      'nvd: examplesoft/switch <7 fixed 7',
    ])
  })

  it('have all single versions of a product in one row, each with its update', () => {
    const rows = list(nvdWith(named('os', '11.1.2', 'h1'), named('os', '11.1.1'), named('os', '11.1.2', '-')))
    expect(rows).toEqual(['nvd: examplesoft/os 11.1.1,11.1.2 -,11.1.2 h1'])
  })

  it.each(['*', '-'])('are vague for a name with the version %s and without limits', (version) => {
    expect(list(nvdWith(named('router', version)))).toEqual(['nvd: examplesoft/router vague'])
  })

  it('are marked as vague if the start is after the end, and keep both ends', () => {
    const inverted = match('router', { versionStartIncluding: '3.0', versionEndExcluding: '2.4' })
    expect(list(nvdWith(inverted))).toEqual(['nvd: examplesoft/router >=3.0 <2.4 vague'])
  })

  it('keep target software and software edition separate and ignore hardware', () => {
    const rows = collect([
      nvdWith(
        named('plugin', '1.0', '*', '*:*:pro:wordpress:*:*'),
        named('plugin', '1.0', '*', '*:*:*:wordpress:x64:*'),
        named('plugin', '1.0', '*', '*:*:*:wordpress:x86:*'),
      ),
    ])
    expect(rows.map(({ target, edition }) => [target, edition])).toEqual([
      ['wordpress', null],
      ['wordpress', 'pro'],
    ])
  })

  it('keep the edition of a CPE 2.2 name, unless it is hardware (CVE-2007-1717)', () => {
    const rows = collect([
      nvdWith(
        named('router', '4.2', '*', 'dev:*:*:*:*:*'),
        named('router', '4.2', '*', 'x64:*:*:*:*:*'),
        named('router', '4.2', '*', 'dev:*:pro:*:*:*'),
      ),
    ])
    expect(rows.map(({ versions, edition }) => [versions, edition])).toEqual([
      [['4.2'], null],
      [['4.2'], 'dev'],
      [['4.2'], 'pro'],
    ])
  })

  it('treat a wildcard in a version as all versions of the series', () => {
    expect(list(nvdWith(named('router', '2.4.*')))).toEqual(['nvd: examplesoft/router >=2.4 <2.5 fixed 2.5'])
  })

  it('have names and versions without CPE escape characters', () => {
    const criteria = String.raw`cpe:2.3:a:gnu:c\+\+:1.0\+b:*:*:*:*:*:*:*`
    expect(list(nvdWith({ vulnerable: true, criteria }))).toEqual(['nvd: gnu/c++ 1.0+b'])
  })

  it('do not include the platform of a configuration', () => {
    expect(list(nvdWith(match('router'), match('system', { vulnerable: false })))).toEqual([
      'nvd: examplesoft/router vague',
    ])
  })
})

const platform = (product: string, version = '*') => ({
  vulnerable: false,
  criteria: `cpe:2.3:o:microsoft:${product}:${version}:*:*:*:*:*:*:*`,
})
const node = (cpeMatch: readonly object[], operator = 'OR') => ({ operator, negate: false, cpeMatch })

describe('Condition for affected versions', () => {
  it('names the platform of an AND configuration', () => {
    const nodes = [node([match('router', { versionEndExcluding: '2' })]), node([platform('windows')])]
    const [row, ...others] = collect([nvd({ configurations: [{ operator: 'AND', nodes }] })])
    expect(others).toEqual([])
    expect(row).toMatchObject({
      product: 'router',
      condition: [[{ part: 'o', vendor: 'microsoft', product: 'windows' }]],
    })
  })

  it('lists the alternatives in one node together and requires one product from each node', () => {
    const limited = { ...platform('windows_11'), versionStartIncluding: '22', versionEndExcluding: '23' }
    const nodes = [
      node([match('router')]),
      node([platform('windows_10', '1809'), platform('windows_10', '1909'), limited]),
      node([match('library', { vulnerable: false })]),
    ]
    const [row] = collect([nvd({ configurations: [{ operator: 'AND', nodes }] })])
    expect(row?.condition).toEqual([
      [
        { part: 'o', vendor: 'microsoft', product: 'windows_10', versions: ['1809', '1909'] },
        { part: 'o', vendor: 'microsoft', product: 'windows_11', ranges: [{ from: '22', before: '23' }] },
      ],
      [{ part: 'a', vendor: 'examplesoft', product: 'library' }],
    ])
  })

  it('names the other products of an AND node', () => {
    const nodes = [node([match('router'), match('library')], 'AND')]
    const rows = collect([nvd({ configurations: [{ nodes }] })])
    expect(rows.map(({ product, condition }) => [product, condition?.[0]?.[0]?.product])).toEqual([
      ['library', 'router'],
      ['router', 'library'],
    ])
  })

  it('is absent for alternatives', () => {
    const nodes = [node([match('router')]), node([platform('windows')])]
    const [row] = collect([nvd({ configurations: [{ operator: 'OR', nodes }] })])
    expect(row?.condition).toBeNull()
  })

  it('is dropped if the same range is also listed without a condition', () => {
    const nodes = [node([match('router')]), node([platform('windows')])]
    const rows = collect([nvd({ configurations: [{ operator: 'AND', nodes }, ...configurations(match('router'))] })])
    expect(rows).toMatchObject([{ product: 'router', condition: null }])
  })

  it('leaves out negated nodes', () => {
    const nodes = [node([match('router')]), { ...node([platform('windows')]), negate: true }]
    const [row] = collect([nvd({ configurations: [{ operator: 'AND', nodes }] })])
    expect(row?.condition).toBeNull()
  })
})

const cna = (...affected: readonly object[]) => cve({ cna: { affected } })
const entry = (versions: readonly object[], more: object = {}) => ({
  vendor: 'ExampleSoft',
  product: 'Router',
  versions,
  ...more,
})
const said = (status: string, version: string, limits: object = {}) => ({ status, version, ...limits })

describe('Affected versions from several sources', () => {
  it('stay separate, each with its source; names that the service derived are marked', () => {
    const end = match('router', { versionEndExcluding: '2.4' })
    const rows = list(
      nvdWith(end),
      override(configurations(match('router', { versionEndExcluding: '2.3' }))),
      cna(entry([said('affected', '2.0', { lessThan: '2.4' })])),
    )
    expect(rows).toEqual([
      'anchore: examplesoft/router <2.3 fixed 2.3',
      'derived:cna:apache: examplesoft/router >=2.0 <2.4 fixed 2.4',
      'nvd: examplesoft/router <2.4 fixed 2.4',
    ])
  })

  it('are absent for a rejected CVE, even if Debian still lists it', () => {
    const rejected = nvd({ vulnStatus: 'Rejected', configurations: configurations(match('router')) })
    expect(
      collect([rejected], {
        debian: [{ package: 'router', release: 'sid', status: 'open', fixedVersion: null, isDescribed: true }],
      }),
    ).toEqual([])
  })

  it('do not depend on the order of the lists', () => {
    const matches = [named('b', '1'), named('a', '2'), named('a', '1'), match('a', { versionEndExcluding: '0.5' })]
    expect(collect([nvdWith(...matches)])).toEqual(collect([nvdWith(...matches.toReversed())]))
  })
})

describe('CNA statements', () => {
  it('call versions unaffected', () => {
    const rows = list(
      cna(
        entry([
          said('affected', '1.0', { lessThan: '2.4' }),
          said('unaffected', '1.9.5'),
          said('unaffected', '1.8.3', { lessThanOrEqual: '1.8.*' }),
        ]),
      ),
    )
    expect(rows).toEqual([
      'derived:cna:apache: examplesoft/router 1.9.5 unaffected',
      'derived:cna:apache: examplesoft/router >=1.8.3 <1.9 unaffected',
      'derived:cna:apache: examplesoft/router >=1.0 <2.4 fixed 2.4',
    ])
  })

  it('call all other versions unaffected by default', () => {
    expect(list(cna(entry([said('affected', '1.0')], { defaultStatus: 'unaffected' })))).toEqual([
      'derived:cna:apache: examplesoft/router unaffected',
      'derived:cna:apache: examplesoft/router 1.0',
    ])
  })

  it('call only the version in the CPE name unaffected if they list no version (CVE-2022-4244)', () => {
    const about = (product: string, version: string, more: object = {}) =>
      list(cna({ vendor: 'ExampleSoft', product, cpes: [`cpe:/a:examplesoft:router:${version}`], ...more }))
    const unaffected = { defaultStatus: 'unaffected' }
    expect(about('Router 7', '7.13', unaffected)).toEqual(['cna:apache: examplesoft/router 7.13 unaffected'])
    expect(about('Router 7.13', '7.13', unaffected)).toEqual(['cna:apache: examplesoft/router 7.13 unaffected'])
    const versions = [said('affected', '7.13', { lessThan: '7.14' })]
    expect(about('Router', '7.13', { ...unaffected, versions })).toContain('cna:apache: examplesoft/router unaffected')
  })

  it.each(['7', '7.13'])(
    'say nothing if the product name alone names the release, as for the CPE version %s',
    (version) => {
      const cpes = [`cpe:/a:examplesoft:router:${version}`]
      expect(list(cna({ vendor: 'ExampleSoft', product: 'RTR-7.13.1', cpes, defaultStatus: 'unaffected' }))).toEqual([])
    },
  )

  it('call a product unaffected if the release is part of its CPE name', () => {
    const cpes = ['cpe:/a:examplesoft:router_3.0_compact']
    const entry = { vendor: 'ExampleSoft', product: 'Router 3.0 compact', cpes, defaultStatus: 'unaffected' }
    expect(list(cna(entry))).toEqual(['cna:apache: examplesoft/router_3.0_compact unaffected'])
  })

  it('do not call other versions unaffected by default if the status of a listed one is unknown (CVE-2023-0872)', () => {
    const versions = [said('affected', '1.0'), said('unknown', '2.0')]
    expect(list(cna(entry(versions, { defaultStatus: 'unaffected' })))).toEqual([
      'derived:cna:apache: examplesoft/router 1.0',
    ])
  })

  it.each(['unknown', undefined])('say nothing about other versions if the default is %s', (defaultStatus) => {
    expect(list(cna(entry([said('affected', '1.0')], { defaultStatus })))).toEqual([
      'derived:cna:apache: examplesoft/router 1.0',
    ])
  })

  it('say nothing about versions if an unaffected range is prose', () => {
    expect(list(cna(entry([said('affected', '1.0'), said('unaffected', 'all supported versions')])))).toEqual([
      'derived:cna:apache: examplesoft/router 1.0',
    ])
  })

  it('keep commit ranges under their own scheme', () => {
    const [first, last] = ['1da177e4c3f41524e886b7f1b8a0c1fc7321cac2', 'a0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9']
    const rows = collect([cna(entry([said('affected', first, { lessThan: last, versionType: 'git' })]))])
    expect(rows.filter(({ scheme }) => scheme === 'commit')).toMatchObject([{ low: first, high: last, fixed: last }])
    expect(rows.filter(({ scheme }) => scheme !== 'commit')).toMatchObject([{ isVague: true }])
  })

  it('list commits without an end as single versions, not as ranges without an end', () => {
    const commits = ['1da177e4c3f41524e886b7f1b8a0c1fc7321cac2', 'a0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9']
    const rows = collect([cna(entry(commits.map((each) => said('affected', each, { versionType: 'git' }))))])
    expect(rows.filter(({ scheme }) => scheme === 'commit')).toMatchObject([{ low: null, versions: commits }])
  })
})

const affectedPackage = (purl: string, bounds: object, more: object = {}) => ({
  vendor: 'npm',
  product: 'lark',
  status: 'affected',
  cpe: null,
  purl,
  introduced: null,
  fixed: null,
  last_affected: null,
  ...bounds,
  ...more,
})
const ghsa = (...products: readonly object[]) => vendor('ghsa', { products })

describe('Packages in advisories', () => {
  it('are named by the type, namespace and name of their purl', () => {
    const rows = list(
      nvd(),
      ghsa(
        affectedPackage('pkg:npm/%40angular/core', { introduced: '1.0', fixed: '1.2' }),
        affectedPackage('pkg:pypi/zope.interface', { last_affected: '5' }),
      ),
    )
    expect(rows).toEqual(['ghsa: pkg:npm/@angular/core >=1.0 <1.2 fixed 1.2', 'ghsa: pkg:pypi/zope-interface <=5'])
  })

  it('have an open range, which is not vague, if the advisory names no fixed and no last affected version', () => {
    const rows = list(
      nvd(),
      ghsa(affectedPackage('pkg:npm/lark', { introduced: '1.0' }), affectedPackage('pkg:npm/a', {})),
    )
    expect(rows).toEqual(['ghsa: pkg:npm/a', 'ghsa: pkg:npm/lark >=1.0'])
  })

  it('have single versions in one row', () => {
    const single = (version: string) => affectedPackage('pkg:npm/lark', { introduced: version, last_affected: version })
    expect(list(nvd(), ghsa(single('1.1'), single('1.0')))).toEqual(['ghsa: pkg:npm/lark 1.0,1.1'])
  })

  it.each([
    ['pkg:npm/a', 'semver'],
    ['pkg:maven/org.apache.ant/ant', 'maven'],
    ['pkg:pypi/a', 'pep440'],
    ['pkg:golang/example.org/lark', 'go'],
    ['pkg:gem/a', 'gem'],
    ['pkg:nuget/a', 'nuget'],
    ['pkg:composer/a/b', 'composer'],
    ['pkg:apk/alpine/a', 'apk'],
    ['pkg:rpm/almalinux/a', 'rpm'],
    ['pkg:cran/a', 'generic'],
  ])('%s has the version scheme %s', (purl, scheme) => {
    expect(collect([nvd(), ghsa(affectedPackage(purl, { fixed: '1' }))])).toMatchObject([{ scheme }])
  })

  it('have the name of their OSV database as source, and the release of the distribution as target', () => {
    const alma = affectedPackage('pkg:rpm/almalinux/lark', { fixed: '0:1.2-3.el9' }, { vendor: 'AlmaLinux:9' })
    const advisory = record('osv', { database: 'almalinux', advisories: ['ALSA-2026:1'], products: [alma] })
    expect(list(nvd(), advisory)).toEqual(['osv:almalinux: pkg:rpm/almalinux/lark[9] <0:1.2-3.el9 fixed 0:1.2-3.el9'])
  })

  it('have a release number without the v that the ecosystem puts before it', () => {
    const package_ = affectedPackage('pkg:apk/alpine/lark', { fixed: '1.2-r3' }, { vendor: 'Alpine:v3.19' })
    const advisory = record('osv', { database: 'alpine', advisories: [], products: [package_] })
    expect(list(nvd(), advisory)).toEqual(['osv:alpine: pkg:apk/alpine/lark[3.19] <1.2-r3 fixed 1.2-r3'])
  })

  it('have no rows if the advisory is withdrawn', () => {
    const products = [affectedPackage('pkg:npm/lark', { fixed: '2' })]
    expect(list(nvd(), vendor('ghsa', { withdrawn: true, products }))).toEqual([])
  })
})

describe('Affected versions up to one that is included', () => {
  it('are fixed in the version at which the CNA says that they change (CVE-2023-28990)', () => {
    const changes = [{ at: '1.1.0', status: 'unaffected' }]
    const versions = [said('affected', '0', { lessThanOrEqual: '1.0.9', changes })]
    expect(list(cna({ vendor: 'ExampleSoft', product: 'Gallery', versions }))).toEqual([
      'derived:cna:apache: examplesoft/gallery <=1.0.9 fixed 1.1.0',
    ])
  })
})

describe('Packages that a CNA names by their registry', () => {
  const plugin = {
    vendor: 'ExampleSoft',
    product: 'Lark Gallery',
    collectionURL: 'https://wordpress.org/plugins',
    packageName: 'lark-gallery',
    versions: [said('affected', '1.0', { lessThanOrEqual: '2.4' })],
  }

  it('have the package URL of the registry, and no CPE name is made up for them', () => {
    expect(list(cna(plugin))).toEqual(['cna:apache: pkg:wordpress/plugin/lark-gallery >=1.0 <=2.4'])
    expect(resolved([cna(plugin)]).cpe.matches).toEqual([])
  })

  it('have only their product name in a place that is no registry', () => {
    const shop = { ...plugin, collectionURL: 'https://example.com/shop' }
    expect(list(cna(shop))).toEqual(['derived:cna:apache: examplesoft/lark_gallery >=1.0 <=2.4'])
  })
})

describe('Distribution packages', () => {
  const inRedHat = (status: string, fixed: string | null = null) =>
    affectedPackage(
      'pkg:rpm/redhat/lark',
      { fixed },
      {
        vendor: 'Red Hat',
        product: 'Red Hat Enterprise Linux 9',
        cpe: 'cpe:/o:redhat:enterprise_linux:9::baseos',
        status,
      },
    )

  it('are affected before the revision that Red Hat calls fixed, without a row for the whole distribution', () => {
    expect(list(nvd(), vendor('redhat', { products: [inRedHat('fixed', '1:1.2-3.el9_4')] }))).toEqual([
      'redhat: pkg:rpm/redhat/lark[enterprise_linux:9] <1:1.2-3.el9_4 fixed 1:1.2-3.el9_4',
    ])
  })

  it.each([
    ['affected', ['redhat: pkg:rpm/redhat/lark[enterprise_linux:9]']],
    ['not_affected', ['redhat: pkg:rpm/redhat/lark[enterprise_linux:9] unaffected']],
    ['under_investigation', ['redhat: pkg:rpm/redhat/lark[enterprise_linux:9] vague']],
    ['fixed', []],
  ])('from Red Hat with the status %s and without a version', (status, rows) => {
    expect(list(nvd(), vendor('redhat', { products: [inRedHat(status)] }))).toEqual(rows)
  })

  const byRedHat = (members: object) =>
    cna({
      vendor: 'Red Hat',
      product: 'Red Hat Enterprise Linux 9',
      packageName: 'lark',
      cpes: ['cpe:/o:redhat:enterprise_linux:9::baseos'],
      ...members,
    })

  it('whose status is not known to the CNA do not look safe (CVE-2022-4244)', () => {
    expect(list(byRedHat({ defaultStatus: 'unknown' }))).toEqual([
      'cna:apache: pkg:rpm/redhat/lark[enterprise_linux:9] vague',
    ])
  })

  it('in a module belong to its stream, and no unaffected stream makes the package look safe (CVE-2023-3180)', () => {
    expect(list(byRedHat({ packageName: 'birds:rhel/lark', defaultStatus: 'unaffected' }))).toEqual([
      'cna:apache: pkg:rpmmod/redhat/birds:rhel/lark[enterprise_linux:9] unaffected',
    ])
    expect(list(byRedHat({ packageName: 'birds:4/lark', defaultStatus: 'affected' }))).toEqual([
      'cna:apache: pkg:rpm/redhat/lark[enterprise_linux:9] vague',
      'cna:apache: pkg:rpmmod/redhat/birds:4/lark[enterprise_linux:9]',
    ])
    const versions = [said('unaffected', '0:1.2-3.el9', { lessThan: '*', versionType: 'rpm' })]
    expect(list(byRedHat({ packageName: 'birds:4/lark', defaultStatus: 'affected', versions }))).toContain(
      'cna:apache: pkg:rpm/redhat/lark[enterprise_linux:9] <0:1.2-3.el9 fixed 0:1.2-3.el9',
    )
  })

  it('inside a Flatpak application have no row as installed packages (CVE-2024-6239)', () => {
    expect(list(byRedHat({ packageName: 'painter:flatpak/lark', defaultStatus: 'affected' }))).toEqual([
      'cna:apache: pkg:rpmmod/redhat/painter:flatpak/lark[enterprise_linux:9]',
    ])
  })

  it('do not include containers', () => {
    expect(list(byRedHat({ packageName: 'birds/lark', defaultStatus: 'affected' }))).toEqual([])
  })

  it.each([
    ['Fedora', 'fedora'],
    ['Fedora 37', '37'],
    ['Extra Packages for Enterprise Linux', 'epel'],
    ['Extra Packages for Enterprise Linux 8', 'epel:8'],
  ])('of %s have its release and no row for the whole distribution (CVE-2023-3180)', (product, release) => {
    const lark = { vendor: 'Fedora', product, packageName: 'lark', defaultStatus: 'affected' }
    expect(list(cna(lark))).toEqual([`cna:apache: pkg:rpm/fedora/lark[${release}]`])
  })

  it('leave the rows of other products of the CNA', () => {
    const lark = { vendor: 'Fedora', product: 'Fedora', packageName: 'lark', defaultStatus: 'affected' }
    expect(list(cna(lark, { vendor: 'Lark', product: 'Lark', versions: [said('affected', '1.0')] }))).toEqual([
      'derived:cna:apache: lark/lark 1.0',
      'cna:apache: pkg:rpm/fedora/lark[fedora]',
    ])
  })

  it('are affected before the first version that the CNA calls unaffected', () => {
    const versions = [said('unaffected', '0:1.2-3.el9', { lessThan: '*', versionType: 'rpm' })]
    const rows = list(byRedHat({ defaultStatus: 'affected', versions }))
    expect(rows).toEqual([
      'cna:apache: pkg:rpm/redhat/lark[enterprise_linux:9] >=0:1.2-3.el9 unaffected',
      'cna:apache: pkg:rpm/redhat/lark[enterprise_linux:9] <0:1.2-3.el9 fixed 0:1.2-3.el9',
    ])
  })

  it.each([
    [
      'before the start of the unaffected range',
      [said('unaffected', '1.2.3', { lessThan: '*', versionType: 'semver' })],
      ['cna:apache: pkg:npm/lark >=1.2.3 unaffected', 'cna:apache: pkg:npm/lark <1.2.3 fixed 1.2.3'],
    ],
    [
      'vaguely next to several unaffected ranges',
      [
        said('unaffected', '1.2.3', { lessThan: '1.3', versionType: 'semver' }),
        said('unaffected', '2.0.1', { lessThan: '*', versionType: 'semver' }),
      ],
      [
        'cna:apache: pkg:npm/lark vague',
        'cna:apache: pkg:npm/lark >=1.2.3 <1.3 unaffected',
        'cna:apache: pkg:npm/lark >=2.0.1 unaffected',
      ],
    ],
  ])('with a purl that the CNA calls affected by default are affected %s', (_, versions, rows) => {
    const lark = { vendor: 'Lark', product: 'lark', packageURL: 'pkg:npm/lark', defaultStatus: 'affected', versions }
    const ofPackage = list(cna(lark)).filter((row) => row.includes('pkg:'))
    expect(ofPackage.toSorted()).toEqual(rows.toSorted())
  })

  it('are affected before the revision that Debian calls fixed in their release, and unaffected if that version is 0', () => {
    const lark = { package: 'lark', isDescribed: true }
    const state = (release: string, status: string, fixedVersion: string | null) => {
      return { ...lark, release, status, fixedVersion }
    }
    const states = [
      state('bookworm', 'resolved', '1:1.2-3+deb12u1'),
      state('bullseye', 'resolved', '0'),
      state('sid', 'open', null),
      state('trixie', 'undetermined', null),
    ]
    expect(collect([nvd()], { debian: states }).map(format)).toEqual([
      'debian: pkg:deb/debian/lark[bookworm] <1:1.2-3+deb12u1 fixed 1:1.2-3+deb12u1',
      'debian: pkg:deb/debian/lark[bullseye] unaffected',
      'debian: pkg:deb/debian/lark[sid]',
      'debian: pkg:deb/debian/lark[trixie] vague',
    ])
  })
})

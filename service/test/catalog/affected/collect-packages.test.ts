import { describe, expect, it } from 'vitest'
import { nvd, record, resolved, vendor } from '../builders.ts'
import { cna, collect, format, list, said } from './list-rows.ts'

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
    expect(list(nvd(), advisory)).toEqual(['alpine: pkg:apk/alpine/lark[3.19] <1.2-r3 fixed 1.2-r3'])
  })

  it('can begin after a version, and end before one that is no fix', () => {
    const after = affectedPackage('pkg:gem/lark', { after: '1.0', fixed: '1.2' })
    const before = affectedPackage('pkg:gem/lark', { introduced: '2.0', before: '3.0' })
    const advisory = record('osv', { database: 'rubysec', advisories: [], products: [after, before] })
    expect(list(nvd(), advisory)).toEqual([
      'rubysec: pkg:gem/lark >1.0 <1.2 fixed 1.2',
      'rubysec: pkg:gem/lark >=2.0 <3.0',
    ])
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
    ['affected', ['redhat: pkg:rpm/redhat/lark[enterprise_linux:9] 2026-07-05']],
    ['not_affected', ['redhat: pkg:rpm/redhat/lark[enterprise_linux:9] unaffected']],
    ['under_investigation', ['redhat: pkg:rpm/redhat/lark[enterprise_linux:9] vague 2026-07-05']],
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

  it('in a module have the name of the package and its stream, from the CNA and from Red Hat alike', () => {
    expect(list(byRedHat({ packageName: 'birds:rhel/lark', defaultStatus: 'unaffected' }))).toEqual([
      'cna:apache: pkg:rpm/redhat/lark[enterprise_linux:9] unaffected of birds:rhel',
    ])
    const versions = [said('unaffected', '0:1.2-3.el9', { lessThan: '*', versionType: 'rpm' })]
    expect(list(byRedHat({ packageName: 'birds:4/lark', defaultStatus: 'affected', versions }))).toContain(
      'cna:apache: pkg:rpm/redhat/lark[enterprise_linux:9] <0:1.2-3.el9 fixed 0:1.2-3.el9 of birds:4',
    )
    const [inModule, built] = [
      { ...inRedHat('affected'), purl: 'pkg:rpmmod/redhat/birds:4/lark', state: 'will_not_fix' },
      { ...inRedHat('fixed', '1.2-3.module+el9.4.0+1+a'), streams: ['birds:5'] },
    ]
    expect(list(nvd(), vendor('redhat', { products: [inModule, built] }))).toEqual([
      'redhat: pkg:rpm/redhat/lark[enterprise_linux:9] of birds:4 will_not_fix 2026-07-05',
      'redhat: pkg:rpm/redhat/lark[enterprise_linux:9] <1.2-3.module+el9.4.0+1+a fixed 1.2-3.module+el9.4.0+1+a of birds:5',
    ])
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

  it('are affected before the revision that Debian calls fixed, unaffected from version 0 on, and open as far as it knew', () => {
    const lark = { package: 'lark', isDescribed: true }
    const state = (release: string, status: string, fixedVersion: string | null, more: object = {}) => {
      return { ...lark, release, status, fixedVersion, ...more }
    }
    const states = [
      state('bookworm', 'resolved', '1:1.2-3+deb12u1'),
      state('bullseye', 'resolved', '0'),
      state('sid', 'open', null, { knownVersion: '1:1.3-1', urgency: 'low**', decision: 'postponed' }),
      state('trixie', 'undetermined', null, { knownVersion: '1:1.3-1', urgency: 'not yet assigned' }),
    ]
    expect(collect([nvd()], { debian: states }).map(format)).toEqual([
      'debian: pkg:deb/debian/lark[bookworm] <1:1.2-3+deb12u1 fixed 1:1.2-3+deb12u1',
      'debian: pkg:deb/debian/lark[bullseye] unaffected',
      'debian: pkg:deb/debian/lark[sid] known 1:1.3-1 postponed low',
      'debian: pkg:deb/debian/lark[trixie] vague',
    ])
  })
})

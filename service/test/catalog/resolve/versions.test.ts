import { describe, expect, it } from 'vitest'
import { MAX_LINEAR_GROWTH, measureGrowth } from '../../support/growth.ts'
import { cisa, configurations, cpe, cve, match, nvd, resolved, vendor } from '../builders.ts'

type Members = Readonly<Record<string, unknown>>

const product = (more: Members) => ({ vendor: 'ExampleSoft', product: 'Router', ...more })
const is = (status: string, version: string, more: Members = {}) => ({ status, version, ...more })
const resolveAffected = (...affected: readonly Members[]) => resolved([cve({ cna: { affected } })])
const ranges = (...affected: readonly Members[]) =>
  resolveAffected(...affected).cpe.matches.map(({ criteria, vulnerable, derived, ...limits }) => {
    expect([vulnerable, derived]).toEqual([true, true])
    return { version: criteria.split(':')[5], ...limits }
  })
const from = (start: string, end: string) => ({
  version: '*',
  versionStartIncluding: start,
  versionEndExcluding: end,
})

describe('Resolver: a product without an affected version', () => {
  it.each([
    ['unaffected by default, without versions', { defaultStatus: 'unaffected' }],
    ['unknown by default, without versions', { defaultStatus: 'unknown', versions: [] }],
    [
      'unaffected by default, with a version of unknown status',
      { defaultStatus: 'unaffected', versions: [is('unknown', '0')] },
    ],
    [
      'listed with a range of unknown status and without a default',
      { versions: [is('unknown', '1.0', { lessThan: '2.0' })] },
    ],
    ['listed only with an unaffected version', { versions: [is('unaffected', '1.0')] }],
    [
      'affected by default, with all versions listed as unaffected',
      { defaultStatus: 'affected', versions: [is('unaffected', '0', { lessThan: '*' })] },
    ],
  ])('drops a product that is %s', (_, more) => {
    const byName = resolveAffected(product(more))
    expect([byName.cpe.matches, byName.affected]).toEqual([[], []])
    const named = resolveAffected(product({ cpes: [cpe('router'), cpe('router', '7')], ...more }))
    expect([named.cpe.matches, named.affected]).toEqual([[], []])
  })

  it('matches any version of a product that is affected by default', () => {
    expect(ranges(product({ defaultStatus: 'affected' }))).toEqual([{ version: '*' }])
  })

  it('marks the versions of a product as unknown if the source gives neither versions nor a default', () => {
    for (const more of [{}, { versions: [] }]) {
      expect(ranges(product(more))).toEqual([{ version: '*', unknownVersions: true }])
      expect(resolveAffected(product(more)).affected).toHaveLength(1)
    }
  })

  it.each([
    ['lessThan', 'https://www.example.com/releases', { version: '*', versionStartIncluding: '19.0.0' }],
    ['lessThan', 'publication', { version: '*', versionStartIncluding: '19.0.0' }],
    ['lessThanOrEqual', 'the latest release', { version: '*', versionStartIncluding: '19.0.0' }],
  ])('marks the versions as unknown if %s is %s', (member, text, expected) => {
    const versions = [is('affected', '19.0.0', { [member]: text })]
    expect(ranges(product({ versions }))).toEqual([{ ...expected, unknownVersions: true }])
  })

  it.each(['*', 'All', 'all versions'])('takes %s as the end of a range for every later version', (end) => {
    const versions = [is('affected', '19.0.0', { lessThanOrEqual: end })]
    expect(ranges(product({ versions }))).toEqual([{ version: '*', versionStartIncluding: '19.0.0' }])
  })

  it('lists a product with only affected commits, without a CPE match', () => {
    const commits = [is('affected', '1da177e4c3f4', { lessThan: 'a28b2bfc099c', versionType: 'git' })]
    const record = resolveAffected(product({ versions: commits }), product({ defaultStatus: 'unaffected' }))
    expect([record.cpe.matches, record.affected.length]).toEqual([[], 1])
  })
})

describe('Resolver: a CPE name with a version', () => {
  const named = (version: string, versions: readonly Members[], update = '*') => {
    const name = `cpe:2.3:a:examplesoft:router:${version}:${update}:*:*:*:*:*:*`
    return resolved([cve({ adp: [cisa({ affected: [{ cpes: [name], versions }] })] })]).cpe.matches
  }
  const open = (limits: Members) => ({ vulnerable: true, criteria: cpe('router'), ...limits })

  it('replaces the version in the CPE name with a version range of the product that starts or ends there', () => {
    const range = [is('affected', '10.2.0', { lessThan: '10.2.9-h1' })]
    const limits = { versionStartIncluding: '10.2.0', versionEndExcluding: '10.2.9-h1' }
    expect(named('10.2.0', range)).toEqual([open(limits)])
    expect(named('10.2.0', range, '-')).toEqual([open(limits)])
    expect(named('10.2.9-h1', range)).toEqual([open(limits)])
    expect(named('3.1', [is('affected', '0', { lessThanOrEqual: '3.1' })])).toEqual([
      open({ versionEndIncluding: '3.1' }),
    ])
  })

  it('uses all version ranges of the product, and starts the range of a series such as 3.3.x at 3.3', () => {
    const series = [is('affected', '3.3.x', { lessThan: '3.3.2' }), is('affected', '3.5.x', { lessThan: '3.5.7' })]
    expect(named('3.3.2', series)).toEqual([
      open({ versionStartIncluding: '3.3', versionEndExcluding: '3.3.2' }),
      open({ versionStartIncluding: '3.5', versionEndExcluding: '3.5.7' }),
    ])
  })

  it('creates one CPE match per version range for several CPE names of the same product', () => {
    const versions = [is('affected', '1.0', { lessThan: '1.2' }), is('affected', '2.0', { lessThan: '2.2' })]
    const affected = [{ cpes: [cpe('router', '1.0'), cpe('router', '2.0')], versions }]
    expect(resolved([cve({ cna: { affected } })]).cpe.configurations[0]?.nodes[0]?.matches).toHaveLength(2)
  })

  it('uses all versions of the product if the CPE names have only one of them (CVE-2023-33850)', () => {
    const versions = ['8.1', '8.2', '9.1'].map((version) => is('affected', version))
    const all = ['8.1', '8.2', '9.1'].map((version) => ({ vulnerable: true, criteria: cpe('router', version) }))
    expect(named('8.1', versions)).toEqual(all)
    expect(named('8.1', [...versions.slice(0, 1), is('affected', '9', { lessThan: '9.2' })])).toEqual([
      { vulnerable: true, criteria: cpe('router', '8.1') },
      open({ versionStartIncluding: '9', versionEndExcluding: '9.2' }),
    ])
    const both = { cpes: [cpe('router', '8.1'), cpe('switch', '8.2')], versions }
    expect(resolved([cve({ cna: { affected: [both] } })]).cpe.matches.map(({ criteria }) => criteria)).toEqual(
      both.cpes,
    )
    expect(named('8.1', versions, 'sp1')).toHaveLength(1)
    expect(named('8.1', [is('affected', '8.1 SP2'), is('affected', '8.2')])).toEqual(all.slice(0, 1))
  })

  it('keeps the version in the CPE name if no version range of the product starts or ends there', () => {
    const name = { vulnerable: true, criteria: cpe('router', '8') }
    expect(named('8', [is('affected', '0', { lessThan: '4.18.0' })])).toEqual([name])
    expect(named('8', [is('affected', '8.1', { lessThan: '8.4' })])).toEqual([name])
  })

  it('uses the version range of the product for a CPE name with the version "-"', () => {
    expect(named('-', [is('affected', '1.0', { lessThan: '1.2' })])).toEqual([
      open({ versionStartIncluding: '1.0', versionEndExcluding: '1.2' }),
    ])
  })
})

describe('Resolver: a product that is affected by default', () => {
  const byDefault = (...versions: readonly Members[]) => ranges(product({ defaultStatus: 'affected', versions }))
  const upTo = (start: string, end: string) => is('unaffected', start, { lessThanOrEqual: end })

  it('matches the versions between unaffected ranges, as in each branch of the Linux kernel', () => {
    const fixed = { ...upTo('5.16', '*'), versionType: 'original_commit_for_fix' }
    const before = is('unaffected', '0', { lessThan: '5.10', versionType: 'semver' })
    const kernel = [is('affected', '5.10'), before, upTo('5.10.88', '5.10.*'), upTo('5.15.11', '5.15.*'), fixed]
    expect(byDefault(...kernel)).toEqual([from('5.10', '5.10.88'), from('5.11', '5.15.11')])
    expect(byDefault(...kernel.toReversed())).toEqual([from('5.10', '5.10.88'), from('5.11', '5.15.11')])
  })

  it('matches the versions before the first and after the last unaffected range', () => {
    expect(byDefault(upTo('4.9.276', '4.9.*'), upTo('4.10.1', '4.10.*'))).toEqual([
      { version: '*', versionEndExcluding: '4.9.276' },
      from('4.10', '4.10.1'),
      { version: '*', versionStartIncluding: '4.11' },
    ])
  })

  it('treats the last version of an unaffected range with lessThanOrEqual as unaffected', () => {
    expect(byDefault(upTo('0', '2.4'), upTo('2.9', '*'))).toEqual([
      { version: '*', versionStartExcluding: '2.4', versionEndExcluding: '2.9' },
    ])
  })

  it('matches the versions between unaffected ranges that end or start at a release candidate', () => {
    const branches = [upTo('6.10.14', '6.10.*'), upTo('6.11.3', '6.11.*')]
    const affected = [{ version: '*', versionEndExcluding: '6.10.14' }, from('6.11', '6.11.3')]
    for (const fixed of ['6.12-rc1', '6.12-rc7', '6.12.0-RC1', '6.12'])
      expect(byDefault(...branches, upTo(fixed, '*'))).toEqual(affected)
    expect(byDefault(...branches, upTo('6.13-rc2', '*'))).toEqual([...affected, from('6.12', '6.13-rc2')])
    const candidates = [is('unaffected', '0', { lessThan: '6.12-rc2' }), upTo('6.12-rc10', '*')]
    expect(byDefault(...candidates.toReversed())).toEqual([from('6.12-rc2', '6.12-rc10')])
  })

  it('matches the versions between unaffected ranges if numbers decide the order of other versions', () => {
    const versions = [is('unaffected', '0', { lessThan: '2.0-beta' }), upTo('2.4-p1', '2.4.*'), upTo('3.0-p7', '*')]
    expect(byDefault(...versions)).toEqual([from('2.0-beta', '2.4-p1'), from('2.5', '3.0-p7')])
  })

  it('ignores an unaffected range without a version', () => {
    for (const version of ['2.4', '2022 SU3'])
      expect(byDefault(is('unaffected', version, { lessThan: version }))).toEqual([{ version: '*' }])
  })

  it('produces a single affected range, instead of one per gap, if the order of versions is unknown', () => {
    const versions = [
      is('unaffected', '0', { lessThan: '2.0-beta' }),
      upTo('2.4-p1', '2.4-p5'),
      is('unaffected', '3.0-rc2', { lessThan: '*' }),
    ]
    expect(byDefault(...versions)).toEqual([from('2.0-beta', '3.0-rc2')])
    expect(byDefault(is('unaffected', '2.4-p1'), is('unaffected', '3.0-p7'))).toEqual([{ version: '*' }])
  })

  it('matches only the listed affected ranges if an affected range has an end', () => {
    expect(byDefault(is('affected', '1.0', { lessThan: '1.2' }))).toEqual([from('1.0', '1.2')])
  })
})

describe('Resolver: versions of affected products', () => {
  it('drops the start of a version range if it equals the end of the range', () => {
    const versions = [is('affected', '2.4', { lessThan: '2.4' })]
    expect(ranges(product({ versions }))).toEqual([{ version: '*', versionEndExcluding: '2.4' }])
  })

  it('marks a range as inverted if it ends at a release candidate of its start, but not if the order is unknown', () => {
    const inverted = (version: string, lessThan: string) =>
      resolveAffected(product({ versions: [is('affected', version, { lessThan })] })).cpe.matches.map(
        (each) => each.inverted,
      )
    expect(inverted('4.2', '4.2.0-rc2')).toEqual([true])
    expect(inverted('4.2.0-rc3', '4.2.0-rc2')).toEqual([true])
    for (const start of ['4.2.0-rc1', '4.2.0-beta1', '4.2-beta1', '4.2-rc3'])
      expect(inverted(start, '4.2.0-rc2')).toEqual([undefined])
    expect(inverted('4.2.0-beta1', '4.2-rc2')).toEqual([undefined])
  })

  it('reads dotted numbers with versionType git as versions, not as commits', () => {
    const git = { versionType: 'git' }
    const versions = [is('affected', '31.0.8', { lessThan: '32.0.4', ...git })]
    expect(ranges(product({ versions }))).toEqual([from('31.0.8', '32.0.4')])
    const commits = ['1da177e', 'main'].map((version) => is('affected', version, { lessThan: 'a28b2bf', ...git }))
    expect(ranges(product({ versions: [...versions, ...commits] }))).toEqual([from('31.0.8', '32.0.4')])
  })

  it('does not apply the versions of a package to the product that contains it', () => {
    const name = 'cpe:2.3:a:redhat:firewall:*:*:*:*:*:*:*:*'
    const listed = { vendor: 'Red Hat', product: 'Firewall', status: 'fixed', cpe: 'cpe:/a:redhat:firewall' }
    const byVendor = (more: Members) =>
      resolved([cve(), vendor('redhat', { products: [{ ...listed, fixed: '0:4.18.0', ...more }] })]).cpe.matches
    expect(byVendor({ purl: 'pkg:rpm/redhat/switch' })).toEqual([{ vulnerable: true, criteria: name }])
    expect(byVendor({})).toEqual([{ vulnerable: true, criteria: name, versionEndExcluding: '0:4.18.0' }])

    const versions = [is('unaffected', '0:4.18.0', { lessThan: '*' })]
    const byCna = (packageName: string) =>
      resolveAffected(product({ cpes: [name], packageName, defaultStatus: 'affected', versions })).cpe.matches
    expect(byCna('switch')).toEqual([{ vulnerable: true, criteria: name }])
    expect(byCna('Firewall')).toEqual([{ vulnerable: true, criteria: name, versionEndExcluding: '0:4.18.0' }])
  })

  it.each(['version', 'lessThan', 'lessThanOrEqual'])(
    'reads up to 100,000 digits in the member %s in linear time',
    (member) => {
      const growth = measureGrowth(50_000, (digits) => {
        const version = `${'1'.repeat(digits)}a${'1'.repeat(digits)}a1.*`
        const versions = [is('affected', '1.0', { [member]: version }), is('unaffected', '1.0', { [member]: version })]
        expect(ranges(product({ versions }))).toHaveLength(1)
        expect(ranges(product({ defaultStatus: 'affected', versions }))).toHaveLength(1)
      })
      expect(growth).toBeLessThan(MAX_LINEAR_GROWTH)
    },
  )
})

describe('Resolver: CPE names from a CNA', () => {
  const name = 'cpe:2.3:o:ExampleSoft:Edge Router :*:*:*:*:*:*:x64:*'

  it.each(['publication', 'Publication', 'https://aka.ms/OfficeSecurityReleases'])(
    "reads no range end and no fixed version from a CNA's limit %s, and marks the match",
    (versionEndExcluding) => {
      const limits = { versionStartIncluding: '1.0.0', versionEndExcluding }
      const record = resolved([cve({ cna: { cpeApplicability: configurations(match('service', limits)) } })])
      const marked = match('service', { versionStartIncluding: '1.0.0', unknownVersions: true })
      expect(record.cpe.matches).toEqual([marked])
      expect([record.fix, record.fixes]).toEqual([null, []])
    },
  )

  it("normalises a CNA's CPE names and drops malformed ones", () => {
    const cpeApplicability = configurations(
      { vulnerable: true, criteria: name, versionEndExcluding: '2.4-RC1' },
      { vulnerable: true, criteria: 'cpe:2.3:a:examplesoft:router' },
    )
    expect(resolved([cve({ cna: { cpeApplicability } })]).cpe.matches).toEqual([
      {
        vulnerable: true,
        criteria: 'cpe:2.3:o:examplesoft:edge_router:*:*:*:*:*:*:x64:*',
        versionEndExcluding: '2.4-RC1',
      },
    ])
  })

  it("keeps NVD's CPE names unchanged", () => {
    const record = resolved([nvd({ configurations: configurations({ vulnerable: true, criteria: name }) })])
    expect(record.cpe.matches).toEqual([{ vulnerable: true, criteria: name }])
  })
})

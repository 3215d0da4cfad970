import { describe, expect, it } from 'vitest'
import { cisa, configurations, cpe, cve, nvd, resolved, vendor } from '../builders.ts'

type Members = Readonly<Record<string, unknown>>

const product = (more: Members) => ({ vendor: 'ExampleSoft', product: 'Teapot', ...more })
const is = (status: string, version: string, more: Members = {}) => ({ status, version, ...more })
const said = (...affected: readonly Members[]) => resolved([cve({ cna: { affected } })])
const ranges = (...affected: readonly Members[]) =>
  said(...affected).cpe.matches.map(({ criteria, vulnerable, ...limits }) => {
    expect(vulnerable).toBe(true)
    return { version: criteria.split(':')[5], ...limits }
  })
const from = (start: string, end: string) => ({
  version: '*',
  versionStartIncluding: start,
  versionEndExcluding: end,
})

describe('A product of which no version is said to be affected', () => {
  it.each([
    ['unaffected by default, without versions', { defaultStatus: 'unaffected' }],
    ['unknown by default, without versions', { defaultStatus: 'unknown', versions: [] }],
    ['listed in a version of which nothing is known', { defaultStatus: 'unaffected', versions: [is('unknown', '0')] }],
    ['listed in an unknown version, without a default', { versions: [is('unknown', '1.0', { lessThan: '2.0' })] }],
    ['listed in a version that is not affected', { versions: [is('unaffected', '1.0')] }],
    [
      'affected by default, with all versions taken out',
      { defaultStatus: 'affected', versions: [is('unaffected', '0', { lessThan: '*' })] },
    ],
  ])('is no affected one: %s', (_, more) => {
    const inWords = said(product(more))
    expect([inWords.cpe.matches, inWords.affected]).toEqual([[], []])
    const named = said(product({ cpes: [cpe('teapot'), cpe('teapot', '7')], ...more }))
    expect([named.cpe.matches, named.affected]).toEqual([[], []])
  })

  it('is affected in any version where it is so by default, or nothing is said of versions', () => {
    for (const more of [{ defaultStatus: 'affected' }, {}, { versions: [] }]) {
      expect(ranges(product(more))).toEqual([{ version: '*' }])
      expect(said(product(more)).affected).toHaveLength(1)
    }
  })

  it('is an affected one, if without names, where only commits of it are', () => {
    const commits = [is('affected', '1da177e4c3f4', { lessThan: 'a28b2bfc099c', versionType: 'git' })]
    const record = said(product({ versions: commits }), product({ defaultStatus: 'unaffected' }))
    expect([record.cpe.matches, record.affected.length]).toEqual([[], 1])
  })
})

describe('A CPE name with a version', () => {
  const named = (version: string, versions: readonly Members[], update = '*') => {
    const name = `cpe:2.3:a:examplesoft:teapot:${version}:${update}:*:*:*:*:*:*`
    return resolved([cve({ adp: [cisa({ affected: [{ cpes: [name], versions }] })] })]).cpe.matches
  }
  const open = (limits: Members) => ({ vulnerable: true, criteria: cpe('teapot'), ...limits })

  it('is open, with its update, where the range beside it begins or ends with that version', () => {
    const range = [is('affected', '10.2.0', { lessThan: '10.2.9-h1' })]
    const limits = { versionStartIncluding: '10.2.0', versionEndExcluding: '10.2.9-h1' }
    expect(named('10.2.0', range)).toEqual([open(limits)])
    expect(named('10.2.0', range, '-')).toEqual([open(limits)])
    expect(named('10.2.9-h1', range)).toEqual([open(limits)])
    expect(named('3.1', [is('affected', '0', { lessThanOrEqual: '3.1' })])).toEqual([
      open({ versionEndIncluding: '3.1' }),
    ])
  })

  it('takes all ranges beside it then, of a series from its beginning', () => {
    const series = [is('affected', '3.3.x', { lessThan: '3.3.2' }), is('affected', '3.5.x', { lessThan: '3.5.7' })]
    expect(named('3.3.2', series)).toEqual([
      open({ versionStartIncluding: '3.3', versionEndExcluding: '3.3.2' }),
      open({ versionStartIncluding: '3.5', versionEndExcluding: '3.5.7' }),
    ])
  })

  it('has each range once, however many names were made from it', () => {
    const versions = [is('affected', '1.0', { lessThan: '1.2' }), is('affected', '2.0', { lessThan: '2.2' })]
    const affected = [{ cpes: [cpe('teapot', '1.0'), cpe('teapot', '2.0')], versions }]
    expect(resolved([cve({ cna: { affected } })]).cpe.configurations[0]?.nodes[0]?.matches).toHaveLength(2)
  })

  it('stands as it is beside any other range', () => {
    const name = { vulnerable: true, criteria: cpe('teapot', '8') }
    expect(named('8', [is('affected', '0', { lessThan: '4.18.0' })])).toEqual([name])
    expect(named('8', [is('affected', '8.1', { lessThan: '8.4' })])).toEqual([name])
  })

  it('that says that there is none is open beside a range', () => {
    expect(named('-', [is('affected', '1.0', { lessThan: '1.2' })])).toEqual([
      open({ versionStartIncluding: '1.0', versionEndExcluding: '1.2' }),
    ])
  })
})

describe('A product that is affected by default', () => {
  const byDefault = (...versions: readonly Members[]) => ranges(product({ defaultStatus: 'affected', versions }))
  const upTo = (start: string, end: string) => is('unaffected', start, { lessThanOrEqual: end })

  it('is so between the unaffected ranges: of the kernel, in each branch until its fix', () => {
    const fixed = { ...upTo('5.16', '*'), versionType: 'original_commit_for_fix' }
    const before = is('unaffected', '0', { lessThan: '5.10', versionType: 'semver' })
    const kernel = [is('affected', '5.10'), before, upTo('5.10.88', '5.10.*'), upTo('5.15.11', '5.15.*'), fixed]
    expect(byDefault(...kernel)).toEqual([from('5.10', '5.10.88'), from('5.11', '5.15.11')])
    expect(byDefault(...kernel.toReversed())).toEqual([from('5.10', '5.10.88'), from('5.11', '5.15.11')])
  })

  it('is so from the first version on and up to the last, unless that is said otherwise', () => {
    expect(byDefault(upTo('4.9.276', '4.9.*'), upTo('4.10.1', '4.10.*'))).toEqual([
      { version: '*', versionEndExcluding: '4.9.276' },
      from('4.10', '4.10.1'),
      { version: '*', versionStartIncluding: '4.11' },
    ])
  })

  it('is not so in the last version of a range that includes it', () => {
    expect(byDefault(upTo('0', '2.4'), upTo('2.9', '*'))).toEqual([
      { version: '*', versionStartExcluding: '2.4', versionEndExcluding: '2.9' },
    ])
  })

  it('is so from the end of the first to the start of the last where versions have no order', () => {
    const versions = [
      is('unaffected', '0', { lessThan: '2.0-beta' }),
      upTo('2.4-p1', '2.4.*'),
      is('unaffected', '3.0-rc2', { lessThan: '*' }),
    ]
    expect(byDefault(...versions)).toEqual([from('2.0-beta', '3.0-rc2')])
    expect(byDefault(is('unaffected', '2.4-p1'), is('unaffected', '3.0-p7'))).toEqual([{ version: '*' }])
  })

  it('is so in the listed ranges alone where an affected one has an end', () => {
    expect(byDefault(is('affected', '1.0', { lessThan: '1.2' }))).toEqual([from('1.0', '1.2')])
  })
})

describe('Versions', () => {
  it('that begin where they are fixed begin nowhere', () => {
    const versions = [is('affected', '2.4', { lessThan: '2.4' })]
    expect(ranges(product({ versions }))).toEqual([{ version: '*', versionEndExcluding: '2.4' }])
  })

  it('that are dotted numbers are no commits, whatever they are called', () => {
    const git = { versionType: 'git' }
    const versions = [is('affected', '31.0.8', { lessThan: '32.0.4', ...git })]
    expect(ranges(product({ versions }))).toEqual([from('31.0.8', '32.0.4')])
    const commits = ['1da177e', 'main'].map((version) => is('affected', version, { lessThan: 'a28b2bf', ...git }))
    expect(ranges(product({ versions: [...versions, ...commits] }))).toEqual([from('31.0.8', '32.0.4')])
  })

  it('of a package are no limits of the product that it is a part of', () => {
    const name = 'cpe:2.3:a:redhat:teaware:*:*:*:*:*:*:*:*'
    const listed = { vendor: 'Red Hat', product: 'Teaware', status: 'fixed', cpe: 'cpe:/a:redhat:teaware' }
    const byVendor = (more: Members) =>
      resolved([cve(), vendor('redhat', { products: [{ ...listed, fixed: '0:4.18.0', ...more }] })]).cpe.matches
    expect(byVendor({ purl: 'pkg:rpm/redhat/kettle' })).toEqual([{ vulnerable: true, criteria: name }])
    expect(byVendor({})).toEqual([{ vulnerable: true, criteria: name, versionEndExcluding: '0:4.18.0' }])

    const versions = [is('unaffected', '0:4.18.0', { lessThan: '*' })]
    const byCna = (packageName: string) =>
      said(product({ cpes: [name], packageName, defaultStatus: 'affected', versions })).cpe.matches
    expect(byCna('kettle')).toEqual([{ vulnerable: true, criteria: name }])
    expect(byCna('Teaware')).toEqual([{ vulnerable: true, criteria: name, versionEndExcluding: '0:4.18.0' }])
  })

  it.each(['version', 'lessThan', 'lessThanOrEqual'])('of many digits take no time: %s', (member) => {
    const version = `${'1'.repeat(50_000)}a${'1'.repeat(50_000)}a1.*`
    const versions = [is('affected', '1.0', { [member]: version }), is('unaffected', '1.0', { [member]: version })]
    const started = performance.now()
    expect(ranges(product({ versions }))).toHaveLength(1)
    expect(ranges(product({ defaultStatus: 'affected', versions }))).toHaveLength(1)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

describe('Names in CPE that a CNA wrote', () => {
  const name = 'cpe:2.3:o:ExampleSoft:Tea Pot :*:*:*:*:*:*:x64:*'

  it('are written as the dictionary would, and left out where they are none', () => {
    const cpeApplicability = configurations(
      { vulnerable: true, criteria: name, versionEndExcluding: '2.4-RC1' },
      { vulnerable: true, criteria: 'cpe:2.3:a:examplesoft:teapot' },
    )
    expect(resolved([cve({ cna: { cpeApplicability } })]).cpe.matches).toEqual([
      {
        vulnerable: true,
        criteria: 'cpe:2.3:o:examplesoft:tea_pot:*:*:*:*:*:*:x64:*',
        versionEndExcluding: '2.4-RC1',
      },
    ])
  })

  it('are left as they are where NVD wrote them', () => {
    const record = resolved([nvd({ configurations: configurations({ vulnerable: true, criteria: name }) })])
    expect(record.cpe.matches).toEqual([{ vulnerable: true, criteria: name }])
  })
})

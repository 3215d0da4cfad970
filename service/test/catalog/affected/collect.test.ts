import { describe, expect, it } from 'vitest'
import { configurations, match, nvd, override } from '../builders.ts'
import { cna, collect, list, said } from './list-rows.ts'

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

  it('have the update of a CPE name only for the version in that name (CVE-2023-40128)', () => {
    const affected = {
      vendor: 'ExampleSoft',
      product: 'OS',
      versions: [said('affected', '12.0'), said('affected', '13.0')],
    }
    const osName = (version: string) => `cpe:2.3:o:examplesoft:os:${version}:-:*:*:*:*:*:*`
    expect(list(cna({ ...affected, cpes: [osName('12.0')] }))).toEqual(['cna:apache: examplesoft/os 12.0 -,13.0'])
    expect(list(cna({ ...affected, cpes: [osName('*')] }))).toEqual(['cna:apache: examplesoft/os 12.0,13.0'])
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
    expect(list(nvdWith(named('router', '2.4.*')))).toEqual(['nvd: examplesoft/router >=2.4 <2.5'])
  })

  it('have names and versions without CPE escape characters', () => {
    const criteria = String.raw`cpe:2.3:a:gnu:c\+\+:1.0\+b:*:*:*:*:*:*:*`
    expect(list(nvdWith({ vulnerable: true, criteria }))).toEqual(['nvd: gnu/c++ 1.0+b'])
  })

  it('have limits without CPE escape characters (CVE-2021-1135)', () => {
    const limits = { versionStartIncluding: String.raw`11.0\(1\)`, versionEndExcluding: String.raw`11.4\(1\)` }
    expect(list(nvdWith(match('router', limits)))).toEqual(['nvd: examplesoft/router >=11.0(1) <11.4(1) fixed 11.4(1)'])
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

const entry = (versions: readonly object[], more: object = {}) => ({
  vendor: 'ExampleSoft',
  product: 'Router',
  versions,
  ...more,
})

describe('Affected versions from several sources', () => {
  it('stay separate, each with its source; names that the service derived are marked', () => {
    const end = match('router', { versionEndExcluding: '2.4' })
    const rows = list(
      nvdWith(end),
      override(configurations(match('router', { versionEndExcluding: '2.3' }))),
      cna(entry([said('affected', '2.0', { lessThan: '2.4' })])),
    )
    expect(rows).toEqual([
      'anchore: examplesoft/router <2.3',
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

describe('The start of the next branch', () => {
  const entry = (more: object, ...versions: readonly object[]) => ({
    vendor: 'ExampleSoft',
    product: 'Router',
    ...more,
    versions,
  })

  it.each([
    ['a series (CVE-2018-2620)', said('affected', '16.x')],
    ['a range that ends with a series (CVE-2024-39554)', said('affected', '16.0', { lessThan: '16*' })],
    ['a range through a series (CVE-2023-37434)', said('affected', '16.x', { lessThanOrEqual: '16.*' })],
  ])('is not the fixed version of %s', (_, range) => {
    expect(list(cna(entry({}, range)))).toEqual([
      expect.stringMatching(/^derived:cna:apache: examplesoft\/router >=16(?:\.0)? <17$/),
    ])
  })

  it('is not the fixed version of a range of the Linux kernel (CVE-2026-74571)', () => {
    const kernel = { vendor: 'Linux', product: 'Linux' }
    const ranges = [said('affected', '6.4.8', { lessThan: '6.5' }), said('affected', '6.5')]
    expect(list(cna(entry(kernel, ...ranges)))).toEqual([
      'derived:cna:apache: linux/linux_kernel 6.5',
      'derived:cna:apache: linux/linux_kernel >=6.4.8 <6.5',
    ])
  })

  it('is not the fixed version of a package', () => {
    const packages = { packageURL: 'pkg:npm/router' }
    expect(list(cna(entry(packages, said('affected', '16.0', { lessThan: '16.*' })))).join()).not.toContain('fixed')
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

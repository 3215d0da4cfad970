import { describe, expect, it } from 'vitest'
import { createNameDictionary } from '../../../src/catalog/resolve/products/product-names.ts'
import { resolve } from '../../../src/catalog/resolve/resolve.ts'
import { MAX_LINEAR_GROWTH, measureGrowth } from '../../support/growth.ts'
import { cisa, configurations, cpe, cve, match, nvd, override, resolved, sourceData, vendor } from '../builders.ts'

const namedProduct = (versions: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
  affected: [{ vendor: 'ExampleSoft', product: 'Router', versions, ...more }],
})
const affectedVersion = (version: string, more = {}) => ({ version, status: 'affected', ...more })

describe('Resolver: CPE matches', () => {
  it('prefers CPE matches from NVD, then Anchore, the CNA, CISA, derived matches, and vendors', () => {
    const applicability = { cpeApplicability: configurations(match('of-cna')) }
    const names = { affected: [{ vendor: 'e', product: 'p', cpes: [cpe('of-cisa')], versions: [] }] }
    const byName = namedProduct([affectedVersion('1.0')])
    const redhat = vendor('redhat', {
      products: [{ vendor: 'v', product: 'p', status: 'affected', cpe: 'cpe:/a:redhat:router:1' }],
    })
    const records = {
      nvd: nvd({ configurations: configurations(match('of-nvd')) }),
      anchore: override(configurations(match('of-anchore'))),
      cna: cve({ cna: { ...applicability, ...byName }, adp: [cisa(names)] }),
      cisa: cve({ cna: byName, adp: [cisa(names)] }),
      byName: cve({ cna: byName }),
    }
    const first = (...given: Parameters<typeof resolved>[0][number][]) => {
      const { by, isDerived, matches } = resolved(given).cpe
      return [by, isDerived, matches[0]?.criteria]
    }
    expect(first(records.nvd, records.anchore, records.cna, redhat)).toEqual(['nvd', false, cpe('of-nvd')])
    expect(first(records.anchore, records.cna, redhat)).toEqual(['anchore', false, cpe('of-anchore')])
    expect(first(records.cna, redhat)).toEqual(['cna:apache', false, cpe('of-cna')])
    expect(first(records.cisa, redhat)).toEqual(['cisa-adp', false, cpe('of-cisa')])
    expect(first(records.byName, redhat)).toEqual(['cna:apache', true, cpe('router', '1.0')])
    expect(first(cve(), redhat)).toEqual(['redhat', false, 'cpe:2.3:a:redhat:router:1:*:*:*:*:*:*:*'])
  })

  it('lists each other provider of CPE matches once with the number of its matches', () => {
    const affected = [
      { vendor: 'e', product: 'p', cpes: [cpe('router')], versions: [affectedVersion('1'), affectedVersion('2')] },
    ]
    const copy = [{ source: 'security@apache.org', affectedData: affected }]
    const records = [
      nvd({ affected: copy, configurations: configurations(match('router')) }),
      cve({ cna: { affected } }),
    ]
    expect(resolved(records).cpe).toMatchObject({ by: 'nvd', runnersUp: [{ value: 2, by: 'cna:apache' }] })
  })

  it('keeps AND and OR in CPE configurations and lists each CPE match once', () => {
    const platform = { vulnerable: false, criteria: cpe('platform') }
    const configuration = (product: string) => ({
      operator: 'AND',
      nodes: [
        { operator: 'OR', negate: false, cpeMatch: [match(product)] },
        { operator: 'OR', negate: false, cpeMatch: [platform] },
      ],
    })
    const found = resolved([nvd({ configurations: [configuration('router'), configuration('switch')] })]).cpe
    expect(found.configurations.map(({ operator, nodes }) => [operator, nodes.length])).toEqual([
      ['AND', 2],
      ['AND', 2],
    ])
    expect(found.matches.map(({ criteria }) => criteria)).toEqual([cpe('router'), cpe('platform'), cpe('switch')])
  })

  it('ignores an Anchore override that names no product', () => {
    const none = { vulnerable: false, criteria: 'cpe:2.3:a:null:null:*:*:*:*:*:*:*:*' }
    expect(resolved([cve(), override(configurations(none))]).cpe).toMatchObject({ by: null, matches: [] })
    const meant = { ...none, vulnerable: true }
    expect(resolved([cve(), override(configurations(meant))]).cpe).toMatchObject({ by: null, matches: [] })
  })

  it('adds the version limits of the product to a CPE name without a version', () => {
    const affected = [
      { cpes: [cpe('router')], versions: [affectedVersion('2.0', { lessThan: '2.4' }), affectedVersion('3.1')] },
      { cpes: [cpe('switch', '7')], versions: [affectedVersion('*')] },
    ]
    expect(resolved([cve({ adp: [cisa({ affected })] })]).cpe.matches).toEqual([
      { vulnerable: true, criteria: cpe('router'), versionStartIncluding: '2.0', versionEndExcluding: '2.4' },
      { vulnerable: true, criteria: cpe('router', '3.1') },
      { vulnerable: true, criteria: cpe('switch', '7') },
    ])
  })

  it.each([
    ['1.6.11', '2.0.4', [{ version: '*', versionEndIncluding: '2.0.4' }]],
    ['125', '126', [{ version: '*', versionEndIncluding: '126' }]],
    ['2.1', '2.0.4', [{ version: '2.1' }]],
    ['15', '35979', [{ version: '15' }]],
    ['1.06', '06', [{ version: '1.06' }]],
  ])('reads the CPE version %s with a range up to %s as %j', (version, lessThanOrEqual, expected) => {
    const affected = [{ cpes: [cpe('router', version)], versions: [affectedVersion('0', { lessThanOrEqual })] }]
    const { matches } = resolved([cve({ adp: [cisa({ affected })] })]).cpe
    const served = matches.map(({ criteria, ...rest }) => ({ version: criteria.split(':')[5], ...rest }))
    expect(served).toEqual(expected.map((each) => ({ vulnerable: true, ...each })))
  })

  it.each([
    ['Router 8.0', '8.0.0', { version: '1.0.0', lessThan: '8.0.7' }],
    ['Router 4.6.2/4.7/4.7.2', '4.7.2', { version: '4.7.0', lessThan: '4.7.4063.5' }],
  ])('keeps the version in the CPE name of %s: %s', (product, version, range) => {
    const affected = [{ product, cpes: [cpe('router', version)], versions: [{ status: 'affected', ...range }] }]
    expect(resolved([cve({ cna: { affected } })]).cpe.matches).toEqual([
      { vulnerable: true, criteria: cpe('router', version) },
    ])
  })

  it('keeps CPE names that list the versions of a range one by one', () => {
    const cpes = [cpe('router', '1.1'), cpe('router', '1.2')]
    const affected = [{ cpes, versions: [affectedVersion('1.0', { lessThan: '1.3' })] }]
    const { matches } = resolved([cve({ adp: [cisa({ affected })] })]).cpe
    expect(matches.map(({ criteria }) => criteria)).toEqual(cpes)
  })

  it('creates no match for a product that is listed as unaffected', () => {
    const affected = [{ cpes: [cpe('switch', '7'), cpe('router')], versions: [{ version: '7', status: 'unaffected' }] }]
    expect(resolved([cve({ adp: [cisa({ affected })] })]).cpe.matches).toEqual([])
  })

  it('resolves up to 5,000 CPE matches in linear time', () => {
    const resolve = (count: number) => {
      const many = Array.from({ length: count }, (_, number) => match('router', { versionEndExcluding: `1.${number}` }))
      const sourceRecord = nvd({ configurations: configurations(...many, ...many) })
      expect(resolved([sourceRecord]).cpe.matches).toHaveLength(count)
    }
    expect(measureGrowth(5000, resolve)).toBeLessThan(MAX_LINEAR_GROWTH)
  })
})

describe('Resolver: CPE matches derived from product names', () => {
  const limits = (versions: unknown, more = {}) =>
    resolved([cve({ cna: namedProduct(versions, more) })]).cpe.matches.map(
      ({ criteria, vulnerable, derived, ...rest }) => {
        expect([vulnerable, derived]).toEqual([true, true])
        return { version: criteria.split(':')[5], ...rest }
      },
    )

  it.each([
    ['one version', affectedVersion('v1.2'), { version: '1.2' }],
    [
      'a range',
      affectedVersion('1.0', { lessThan: '1.2' }),
      { version: '*', versionStartIncluding: '1.0', versionEndExcluding: '1.2' },
    ],
    [
      'a range from the first version on',
      affectedVersion('0', { lessThanOrEqual: '1.2' }),
      { version: '*', versionEndIncluding: '1.2' },
    ],
    [
      'a range with an unspecified start',
      affectedVersion('unspecified', { lessThan: '1.2' }),
      { version: '*', versionEndExcluding: '1.2' },
    ],
    [
      'a range without an end',
      affectedVersion('1.0', { lessThan: '*' }),
      { version: '*', versionStartIncluding: '1.0' },
    ],
    [
      'a condition',
      affectedVersion('>= 1.0, < 1.2'),
      { version: '*', versionStartIncluding: '1.0', versionEndExcluding: '1.2' },
    ],
    [
      'a range up to a whole series',
      affectedVersion('6.0', { lessThanOrEqual: '6.1.*' }),
      { version: '*', versionStartIncluding: '6.0', versionEndExcluding: '6.2', endsBranch: true },
    ],
    [
      'a series',
      affectedVersion('9.3.x'),
      { version: '*', versionStartIncluding: '9.3', versionEndExcluding: '9.4', endsBranch: true },
    ],
    [
      'a range with a fix inside it',
      affectedVersion('1.0', { lessThan: '1.9', changes: [{ at: '1.2', status: 'unaffected' }] }),
      { version: '*', versionStartIncluding: '1.0', versionEndExcluding: '1.2' },
    ],
    [
      'a range that ends before the fixed version',
      affectedVersion('1.0', { lessThanOrEqual: '1.0.0', changes: [{ at: '1.1.0', status: 'unaffected' }] }),
      { version: '*', versionStartIncluding: '1.0', versionEndIncluding: '1.0.0', fixedAt: '1.1.0' },
    ],
    [
      'a range of versions with a fix at a commit',
      affectedVersion('1.3.0', { lessThanOrEqual: '1.4.1', changes: [{ at: '261133e1d33e', status: 'unaffected' }] }),
      { version: '*', versionStartIncluding: '1.3.0', versionEndIncluding: '1.4.1' },
    ],
    [
      'a range of versions with a fix in a patch file',
      affectedVersion('0', { lessThan: '2.1.2', changes: [{ at: '0012-set-path.patch', status: 'unaffected' }] }),
      { version: '*', versionEndExcluding: '2.1.2' },
    ],
    [
      'a range of versions with a fix in a hotfix whose name is not a version',
      affectedVersion('0', { lessThan: '9.0.1', changes: [{ at: 'Q23169', status: 'unaffected' }] }),
      { version: '*', versionEndExcluding: '9.0.1' },
    ],
    ['a version placeholder', affectedVersion('n/a'), { version: '*', unknownVersions: true }],
    ['prose', affectedVersion('Router 9 and earlier, see advisory'), { version: '*', unknownVersions: true }],
  ])('derives the version limits from %s', (_, version, expected) => {
    expect(limits([version])).toEqual([expected])
  })

  it('derives no match from unaffected versions, nor from commits if the product also lists versions', () => {
    const commit = affectedVersion('1da177e4c3f4', { lessThan: 'a28b2bfc099c', versionType: 'git' })
    expect(limits([affectedVersion('1.2'), { version: '1.3', status: 'unaffected' }, commit])).toEqual([
      { version: '1.2' },
    ])
    expect(limits([{ version: '1.3', status: 'unaffected' }])).toEqual([])
    expect(limits([commit])).toEqual([{ version: '*', byCommits: true }])
  })

  it('ends the range at the first unaffected version of a product that is affected by default', () => {
    const versions = [{ version: '2.4', lessThan: '*', status: 'unaffected' }]
    expect(limits(versions, { defaultStatus: 'affected' })).toEqual([{ version: '*', versionEndExcluding: '2.4' }])
  })

  it('includes single versions next to ranges, even if unlisted versions are affected (CVE-2024-28188)', () => {
    const versions = [
      { version: '1.2.0', status: 'affected' },
      { version: '1.3.0', lessThan: '1.8.2', status: 'affected' },
    ]
    expect(limits(versions, { defaultStatus: 'affected' })).toEqual([
      { version: '1.2.0' },
      { version: '*', versionStartIncluding: '1.3.0', versionEndExcluding: '1.8.2' },
    ])
  })

  it('reads single unaffected versions as the first fixed versions of branches (CVE-2024-12014)', () => {
    const unaffected = ['1.3.2', '1.4.4', '4.0.4', '5.4.1'].map((version) => ({ version, status: 'unaffected' }))
    expect(limits(unaffected, { defaultStatus: 'affected' })).toEqual([
      { version: '*', versionEndExcluding: '1.3.2' },
      { version: '*', versionStartIncluding: '1.4', versionEndExcluding: '1.4.4' },
      { version: '*', versionStartIncluding: '1.5', versionEndExcluding: '4.0.4' },
      { version: '*', versionStartIncluding: '4.1', versionEndExcluding: '5.4.1' },
    ])
  })

  it('keeps the leading zeros of branches (CVE-2024-23118)', () => {
    const unaffected = ['22.04.15', '23.04.10'].map((version) => ({ version, status: 'unaffected' }))
    expect(limits(unaffected, { defaultStatus: 'affected' })).toEqual([
      { version: '*', versionEndExcluding: '22.04.15' },
      { version: '*', versionStartIncluding: '22.05', versionEndExcluding: '23.04.10' },
    ])
  })

  it('limits Android versions on chips to these chips, as NVD does (CVE-2023-52349)', () => {
    const affected = [{ vendor: 'Unisoc', product: 'T606', versions: [affectedVersion('Android12/Android13')] }]
    const { configurations, matches } = resolved([cve({ cna: { affected } })]).cpe
    const android = (version: string) => ({
      vulnerable: true,
      criteria: `cpe:2.3:o:google:android:${version}:*:*:*:*:*:*:*`,
      derived: true,
    })
    const chip = { vulnerable: false, criteria: 'cpe:2.3:h:unisoc:t606:*:*:*:*:*:*:*:*', derived: true }
    expect(configurations).toMatchObject([
      { operator: 'AND', nodes: [{ matches: [android('12.0'), android('13.0')] }, { matches: [chip] }] },
    ])
    expect(matches).toEqual([android('12.0'), android('13.0'), chip])
  })

  it('applies Android versions to Android if CPE names of chips come with them (CVE-2024-20059)', () => {
    const chip = (name: string) => `cpe:2.3:h:mediatek:${name}:-:*:*:*:*:*:*:*`
    const versions = [affectedVersion('android_12.0', { lessThanOrEqual: 'android_14.0', versionType: 'custom' })]
    const affected = ['mt6580', 'mt6739'].map((product) => ({
      vendor: 'mediatek',
      product,
      cpes: [chip(product)],
      versions,
      defaultStatus: 'unknown',
    }))
    const android = {
      vulnerable: true,
      criteria: 'cpe:2.3:o:google:android:*:*:*:*:*:*:*:*',
      versionStartIncluding: '12.0',
      versionEndIncluding: '14.0',
      derived: true,
    }
    const chips = ['mt6580', 'mt6739'].map((name) => ({ vulnerable: false, criteria: chip(name) }))
    const { configurations, matches, isDerived } = resolved([cve({ adp: [cisa({ affected })] })]).cpe
    expect(configurations).toMatchObject([{ operator: 'AND', nodes: [{ matches: [android] }, { matches: chips }] }])
    expect(matches).toEqual([android, ...chips])
    expect(isDerived).toBe(true)
  })

  it("names each chip in a list as the vendor's hardware, even if NVD has a name only for its firmware", () => {
    const dictionary = createNameDictionary()
    dictionary.add([{ part: 'o', vendor: 'mediatek', product: 'mt6761_firmware' }], [])
    const chips = (vendor: string, product: string) => {
      const affected = [{ vendor, product, versions: [affectedVersion('Android 13.0')] }]
      const matches = resolve(sourceData([cve({ cna: { affected } })]), dictionary)?.cpe.matches ?? []
      const names = matches.filter(({ vulnerable }) => !vulnerable).map(({ criteria }) => criteria)
      return names.map((each) => each.split(':').slice(2, 5).join(':'))
    }
    expect(chips('MediaTek, Inc.', 'MT6761')).toEqual(['h:mediatek:mt6761'])
    expect(chips('MediaTek, Inc.', 'MT6761, MT6765')).toEqual(['h:mediatek:mt6761', 'h:mediatek:mt6765'])
    expect(chips('Unisoc (Shanghai) Technologies Co., Ltd.', 'T606')).toEqual(['h:unisoc:t606'])
  })

  it('derives no configuration for a device without a vendor, because it could never match', () => {
    const affected = [{ product: 'T606', versions: [affectedVersion('Android 13.0')] }]
    expect(resolved([cve({ cna: { affected } })]).cpe).toMatchObject({ configurations: [], matches: [] })
  })

  it.each([
    ['no version', affectedVersion('n/a'), { criteria: cpe('router', '16') }],
    ['a build', affectedVersion('unspecified', { lessThan: '38690' }), { criteria: cpe('router', '16') }],
    ['a version', affectedVersion('0', { lessThan: '16.2' }), { criteria: cpe('router'), versionEndExcluding: '16.2' }],
  ])('limits a product to the version in its name if the CNA states %s', (_, version, expected) => {
    const dictionary = createNameDictionary()
    dictionary.add([{ part: 'a', vendor: 'examplesoft', product: 'router' }], [])
    const affected = [{ vendor: 'ExampleSoft', product: 'Router 16', versions: [version] }]
    expect(resolve(sourceData([cve({ cna: { affected } })]), dictionary)?.cpe.matches).toEqual([
      { vulnerable: true, derived: true, ...expected },
    ])
  })

  it('treats models that a CNA lists as versions as products (CVE-2024-33043)', () => {
    const dictionary = createNameDictionary()
    const firmware = (product: string) => ({ part: 'o', vendor: 'qualcomm', product })
    dictionary.add([firmware('fastconnect_6900_firmware'), firmware('qca6391_firmware')], [])
    const versions = ['FastConnect 6900', 'QCA6391', 'Unknown 1'].map((version) => affectedVersion(version))
    const affected = [{ vendor: 'Qualcomm, Inc.', product: 'Snapdragon', versions }]
    const found = resolve(sourceData([cve({ cna: { affected } })]), dictionary)?.cpe.matches
    const criteria = (text: string) => `cpe:2.3:${text}:*:*:*:*:*:*:*:*`
    expect(found).toEqual([
      { vulnerable: true, criteria: criteria('o:qualcomm:fastconnect_6900_firmware'), derived: true },
      { vulnerable: true, criteria: criteria('o:qualcomm:qca6391_firmware'), derived: true },
      { vulnerable: true, criteria: criteria('a:qualcomm\\,_inc.:unknown_1'), derived: true, unmapped: true },
    ])
  })

  it('treats Android versions as those of the product if the product is Android', () => {
    const affected = [{ vendor: 'Google', product: 'Android', versions: [affectedVersion('Android-13')] }]
    expect(resolved([cve({ cna: { affected } })]).cpe.matches).toMatchObject([{ vulnerable: true }])
  })

  it("does not treat a package's version as the distribution's version (CVE-2023-32182)", () => {
    const affected = [
      {
        vendor: 'SUSE',
        product: 'SUSE Linux Enterprise Desktop 15 SP5',
        packageName: 'postfix',
        versions: [affectedVersion('?', { lessThan: '3.7.3-150500.3.5.1' })],
      },
    ]
    expect(resolved([cve({ cna: { affected } })]).cpe.matches).toEqual([
      {
        vulnerable: true,
        criteria: 'cpe:2.3:a:suse:suse_linux_enterprise_desktop_15_sp5:*:*:*:*:*:*:*:*',
        derived: true,
      },
    ])
  })

  it('derives the CPE name that NVD uses for the Linux kernel', () => {
    const affected = [{ vendor: 'Linux', product: 'Linux', versions: [affectedVersion('5.4')] }]
    const [match] = resolved([cve({ cna: { affected } })]).cpe.matches
    expect(match?.criteria).toBe('cpe:2.3:o:linux:linux_kernel:5.4:*:*:*:*:*:*:*')
  })

  it('derives no match if vendor and product are "n/a"', () => {
    const affected = [{ vendor: 'n/a', product: 'n/a', versions: [affectedVersion('n/a')] }]
    const record = resolved([cve({ cna: { affected } })])
    expect([record.cpe.matches, record.affected]).toEqual([[], []])
  })

  it("derives matches from NVD's copy of the CNA's products if there is no CVE List record", () => {
    const affected = [{ source: 'security@apache.org', affectedData: namedProduct([affectedVersion('1.0')]).affected }]
    const record = resolved([nvd({ affected })])
    expect(record.cpe).toMatchObject({
      by: 'cna:apache',
      isDerived: true,
      matches: [{ criteria: cpe('router', '1.0') }],
    })
    expect(resolved([nvd({ affected }), cve({ cna: namedProduct([affectedVersion('1.0')]) })]).affected).toHaveLength(1)
  })
})

import { describe, expect, it } from 'vitest'
import type { SourceRecord } from '../../../src/catalog/model/source-data.ts'
import { cisa, configurations, cve, match, nvd, override, resolved, showFix, vendor } from '../builders.ts'
import { alma, below, byCna, byNvd, KERNEL, npm, product, rpm, show, until } from './fix-records.ts'

const byRedHat = (...names: readonly string[]) =>
  vendor('redhat', {
    products: names.map((name) => ({
      vendor: 'Red Hat',
      product: name,
      status: 'fixed',
      purl: 'pkg:rpm/redhat/router',
      fixed: '1.3-16.el7',
    })),
  })

describe('The fixes of a CVE (decision E36)', () => {
  it.each<[string, readonly SourceRecord[], readonly string[]]>([
    [
      "have the vendor's version before NVD's, which is its rival",
      [byCna([below('10.0.17763.6054', '10.0.17763.0')]), byNvd(until('10.0.17763.4377'))],
      ['Router 10.0.17763.6054 cna:apache | 10.0.17763.4377 nvd'],
    ],
    ['have no rival if the sources agree', [byCna([below('v2.4')]), byNvd(until('2.4'))], ['Router v2.4 cna:apache']],
    [
      "have the vendor's version before CISA's if the CNA uses another product name (CVE-2024-22015)",
      [
        cve({
          cna: { affected: [product([below('8.5.0')], { vendor: 'n/a', product: 'Router(R) software' })] },
          adp: [cisa({ affected: [product([below('8.5.0')])] })],
        }),
      ],
      ['Router(R) software 8.5.0 cna:apache', 'Router 8.5.0 cisa-adp'],
    ],
    [
      'belong to the branch 21.4 if the version is 21.4R3-S6 (CVE-2023-44186)',
      [byCna([below('21.4R3-S6', '21.4'), below('22.1R3-S5', '22.1')])],
      ['Router [21.4] 21.4R3-S6 cna:apache', 'Router [22.1] 22.1R3-S5 cna:apache'],
    ],
    [
      "have NVD's version before those of CISA and of Anchore",
      [
        cve({ adp: [cisa({ affected: [product([below('2.2')])] })] }),
        byNvd(until('2.1')),
        override(configurations(until('2.3'))),
      ],
      ['router 2.1 nvd | 2.2 cisa-adp | 2.3 anchore'],
    ],
    [
      "have the version of the CNA's record if NVD's copy is older",
      [copyInNvd('2.1', '2026-07-01T00:00:00Z'), byCna([below('2.2')], '2026-08-05T00:00:00Z')],
      ['Router 2.2 cna:apache'],
    ],
    [
      "have the version of NVD's copy if it is newer than the CNA's record",
      [copyInNvd('2.3', '2026-09-01T00:00:00Z'), byCna([below('2.2')], '2026-08-05T00:00:00Z')],
      ['Router 2.3 cna:apache'],
    ],
    [
      'have the version of the newest advisory of a source, with the older one as its rival',
      [
        nvd(),
        vendor('ghsa', { products: [npm('2.4.1')] }, '2026-07-05T00:00:00Z'),
        vendor('ghsa', { products: [npm('2.4.2')] }, '2026-08-05T00:00:00Z'),
      ],
      ['router 2.4.2 ghsa | 2.4.1 ghsa'],
    ],
    [
      'have one row per series that a source names',
      [byCna(KERNEL)],
      ['Router [5.15] 5.15.140 cna:apache', 'Router [6.1] 6.1.60 cna:apache', 'Router 6.7 cna:apache'],
    ],
    [
      'have one row per branch that the starts of the ranges show',
      [byCna([below('10.2.9-h1', '10.2.0'), below('11.0.4-h1', '11.0.0'), below('11.1.2-h3', '11.1.0')])],
      [
        'Router [10.2] 10.2.9-h1 cna:apache',
        'Router [11.0] 11.0.4-h1 cna:apache',
        'Router [11.1] 11.1.2-h3 cna:apache',
      ],
    ],
    [
      'have a branch for a version that is followed by a later affected range, and none for the newest',
      [byNvd(until('2.3.1', '2.0.1'), until('2.12.2', '2.4.0'), until('2.15.0', '2.13.0'))],
      ['router [2.3] 2.3.1 nvd', 'router [2.12] 2.12.2 nvd', 'router 2.15.0 nvd'],
    ],
    [
      'have the branch in which the range begins, if no other range is in it (CVE-2023-44487)',
      [
        byNvd(
          until('14.0.5.45'),
          until('14.1.6.97', '14.1.0.0'),
          until('18.18.2', '18.0.0'),
          until('20.8.1', '20.0.0'),
        ),
      ],
      ['router [14.0.5] 14.0.5.45 nvd', 'router [14.1] 14.1.6.97 nvd', 'router [18] 18.18.2 nvd', 'router 20.8.1 nvd'],
    ],
    [
      'compare the versions of two sources branch by branch',
      [byCna(KERNEL), byNvd(until('5.15.139', '5.11'), until('6.1.60', '5.16'), until('6.6', '6.2'))],
      [
        'Router [5.15] 5.15.140 cna:apache | 5.15.139 nvd',
        'Router [6.1] 6.1.60 cna:apache',
        'Router 6.7 cna:apache | 6.6 nvd',
      ],
    ],
    [
      'compare a version without a branch with the branch that begins with the same numbers',
      [byCna([below('10.2.9', '10.2.0'), below('11.0.4', '11.0.0')]), byNvd(until('10.2.8'))],
      ['Router [10.2] 10.2.9 cna:apache | 10.2.8 nvd', 'Router [11.0] 11.0.4 cna:apache'],
    ],
    [
      'have one row per version if the ranges show no branches',
      [byCna([below('2.4.1'), below('2.6')])],
      ['Router 2.4.1 cna:apache', 'Router 2.6 cna:apache'],
    ],
    [
      'keep a version in a row of its own if it is not clear which branch it belongs to',
      [byCna([below('2.4.1'), below('2.6')]), byNvd(until('2.5'))],
      ['Router 2.4.1 cna:apache', 'Router 2.6 cna:apache', 'router 2.5 nvd'],
    ],
    [
      "have no escapes of CPE names, and the vendor's version before NVD's (CVE-2019-1730)",
      [byNvd(until(String.raw`7.0\(3\)i4\(9\)`, '7.0')), byCna([below('8.3(1)')])],
      ['Router 8.3(1) cna:apache | 7.0(3)i4(9) nvd'],
    ],
    [
      'have the names of hotfixes, and no other words (CVE-2024-8924, CVE-2024-7890)',
      [
        byCna([
          below('Washington DC Patch 4 Hot Fix 2b'),
          below('2402 LTSR CU1'),
          below('patch 4796', '8.20.0'),
          below('See Advisory 2'),
          below('2.4.1 (x'),
        ]),
      ],
      ['Washington DC Patch 4 Hot Fix 2b', '2402 LTSR CU1', 'patch 4796'].map((each) => `Router ${each} cna:apache`),
    ],
    [
      "name each of Red Hat's products that contain the same package (CVE-2021-39145)",
      [byRedHat('RHEL Client (v. 7)', 'RHEL Server (v. 7)')],
      ['RHEL Client (v. 7) 1.3-16.el7 redhat', 'RHEL Server (v. 7) 1.3-16.el7 redhat'],
    ],
    [
      'name releases of a distribution separately, after the product itself',
      [alma(rpm('2.4-1.el9'), rpm('2.2-1.el8', 'router', 'AlmaLinux:8')), byNvd(until('2.4.1'))],
      ['router 2.4.1 nvd', 'router 2.4-1.el9 osv:almalinux', 'router 2.2-1.el8 osv:almalinux'],
    ],
  ])('%s', (_, records, expected) => {
    expect(show(records)).toEqual(expected)
  })

  describe('list the products that the CVE is about first', () => {
    const bundling = {
      vulnerable: true,
      criteria: 'cpe:2.3:a:another:console:*:*:*:*:*:*:*:*',
      versionEndExcluding: '9.1',
    }
    const configured = [...configurations(bundling), ...configurations(until('2.15.0'))]
    const unlike = { ...npm('3.1'), product: 'gateway', purl: 'pkg:npm/gateway' }
    const advisory = vendor('ghsa', { products: [npm('2.15.0'), unlike], description: null })
    const ranks = (...records: readonly SourceRecord[]) =>
      resolved(records).fixes.map(({ product: name, rank }) => `${name} ${rank}`)

    it('if the CNA names them, with packages whose name contains theirs', () => {
      const named = cve({ cna: { affected: [{ vendor: 'ExampleSoft', product: 'Router' }] } })
      expect(ranks(named, nvd({ configurations: configured }), advisory)).toEqual([
        'router own',
        'router own',
        'console other',
        'gateway other',
      ])
    })

    it('if the description names them', () => {
      const descriptions = [{ lang: 'en', value: 'The Gateway of Example restarts.' }]
      expect(ranks(nvd({ configurations: configured, descriptions }), advisory)).toEqual([
        'console own',
        'gateway own',
        'router other',
        'router other',
      ])
    })

    it("if they are of the first configuration's vendor", () => {
      const first = configured.toReversed()
      expect(ranks(nvd({ configurations: first }))).toEqual(['router own', 'console other'])
    })

    it('if a source that lists none of them lists these first, because it uses other names', () => {
      const named = cve({ cna: { affected: [{ vendor: 'n/a', product: 'Example Routing Engine' }] } })
      const first = configured.toReversed()
      expect(ranks(named, nvd({ configurations: first }), advisory)).toEqual([
        'router own',
        'router own',
        'gateway own',
        'console other',
      ])
    })

    it('and all products if nothing names one', () => {
      expect(ranks(nvd(), advisory)).toEqual(['router own', 'gateway own'])
    })
  })
})

describe("The evidence of a CVE's fix (decision E36)", () => {
  const first = (records: readonly SourceRecord[]) => showFix(resolved(records))
  const bpftool = alma(rpm('7.3.0-427', 'bpftool'))

  it('is the first fix, with its product and branch', () => {
    const versions = [below('10.2.9', '10.2.0'), below('11.0.4', '11.0.0')]
    expect(resolved([byNvd(until('10.2.8', '10.2.0')), byCna(versions)]).fix).toMatchObject({
      value: { version: '10.2.9', product: 'Router', branch: '10.2' },
      by: 'cna:apache',
      runnersUp: [{ value: { version: '10.2.8', product: 'Router', branch: '10.2' }, by: 'nvd' }],
    })
  })

  it("is never a distribution's package while another source names a fix", () => {
    expect(first([bpftool, byNvd(until('6.9'))])).toMatchObject({ by: 'nvd', value: 'versionEndExcluding 6.9' })
    const patch = nvd({ references: [{ url: 'https://example.org/fix', tags: ['Patch'] }] })
    expect(first([bpftool, patch])).toMatchObject({ value: 'Patch https://example.org/fix' })
    const descriptions = [{ lang: 'en', value: 'Example Router before 6.9 restarts.' }]
    expect(first([bpftool, nvd({ descriptions })])).toMatchObject({ value: 'before 6.9 (prose)' })
  })

  it('is never a version that is affected according to a conclusion, which comes last and is marked', () => {
    const upTo = [{ version: '0', lessThanOrEqual: '2.2', status: 'affected' }]
    const adp = cisa({ affected: [product([below('2.2')])] })
    const records = [cve({ cna: { affected: [product(upTo)] }, adp: [adp] }), override(configurations(until('2.3')))]
    expect(resolved(records).fixes).toMatchObject([
      { version: '2.3', by: 'anchore', isDoubted: false, rivals: [] },
      { version: '2.2', by: 'cisa-adp', isDoubted: true },
    ])
    expect(first(records)).toMatchObject({ by: 'anchore' })
    expect(resolved(records.slice(0, 1))).toMatchObject({ fix: null, fixes: [{ version: '2.2', isDoubted: true }] })
  })

  it('is never another product while another source names a fix (CVE-2018-1000180)', () => {
    const criteria = 'cpe:2.3:a:another:console:*:*:*:*:*:*:*:*'
    const bundling = [
      ...configurations({ vulnerable: true, criteria, versionEndExcluding: '9.1' }),
      ...configurations(match('router', { versionEndIncluding: '2.0' })),
    ]
    const references = [{ url: 'https://example.org/fix', tags: ['Patch'] }]
    const named = cve({ cna: { affected: [{ vendor: 'ExampleSoft', product: 'Router' }] } })
    expect(first([named, nvd({ configurations: bundling, references })])?.value).toBe('Patch https://example.org/fix')
  })

  it("is a distribution's package if nothing else names a fix", () => {
    expect(first([bpftool, nvd()])).toMatchObject({ by: 'osv:almalinux', value: 'fixed 7.3.0-427' })
  })
})

function copyInNvd(version: string, modified: string): SourceRecord {
  const affected = [{ source: 'security@apache.org', affectedData: [product([below(version)])] }]
  return nvd({ affected }, modified)
}

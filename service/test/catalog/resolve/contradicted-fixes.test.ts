import { describe, expect, it } from 'vitest'
import type { SourceRecord } from '../../../src/catalog/model/source-data.ts'
import { cisa, configurations, cve, match, nvd, resolved, showFix } from '../builders.ts'
import { below, byCna, byNvd, product, show, until, type Versions } from './fix-records.ts'

describe('A fixed version that another source lists as affected (CVE-2023-34362)', () => {
  const byCisa = (...versions: Versions) => cve({ adp: [cisa({ affected: [product(versions)] })] })
  const through = (lessThanOrEqual: string, version = '0') => ({ version, lessThanOrEqual, status: 'affected' })
  const last = (versionEndIncluding: string) => match('router', { versionEndIncluding })
  const ofEdition = (edition: string) => `cpe:2.3:a:examplesoft:router:*:*:*:*:${edition}:*:*:*`
  const doubts = (...records: readonly SourceRecord[]) =>
    resolved(records).fixes.flatMap(({ version, isDoubted, contradictedBy }) =>
      isDoubted ? `${version}: ${contradictedBy.map((each) => `${each.version} ${each.by}`).join()}` : [],
    )

  it.each<[string, readonly SourceRecord[], readonly string[]]>([
    ['a single version', [byNvd(until('2.4')), byCisa({ version: '2.4', status: 'affected' })], ['2.4: 2.4 cisa-adp']],
    ['the last of a range', [byNvd(until('2.4', '2.0')), byCisa(through('2.4', '2.0'))], ['2.4: 2.4 cisa-adp']],
    [
      'a version inside a range',
      [byCisa(below('2020.0'), below('2021.0.7', '2021.0')), byNvd(last('2020.1.6'), until('2021.0.7', '2021.0'))],
      ['2020.0: 2020.1.6 nvd'],
    ],
  ])('is doubted as %s', (_, records, expected) => {
    expect(doubts(...records)).toEqual(expected)
  })

  it.each<[string, readonly SourceRecord[]]>([
    ['a range that begins after the version', [byNvd(until('8.4.9')), byCna([through('8.5.3', '8.5.0')])]],
    [
      'a range whose source also ends an earlier one',
      [byNvd(until('8.0.41')), byCna([through('8.0.40'), through('8.4.3')])],
    ],
    [
      'a range that spans branches of the other source',
      [byNvd(until('13.0.6'), until('14.0.2', '14.0')), byCna([through('14.0.1')])],
    ],
    ['a range of a source that comes after it', [byNvd(until('2.4.1')), byCisa(through('2.6'))]],
    ['a version that cannot be compared', [byCisa(below('2.4')), byNvd(last('beta5'))]],
    [
      'the product of an entry without a vendor',
      [
        byNvd(until('2.4')),
        cve({ cna: { affected: [{ ...product([{ version: '2.4', status: 'affected' }]), vendor: 'n/a' }] } }),
      ],
    ],
    [
      'another product',
      [byNvd(until('2.4')), cve({ adp: [cisa({ affected: [product([through('2.4')], { product: 'Switch' })] })] })],
    ],
    ['what the vendor calls fixed', [byCna([below('2.4')]), byNvd(last('2.4'))]],
    [
      'what a description calls fixed',
      [
        nvd({
          descriptions: [{ lang: 'en', value: 'Fixed in version 2.4.' }],
          configurations: configurations(until('2.4')),
        }),
        byCisa(through('2.4')),
      ],
    ],
  ])('is not doubted by %s', (_, records) => {
    expect(doubts(...records)).toEqual([])
  })

  it.each<[string, readonly SourceRecord[], readonly string[]]>([
    [
      'a range of another entry of its source',
      [byCisa(below('2.2.32', '2.2.8'), through('2.2.32', '2.0.0'))],
      ['2.2.32: 2.2.32 cisa-adp'],
    ],
    [
      'a range of another entry of its source that spans its branch',
      [byCisa(below('2.1.37', '2.0.9'), below('2.2.33', '2.0.0'))],
      ['2.1.37: 2.2.33 cisa-adp'],
    ],
    [
      "the vendor's range that ends with a later fixed version",
      [byCna([below('2.9.5', '2.0'), below('4.0.5', '4.0')]), byNvd(until('2.4.3', '2.4'), until('4.0.5', '4.0'))],
      ['2.4.3: 2.9.5 cna:apache'],
    ],
    [
      'a range of its source that begins with it (CVE-2024-28064)',
      [byCisa(below('8.0', '7.0'), below('8.3.0', '8.0'))],
      ['8.0: 8.0 cisa-adp'],
    ],
    [
      "the vendor's own range that begins with it and ends with a patch (CVE-2023-5771)",
      [byCna([below('8.18.6', '8.0'), below('patch 4795', '8.18.6')])],
      ['8.18.6: 8.18.6 cna:apache'],
    ],
    [
      'a range of its source that begins with it, even if a text says "before"',
      [
        byCisa(below('8.0', '7.0'), below('8.3.0', '8.0')),
        nvd({ descriptions: [{ lang: 'en', value: 'Router before 8.0, and 8.0 through 8.2.9, restarts.' }] }),
      ],
      ['8.0: 8.0 cisa-adp'],
    ],
    [
      'a range of its source if another source contradicts itself too',
      [byCisa(below('8.0', '7.0'), below('8.3.0', '8.0')), byCna([below('8.0', '7.0'), below('8.2', '8.0')])],
      ['8.0: 8.0 cna:apache'],
    ],
    [
      'a whole branch of a source that calls the end of another branch affected (CVE-2024-26305)',
      [byCisa(below('6.5.5.0', '6.5.4.0'), below('8.9.0.0', '8.8.0.0'), below('8.9.0.4', '8.9.0.0'))],
      ['6.5.5.0: ', '8.9.0.0: 8.9.0.0 cisa-adp'],
    ],
    [
      'the range on which a conclusion about the same list rests (CVE-2023-35078)',
      [
        cve({
          cna: {
            affected: [
              product(
                ['11.8', '11.9', '11.10'].map((version) => ({ version, status: 'unaffected' })),
                {
                  defaultStatus: 'affected',
                },
              ),
            ],
          },
        }),
        nvd({
          descriptions: [{ lang: 'en', value: 'Router through 11.10 can be restarted.' }],
          configurations: configurations(last('11.10')),
        }),
      ],
      ['11.10: ', '11.8: 11.10 nvd', '11.9: 11.10 nvd'],
    ],
  ])('is doubted by %s', (_, records, expected) => {
    expect(doubts(...records).toSorted()).toEqual(expected)
  })

  it('comes after versions that only another source lists as affected', () => {
    const adp = [cisa({ affected: [product([below('8.0', '7.0'), below('8.3', '8.0')])] })]
    const records = [cve({ cna: { affected: [product([through('8.3', '8.0')])] }, adp })]
    expect(doubts(...records)).toEqual(['8.3: 8.3 cna:apache', '8.0: 8.0 cisa-adp'])
  })

  it('is left out if NVD begins a range with it, unless the description names it as the version with the fix', () => {
    const ranges = [until('6.0.0', '5.0.0'), until('6.0.5', '6.0.0')]
    const listed = (value: string) =>
      show([nvd({ descriptions: [{ lang: 'en', value }], configurations: configurations(...ranges) })])
    expect(listed('Router 5.0.0 prior to 6.0.0, and 6.0.0 through 6.0.4, restarts.')).toEqual(['router 6.0.5 nvd'])
    expect(listed('Router restarts. This is fixed in 6.0.0.')).toContainEqual(expect.stringContaining('6.0.0 nvd'))
  })

  it.each<[string, readonly SourceRecord[]]>([
    ['ranges of its source without a start', [byCisa(below('2.6.1'), below('2.35.1'), below('3.0.3'))]],
    [
      'a range of another edition',
      [
        cve({
          adp: [
            cisa({
              affected: [
                product([below('2.4.12', '2.4.0')], { cpes: [ofEdition('enterprise')] }),
                product([below('2.9.0', '2.2.0')], { cpes: [ofEdition('community')] }),
              ],
            }),
          ],
        }),
      ],
    ],
    [
      'a configuration of its source, which can be about one platform',
      [byNvd(until('2.4.12', '2.4.0'), until('2.9.0', '2.2.0'))],
    ],
    ['an entry of its source if another source agrees', [byCisa(below('2.4'), through('2.4')), byNvd(until('2.4'))]],
  ])('is not doubted by %s', (_, records) => {
    expect(doubts(...records)).toEqual([])
  })

  it('is shown after other fixes and is no evidence of a fix', () => {
    const found = resolved([byCisa(through('2.4')), byNvd(until('2.4'))])
    expect(showFix(found)).toBeNull()
    expect(found.doubtedFixes).toMatchObject([{ value: { version: '2.4' }, by: 'nvd' }])
  })
})

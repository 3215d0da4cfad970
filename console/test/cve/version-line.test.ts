import { describe, expect, it } from 'vitest'
import { groupCpeMatches } from '../../src/pages/cve/model/cpe-products.ts'
import { toNamedProducts } from '../../src/pages/cve/model/named-products.ts'
import { describeRange } from '../../src/pages/cve/model/product-versions.ts'
import { layOutVersions } from '../../src/pages/cve/model/version-line.ts'
import { compareVersions } from '../../src/text/verdict/version-order.ts'

const cpe = (product: string, version = '*', rest = '*:*:*:*:*:*:*') =>
  `cpe:2.3:a:example:${product}:${version}:${rest}`

function group(...matches: Parameters<typeof groupCpeMatches>[0]) {
  return groupCpeMatches(matches, [])
}

describe('CVE page: order of versions', () => {
  it.each([
    ['5.9', '5.10'],
    ['2.0-rc1', '2.0'],
    ['2.0 beta9', '2.0 rc1'],
    ['10.2.9', '10.2.9-h1'],
    ['10.2.9-h1', '10.2.10'],
    ['v1.2', '1.3'],
    ['1.0.1f', '1.0.1g'],
  ])('places %s before %s', (earlier, later) => {
    expect(compareVersions(earlier, later)).toBeLessThan(0)
    expect(compareVersions(later, earlier)).toBeGreaterThan(0)
  })

  it('treats 5.10 and 5.10.0 as equal', () => {
    expect(compareVersions('5.10', '5.10.0')).toBe(0)
  })
})

describe('CVE page: grouping CPE matches', () => {
  it('groups ranges by vendor and product and lists vulnerable products first', () => {
    const products = group(
      { vulnerable: false, criteria: 'cpe:2.3:o:example:kernel:-:*:*:*:*:*:*:*' },
      { vulnerable: true, criteria: cpe('logger'), versionStartIncluding: '2.4', versionEndExcluding: '2.12.2' },
      { vulnerable: true, criteria: cpe('gateway', '3.1') },
      { vulnerable: true, criteria: cpe('logger'), versionStartIncluding: '2.13.0', versionEndExcluding: '2.15.0' },
    )
    expect(
      products.map(({ product, kind, isVulnerable, ranges }) => [product, kind, isVulnerable, ranges.length]),
    ).toEqual([
      ['logger', 'application', true, 2],
      ['gateway', 'application', true, 1],
      ['kernel', 'operating system', false, 1],
    ])
  })

  it.each([
    ['From 2.4, before 2.12.2', { versionStartIncluding: '2.4', versionEndExcluding: '2.12.2' }],
    ['After 1.0, up to 1.9', { versionStartExcluding: '1.0', versionEndIncluding: '1.9' }],
    ['Before 7', { versionEndExcluding: '7' }],
    ['From 7', { versionStartIncluding: '7' }],
    ['Any version', {}],
  ])('describes a range as "%s"', (words, bounds) => {
    const [product] = group({ vulnerable: true, criteria: cpe('logger'), ...bounds })
    expect(product?.ranges.map(describeRange)).toEqual([words])
  })

  it('describes a single version with its update', () => {
    const [product] = group({ vulnerable: true, criteria: cpe('logger', '2.0', 'rc1:*:*:*:*:*:*') })
    expect(product?.ranges.map(describeRange)).toEqual(['2.0 rc1'])
  })

  it('says that no version is stated if versions do not apply', () => {
    const [product] = group({ vulnerable: true, criteria: cpe('box', '-') })
    expect(product?.ranges.map(describeRange)).toEqual(['No version stated'])
  })

  it('lists editions and platforms as limits', () => {
    const [product] = group({ vulnerable: true, criteria: cpe('agent', '*', '*:*:*:lts:windows:x64:*') })
    expect(product?.ranges[0]?.limits).toEqual(['lts edition', 'for windows', 'on x64'])
  })

  it('shows the same range of a product once', () => {
    const match = { vulnerable: true, criteria: cpe('logger'), versionEndExcluding: '2' }
    expect(group(match, { ...match, matchCriteriaId: 'B' })[0]?.ranges).toHaveLength(1)
  })

  it('removes the escapes in names with colons', () => {
    const [product] = group({ vulnerable: true, criteria: 'cpe:2.3:a:example:net\\:\\:ldap:*:*:*:*:*:*:*:*' })
    expect(product?.product).toBe('net::ldap')
  })

  it('adds the fixed versions that a source names for the product', () => {
    const matches = [{ vulnerable: true, criteria: 'cpe:2.3:a:example_soft:log_server:*:*:*:*:*:*:*:*' }]
    const fix = { vendor: 'Example Soft', product: 'Log Server', version: '2.15.0', isCommit: false, source: 'nvd' }
    const [product] = groupCpeMatches(matches, [fix, { ...fix, product: 'Other' }])
    expect(product?.fixes).toEqual([{ version: '2.15.0', isCommit: false, source: 'nvd' }])
  })

  it('adds a fixed version listed under another product name if it ends a range of the only vulnerable product', () => {
    const match = { vulnerable: true, criteria: cpe('kernel'), versionEndExcluding: '6.6.17' }
    const fix = { vendor: 'Linux', product: 'Linux', version: '6.6.17', isCommit: false, source: 'cna:Linux' }
    const listFixes = (...matches: Parameters<typeof groupCpeMatches>[0]) =>
      groupCpeMatches(matches, [fix, { ...fix, version: '9.9' }])[0]?.fixes.map(({ version }) => version)
    expect(listFixes(match)).toEqual(['6.6.17'])
    expect(listFixes(match, { ...match, criteria: cpe('other') })).toEqual([])
  })

  it('keeps every version in 5,000 matches of 500 products', () => {
    const matches = Array.from({ length: 5000 }, (_, index) => ({
      vulnerable: true,
      criteria: cpe(`product_${index % 500}`, `${index}.0`),
    }))
    const products = group(...matches)
    expect(products).toHaveLength(500)
    expect(products.every(({ ranges }) => ranges.length === 10)).toBe(true)
  })
})

describe('CVE page: products as a source names them', () => {
  const named = { vendor: 'Example', product: 'Logger', package_url: null, affected: true, affected_by_default: false }
  const version = { affected: true, version: null, less_than: null, less_than_or_equal: null, is_commit: false }

  it.each([
    ['From 2.0, before 2.15.0', { version: '2.0', less_than: '2.15.0' }],
    ['Before 2.15.0', { version: '0', less_than: '2.15.0' }],
    ['Up to 2.14', { less_than_or_equal: '2.14' }],
    ['2.14', { version: '2.14' }],
    ['Any version', {}],
    ['From 8.0', { version: '8.0', less_than: '*' }],
    ['From 6.8', { version: '6.8', less_than_or_equal: '*' }],
    ['Any version', { version: '0', less_than: '*' }],
    ['From 8.0, to an unknown end', { version: '8.0', unknown_end: 'see the advisory' }],
    ['Unknown versions', { version: '0', unknown_end: 'see the advisory' }],
    [
      'From 1da177e4c3f4…, before 3b2a1c0d9e8f…',
      {
        version: '1da177e4c3f41524e886b7f1b8a0c1fc7321cac2',
        less_than: '3b2a1c0d9e8f1524e886b7f1b8a0c1fc7321cac2',
        is_commit: true,
      },
    ],
  ])('describes versions as "%s"', (words, bounds) => {
    const [product] = toNamedProducts([{ ...named, versions: [{ ...version, ...bounds }] }], [])
    expect(product?.ranges.map(describeRange)).toEqual([words])
  })

  it.each([
    ['Any version', 'all'],
    ['Any version', '*'],
    ['No version stated', 'n/a'],
  ])('says "%s" for the version text "%s"', (words, text) => {
    const [product] = toNamedProducts([{ ...named, versions: [{ ...version, version: text }] }], [])
    expect(product?.ranges.map(describeRange)).toEqual([words])
  })

  it('joins entries for the same product and shows equal ranges once', () => {
    const entry = (text: string) => ({ ...named, versions: [{ ...version, version: text }] })
    const products = toNamedProducts([entry('1'), { ...entry('2'), product: 'LOGGER' }, entry('1')], [])
    expect(products.map(({ product, ranges }) => [product, ranges.length])).toEqual([['Logger', 2]])
  })

  it('omits products for which the source names no affected version', () => {
    expect(toNamedProducts([{ ...named, affected: false, versions: [] }], [])).toEqual([])
  })

  it('omits products of which the source does not know whether they are affected', () => {
    const { affected: _, ...unknown } = named
    expect(toNamedProducts([{ ...unknown, status_unknown: true, versions: [] }], [])).toEqual([])
  })

  it('keeps versions that the source lists as not affected', () => {
    const versions = [{ ...version, affected: false, version: '2.12.2' }]
    expect(toNamedProducts([{ ...named, versions }], [])[0]?.ranges[0]?.isAffected).toBe(false)
  })
})

describe('CVE page: version ranges on a line', () => {
  const rangesOf = (...matches: Parameters<typeof groupCpeMatches>[0]) => group(...matches)[0]?.ranges ?? []
  const range = (bounds: object) => ({ vulnerable: true, criteria: cpe('logger'), ...bounds })
  const fix = (version: string) => ({ version, isCommit: false, source: 'nvd' })

  it('spaces the versions evenly in order and places fixed versions on the same line', () => {
    const ranges = rangesOf(
      range({ versionStartIncluding: '2.13.0', versionEndExcluding: '2.15.0' }),
      range({ versionStartIncluding: '2.4', versionEndExcluding: '2.12.2' }),
    )
    const line = layOutVersions(ranges, [fix('2.12.2'), fix('2.15.0')])
    expect(line.bars.map((bar) => bar && [bar.from, bar.to])).toEqual([
      [0.6, 0.8],
      [0.2, 0.4],
    ])
    expect(line.fixes).toEqual([0.4, 0.8])
  })

  it('draws an open-ended range to the end of the line', () => {
    const line = layOutVersions(rangesOf(range({ versionEndExcluding: '7' })), [])
    expect(line.bars).toEqual([{ from: 0, to: 0.5, hasStart: false, hasEnd: true }])
  })

  it('draws "any version" across the whole line', () => {
    expect(layOutVersions(rangesOf(range({})), []).bars).toEqual([{ from: 0, to: 1, hasStart: false, hasEnd: false }])
  })

  it('draws a single version as a point', () => {
    const line = layOutVersions(rangesOf({ vulnerable: true, criteria: cpe('logger', '2.0') }), [fix('2.1')])
    expect([line.points, line.bars, line.fixes]).toEqual([[1 / 3], [undefined], [2 / 3]])
  })

  it('gives equal versions the same position', () => {
    const ranges = rangesOf(range({ versionEndExcluding: '5.10' }))
    const line = layOutVersions(ranges, [fix('5.10.0')])
    expect([line.bars[0]?.to, line.fixes[0]]).toEqual([0.5, 0.5])
  })

  it('does not draw an inverted range, but marks it', () => {
    const ranges = rangesOf(range({ versionStartIncluding: '9', versionEndExcluding: '1', inverted: true }))
    expect(ranges[0]?.isInverted).toBe(true)
    expect(layOutVersions(ranges, []).bars).toEqual([undefined])
  })

  it('does not draw a range whose order may differ from what the source means', () => {
    const ranges = rangesOf(range({ versionStartIncluding: '9', versionEndExcluding: '1' }))
    expect(layOutVersions(ranges, []).bars).toEqual([undefined])
  })

  it('does not draw commits, which have no order', () => {
    const ranges = rangesOf(range({ versionEndExcluding: '1da177e4c3f41524e886b7f1b8a0c1fc7321cac2' }))
    expect(layOutVersions(ranges, [{ ...fix('abc'), isCommit: true }])).toEqual({
      bars: [undefined],
      points: [undefined],
      fixes: [undefined],
    })
  })

  it('keeps the marks on derived matches', () => {
    const [derived] = rangesOf(range({ derived: true, unmapped: true }))
    expect([derived?.isDerived, derived?.isUnmapped]).toEqual([true, true])
  })
})

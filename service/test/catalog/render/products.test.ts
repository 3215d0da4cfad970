import { describe, expect, it } from 'vitest'
import { listIndexedNames, listProducts } from '../../../src/catalog/render/products.ts'
import { affected, cpe, euKevEntry, kev, match } from '../records.ts'

const list = (criteria: readonly string[], known: Parameters<typeof affected>[0][] = []) =>
  listProducts({
    cpe: cpe(criteria.map((text) => ({ vulnerable: true, criteria: text }))),
    affected: known.map((each) => affected(each)),
  }).map(({ vendor, product }) => `${vendor}/${product}`)

describe('Products of a CVE', () => {
  it('are the vendors and products of its vulnerable CPE matches, sorted and without duplicates', () => {
    const matches = [match('router', { versionEndExcluding: '2' }), match('camera'), match('router')]
    const products = listProducts({ cpe: cpe(matches), affected: [] })
    expect(products).toEqual([
      { vendor: 'maker', product: 'camera' },
      { vendor: 'maker', product: 'router' },
    ])
  })

  it('do not include the platforms of a configuration', () => {
    const matches = [match('router'), match('platform', { vulnerable: false })]
    expect(listProducts({ cpe: cpe(matches), affected: [] })).toEqual([{ vendor: 'maker', product: 'router' }])
  })

  it('are named without CPE escape characters', () => {
    expect(list([String.raw`cpe:2.3:a:gnu:c\+\+:1.0:*:*:*:*:*:*:*`])).toEqual(['gnu/c++'])
  })

  it('do not include a CPE name without a product or vendor', () => {
    expect(list(['cpe:2.3:a:maker:*:*:*:*:*:*:*:*:*', 'cpe:2.3:a:-:thing:*:*:*:*:*:*:*:*'])).toEqual([])
  })

  it('are those named by the sources if there is no vulnerable CPE match', () => {
    expect(list([], [{ vendor: 'Ａｃｍｅ', product: 'スイッチ Pro' }])).toEqual(['ａｃｍｅ/スイッチ_pro'])
  })

  it('do not include those named by the sources if there is a vulnerable CPE match', () => {
    expect(list(['cpe:2.3:a:maker:thing:*:*:*:*:*:*:*:*'], [{ vendor: 'Maker', product: 'Other' }])).toEqual([
      'maker/thing',
    ])
  })

  it.each(['', ' ', 'n/a', 'N/A', 'Unknown', 'not specified'])('do not include the placeholder %j', (text) => {
    expect(list([], [{ vendor: text }, { product: text }])).toEqual([])
  })

  it('do not include a name longer than 256 characters', () => {
    expect(list([], [{ product: 'x'.repeat(257) }, { product: 'x'.repeat(256) }])).toEqual([`maker/${'x'.repeat(256)}`])
  })
})

describe('Indexed names of a CVE (decision E37)', () => {
  const PRODUCTS = [{ vendor: 'maker', product: 'thing' }]
  const NO_ENTRY = { kev: null, euKev: null }
  const index = (known: readonly Parameters<typeof affected>[0][], catalogs: Parameters<typeof listIndexedNames>[2]) =>
    listIndexedNames(PRODUCTS, { affected: known.map((each) => affected(each)) }, catalogs).map(
      ({ vendor, product }) => `${vendor}/${product}`,
    )

  it('are those of the products, of the sources and of both KEV catalogs', () => {
    const catalogs = {
      kev: kev({ vendorProject: 'Maker', product: 'Thing Manager (TM)' }),
      euKev: euKevEntry({ vendorProject: 'Maker Corporation', product: 'Thing, Other Thing' }),
    }
    expect(
      index(
        [
          { vendor: 'Maker GmbH', product: 'Thing' },
          { vendor: 'Owner', product: 'Thing' },
        ],
        catalogs,
      ),
    ).toEqual([
      'maker/thing',
      'maker/thing,_other_thing',
      'maker/thing_manager',
      'maker/thing_manager_(tm)',
      'owner/thing',
    ])
  })

  it('do not include names from removed KEV entries', () => {
    const removedAt = new Date('2026-08-01T00:00:00Z')
    expect(index([], { kev: kev({ removedAt }), euKev: euKevEntry({ removedAt }) })).toEqual(['maker/thing'])
  })

  it('include packages of registries, but not those of distributions', () => {
    const known = [
      { vendor: 'npm', product: 'thing-client', packageUrl: 'pkg:npm/thing-client' },
      { vendor: 'AlmaLinux:9', product: 'thing-devel', packageUrl: 'pkg:rpm/almalinux/thing-devel' },
    ]
    expect(index(known, NO_ENTRY)).toEqual(['maker/thing', 'npm/thing-client'])
  })
})

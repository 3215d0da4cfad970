import { describe, expect, it } from 'vitest'
import { limitFixes } from '../../../src/catalog/resolve/fixes/limit-fixes.ts'
import { buildFix } from '../records.ts'

const packaged = (product: string, version: string, vendor = 'AlmaLinux:9') =>
  buildFix({
    vendor,
    product,
    version,
    packageUrl: `pkg:rpm/almalinux/${product}`,
    rank: 'redistributed',
    by: 'osv:almalinux',
  })
const show = ({ fixes }: ReturnType<typeof limitFixes>) =>
  fixes.map(({ vendor, product, version }) => `${vendor} ${product} ${version}`)

describe('The fixes of a record (CVE-2024-1086)', () => {
  it('name one package of a distribution per release and version, and count the others', () => {
    const limited = limitFixes([
      packaged('bpftool', '7.3'),
      packaged('kernel-core', '5.14'),
      packaged('rv', '5.14'),
      packaged('kernel', '5.14'),
      packaged('kernel', '5.14', 'AlmaLinux:8'),
    ])
    expect(show(limited)).toEqual(['AlmaLinux:9 bpftool 7.3', 'AlmaLinux:9 kernel 5.14', 'AlmaLinux:8 kernel 5.14'])
    expect(limited.omitted).toBe(2)
  })

  it('join no packages outside of a distribution', () => {
    const fixes = [buildFix({ vendor: 'npm', product: 'router' }), buildFix({ vendor: 'npm', product: 'router-core' })]
    expect(limitFixes(fixes)).toEqual({ fixes, omitted: 0 })
  })

  it('keep a row of each product and of each release if there are more than 50', () => {
    const many = Array.from({ length: 60 }, (_, at) => `1.${at}`)
    const others = many.map((version) => buildFix({ product: 'console', version, rank: 'other' }))
    const limited = limitFixes([
      buildFix({ version: '2.4' }),
      ...others,
      buildFix({ product: 'gateway', version: '9.1', rank: 'other' }),
      ...many.map((version) => packaged('router', version)),
      packaged('router', '2.4-1', 'AlmaLinux:8'),
    ])
    expect(limited).toMatchObject({ fixes: { length: 50 }, omitted: 73 })
    expect(show(limited)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('router 2.4'),
        expect.stringContaining('gateway 9.1'),
        expect.stringContaining('AlmaLinux:9 router 1.0'),
        'AlmaLinux:8 router 2.4-1',
      ]),
    )
  })
})

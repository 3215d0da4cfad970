import { describe, expect, it } from 'vitest'
import { renderFixes } from '../../../src/catalog/render/fixes.ts'
import { renderShortRemediations } from '../../../src/catalog/render/remediations.ts'
import { cve, nvd, resolved } from '../builders.ts'
import { below, byCna, byNvd, product, until } from '../resolve/fix-records.ts'

const show = (found: ReturnType<typeof resolved>) =>
  renderFixes(found).fixes.map(({ product: name, version, source, derived, rivals }) => {
    return { product: name, version, source, derived: derived === true, rivals: rivals.map((each) => each.version) }
  })

describe('The fixed versions in a record (decision E36)', () => {
  it("have the vendor's version with the versions that other sources name", () => {
    const found = resolved([byCna([below('2.4.2')]), byNvd(until('2.4.1'))])
    expect(show(found)).toMatchObject([{ version: '2.4.2', source: 'cna:apache', rivals: ['2.4.1'] }])
  })

  it('have the version that only the description names, marked as derived, for the only product of the CVE', () => {
    const value = 'A flaw in Router before 2.4.1 lets attackers in.'
    const cna = { affected: [product([{ version: 'unspecified', status: 'affected' }])] }
    const descriptions = [{ lang: 'en', value }]
    expect(show(resolved([cve({ cna: { ...cna, descriptions } })]))).toEqual([
      { product: 'Router', version: '2.4.1', source: 'cna:apache', derived: true, rivals: [] },
    ])
    const affected = [...cna.affected, product([{ version: 'unspecified', status: 'affected' }], { product: 'Switch' })]
    expect(show(resolved([cve({ cna: { affected, descriptions } })]))).toMatchObject([
      { product: '', version: '2.4.1' },
    ])
  })

  it('do not have the version of a description if a source names one in structured data', () => {
    const found = resolved([
      cve({
        cna: {
          affected: [product([below('2.4.2')])],
          descriptions: [{ lang: 'en', value: 'A flaw in Router before 2.4.9.' }],
        },
      }),
    ])
    expect(show(found)).toMatchObject([{ version: '2.4.2' }])
  })

  it('are none if no source names one', () => {
    expect(renderFixes(resolved([nvd()]))).toEqual({ fixes: [], omitted: 0 })
  })
})

describe('Remediations in a record', () => {
  const advise = (kind: 'workaround' | 'none_planned', count: number) =>
    Array.from({ length: count }, (_, at) => ({
      kind,
      text: `${kind} ${at}`,
      url: null,
      by: 'redhat',
      products: Array.from({ length: 12 }, (_each, place) => {
        return { vendor: 'redhat', product: `Router ${place}`, version: null, packageUrl: null }
      }),
    }))

  it('are at most five of each kind with ten products each, and the others are counted', () => {
    const [claim] = resolved([nvd()]).claims
    if (claim === undefined) throw new Error('no claim')
    const stated = [...advise('none_planned', 1), ...advise('workaround', 7)]
    const { remediations, omitted } = renderShortRemediations([{ ...claim, remediations: stated }])
    expect(remediations.map(({ kind }) => kind)).toEqual([...Array(5).fill('workaround'), 'none_planned'])
    expect(omitted).toBe(2)
    expect(remediations[0]).toMatchObject({ products_omitted: 2 })
    expect(remediations[0]?.applies_to).toHaveLength(10)
  })
})

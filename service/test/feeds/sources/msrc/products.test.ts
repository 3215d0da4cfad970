import { describe, expect, it } from 'vitest'
import { issueOf, LINUX, recordOf, rowOf, vulnerability, WINDOWS } from './fixtures.ts'

const fix = (changes: Readonly<Record<string, unknown>>) => ({ Type: 2, ProductID: [WINDOWS.ProductID], ...changes })

describe('A product', () => {
  const productsOf = (changes: Readonly<Record<string, unknown>>) =>
    recordOf(changes).products.map(({ product, status, fixed }) => [product, status, fixed])

  it.each([
    [0, 'affected'],
    [1, 'fixed'],
    [2, 'fixed'],
    [3, 'affected'],
    [4, 'not_affected'],
    [5, 'affected'],
    [undefined, 'affected'],
  ])('under the status %s is %s', (type, status) => {
    const ProductStatuses = [{ Type: type, ProductID: [WINDOWS.ProductID] }]
    expect(productsOf({ ProductStatuses, Remediations: [] })).toEqual([['Teapot Server 2022', status, null]])
  })

  it('that is only recommended is none', () => {
    expect(productsOf({ ProductStatuses: [{ Type: 6, ProductID: [WINDOWS.ProductID] }] })).toEqual([])
  })

  it('is there once for every version that it is fixed in', () => {
    const ProductStatuses = [{ Type: 3, ProductID: [WINDOWS.ProductID, WINDOWS.ProductID] }]
    const Remediations = [
      fix({ FixedBuild: '10.0.20348.2700' }),
      fix({ FixedBuild: '10.0.20348.2655' }),
      fix({ FixedBuild: '10.0.20348.2655', Description: { Value: '5041999' } }),
      fix({ FixedBuild: 'Not Applicable' }),
      fix({ FixedBuild: '1.0', Type: 1 }),
    ]
    expect(productsOf({ ProductStatuses, Remediations })).toEqual([
      ['Teapot Server 2022', 'affected', '10.0.20348.2700'],
      ['Teapot Server 2022', 'affected', '10.0.20348.2655'],
    ])
  })

  it("of Microsoft's Linux is a package, for the version is the package's", () => {
    const ProductStatuses = [{ Type: 3, ProductID: [LINUX.ProductID] }]
    const package_ = { SubType: 'CBL-Mariner', Description: { Value: 'vim' }, FixedBuild: '9.0.1145-1' }
    expect(productsOf({ ProductStatuses, Remediations: [fix({ ...package_, ProductID: [LINUX.ProductID] })] })).toEqual(
      [['vim on CBL Mariner 2.0 x64', 'affected', '9.0.1145-1']],
    )
  })

  it('may be a part of another, under the numbers of both', () => {
    const ProductStatuses = [{ Type: 3, ProductID: [`${WINDOWS.ProductID}-${LINUX.ProductID}`] }]
    expect(productsOf({ ProductStatuses })).toEqual([['Teapot Server 2022 on CBL Mariner 2.0 x64', 'affected', null]])
  })

  it('that the document does not explain is left out', () => {
    const ProductStatuses = [{ Type: 3, ProductID: ['99999', LINUX.ProductID] }]
    expect(productsOf({ ProductStatuses })).toEqual([['CBL Mariner 2.0 x64', 'affected', null]])
  })
})

it('A vulnerability is rejected when the document explains no product at all', () => {
  const said = vulnerability('CVE-2024-0001')
  expect(rowOf(said, { ...issueOf(), products: new Map() })).toEqual({
    rejected: 'CVE-2024-0001',
    reason: 'it names products by numbers that the document does not explain',
  })
})

it('A vulnerability is rejected when its products are without number, and soon', () => {
  const ProductID = Array.from({ length: 6000 }, (_, index) => String(index))
  const products = new Map(ProductID.map((id) => [id, { name: `Teapot ${id}`, cpe: null }]))
  const Remediations = ProductID.slice(0, 500).map((id) => fix({ FixedBuild: id, ProductID }))
  const said = vulnerability('CVE-2024-0001', { ProductStatuses: [{ Type: 3, ProductID }], Remediations })
  expect(rowOf(said, { ...issueOf(), products })).toEqual({
    rejected: 'CVE-2024-0001',
    reason: 'it names more than 5000 products',
  })
})

it('References are addresses of the web, each once', () => {
  const Remediations = [
    fix({ URL: 'https://example.org/a', Description: { Value: 'Release Notes' } }),
    fix({ URL: 'https://example.org/a', Description: { Value: '5041160' } }),
    fix({ URL: 'https://example.org/b', Type: 0 }),
    fix({ URL: 'javascript:alert(1)' }),
    fix({ URL: 'see the manual' }),
    fix({ URL: 'https://example.org/known-issue', Type: 5 }),
  ]
  expect(recordOf({ Remediations }).references.slice(1)).toEqual([
    { url: 'https://example.org/a', tags: ['Release Notes', 'Patch'] },
    { url: 'https://example.org/b', tags: ['Mitigation'] },
  ])
})

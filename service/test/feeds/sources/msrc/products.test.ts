import { describe, expect, it } from 'vitest'
import { buildHeader, LINUX, normalise, normaliseRecord, SERVER, vulnerability } from './fixtures.ts'

const fix = (changes: Readonly<Record<string, unknown>>) => ({ Type: 2, ProductID: [SERVER.ProductID], ...changes })

describe("MSRC feed: a vulnerability's products", () => {
  const parseProducts = (changes: Readonly<Record<string, unknown>>) =>
    normaliseRecord(changes).products.map(({ product, status, fixed }) => [product, status, fixed])

  it.each([
    [0, 'affected'],
    [1, 'fixed'],
    [2, 'fixed'],
    [3, 'affected'],
    [4, 'not_affected'],
    [5, 'affected'],
    [undefined, 'affected'],
  ])('maps product status type %s to %s', (type, status) => {
    const ProductStatuses = [{ Type: type, ProductID: [SERVER.ProductID] }]
    expect(parseProducts({ ProductStatuses, Remediations: [] })).toEqual([['Quillstone Server 2022', status, null]])
  })

  it('ignores products with status type 6 (recommended)', () => {
    expect(parseProducts({ ProductStatuses: [{ Type: 6, ProductID: [SERVER.ProductID] }] })).toEqual([])
  })

  it('lists a product once per fixed version', () => {
    const ProductStatuses = [{ Type: 3, ProductID: [SERVER.ProductID, SERVER.ProductID] }]
    const Remediations = [
      fix({ FixedBuild: '10.0.20348.2700' }),
      fix({ FixedBuild: '10.0.20348.2655' }),
      fix({ FixedBuild: '10.0.20348.2655', Description: { Value: '5041999' } }),
      fix({ FixedBuild: 'Not Applicable' }),
      fix({ FixedBuild: '1.0', Type: 1 }),
    ]
    expect(parseProducts({ ProductStatuses, Remediations })).toEqual([
      ['Quillstone Server 2022', 'affected', '10.0.20348.2700'],
      ['Quillstone Server 2022', 'affected', '10.0.20348.2655'],
    ])
  })

  it("adds the package name to a product from Microsoft's Linux distributions", () => {
    const ProductStatuses = [{ Type: 3, ProductID: [LINUX.ProductID] }]
    const package_ = { SubType: 'CBL-Mariner', Description: { Value: 'vim' }, FixedBuild: '9.0.1145-1' }
    expect(
      parseProducts({ ProductStatuses, Remediations: [fix({ ...package_, ProductID: [LINUX.ProductID] })] }),
    ).toEqual([['vim on CBL Mariner 2.0 x64', 'affected', '9.0.1145-1']])
  })

  it('resolves a product id that combines two products', () => {
    const ProductStatuses = [{ Type: 3, ProductID: [`${SERVER.ProductID}-${LINUX.ProductID}`] }]
    expect(parseProducts({ ProductStatuses })).toEqual([
      ['Quillstone Server 2022 on CBL Mariner 2.0 x64', 'affected', null],
    ])
  })

  it('omits a product that the document does not define', () => {
    const ProductStatuses = [{ Type: 3, ProductID: ['99999', LINUX.ProductID] }]
    expect(parseProducts({ ProductStatuses })).toEqual([['CBL Mariner 2.0 x64', 'affected', null]])
  })
})

it('MSRC feed rejects a vulnerability with products when its document defines no product', () => {
  const raw = vulnerability('CVE-2024-0001')
  expect(normalise(raw, { ...buildHeader(), products: new Map() })).toEqual({
    rejected: 'CVE-2024-0001',
    reason: 'its product ids are not defined in the document',
  })
})

it('MSRC feed rejects a vulnerability with more than 5,000 products', () => {
  const ProductID = Array.from({ length: 6000 }, (_, index) => String(index))
  const products = new Map(ProductID.map((id) => [id, { name: `Quillstone ${id}`, cpe: null }]))
  const Remediations = ProductID.slice(0, 500).map((id) => fix({ FixedBuild: id, ProductID }))
  const raw = vulnerability('CVE-2024-0001', { ProductStatuses: [{ Type: 3, ProductID }], Remediations })
  expect(normalise(raw, { ...buildHeader(), products })).toEqual({
    rejected: 'CVE-2024-0001',
    reason: 'it lists more than 5000 products',
  })
})

it('MSRC feed keeps each http URL in the remediations once, with all its tags', () => {
  const Remediations = [
    fix({ URL: 'https://example.org/a', Description: { Value: 'Release Notes' } }),
    fix({ URL: 'https://example.org/a', Description: { Value: '5041160' } }),
    fix({ URL: 'https://example.org/b', Type: 0 }),
    fix({ URL: 'javascript:alert(1)' }),
    fix({ URL: 'see the manual' }),
    fix({ URL: 'https://example.org/known-issue', Type: 5 }),
  ]
  expect(normaliseRecord({ Remediations }).references.slice(1)).toEqual([
    { url: 'https://example.org/a', tags: ['Release Notes', 'Patch'] },
    { url: 'https://example.org/b', tags: ['Mitigation'] },
  ])
})

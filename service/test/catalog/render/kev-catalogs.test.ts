import { describe, expect, it } from 'vitest'
import { renderKevCatalogs } from '../../../src/catalog/render/kev-catalogs.ts'
import { kev as buildKev, euKevEntry, published, sourceData } from '../records.ts'

const kev = buildKev({ dateAdded: '2026-08-19', removedAt: null })
const [CISA_NAMES, EU_NAMES] = [
  { vendor: 'Example Networks', product: 'Example Router' },
  { vendor: 'Maker', product: 'Router' },
]

describe('Rendered KEV catalogs (decision E23)', () => {
  it('has no entry for a CVE that no catalog ever listed', () => {
    expect(renderKevCatalogs(sourceData())).toEqual([])
  })

  it('lists the catalog that listed the CVE first before the other one, each with its own names', () => {
    const cisa = { name: 'cisa', ...CISA_NAMES, since: '2026-08-19', removed_at: null }
    expect(renderKevCatalogs(sourceData({ kev, euKev: euKevEntry({ dateListed: '2026-08-18' }) }))).toEqual([
      { name: 'eu', ...EU_NAMES, since: '2026-08-18', removed_at: null, first: true },
      { ...cisa, first: false },
    ])
    expect(renderKevCatalogs(sourceData({ kev, euKev: euKevEntry({ dateListed: '2026-08-20' }) }))).toEqual([
      { ...cisa, first: true },
      { name: 'eu', ...EU_NAMES, since: '2026-08-20', removed_at: null, first: false },
    ])
  })

  it('lists CISA before ENISA and marks both as first if both listed the CVE on the same day', () => {
    const entries = renderKevCatalogs(sourceData({ kev, euKev: euKevEntry({ dateListed: '2026-08-19' }) }))
    expect(entries.map(({ name, first }) => [name, first])).toEqual([
      ['cisa', true],
      ['eu', true],
    ])
  })

  it('keeps removed entries with their removal time', () => {
    const removedAt = new Date('2026-08-21T06:00:00Z')
    expect(renderKevCatalogs(sourceData({ kev: { ...kev, removedAt }, euKev: euKevEntry({ removedAt }) }))).toEqual([
      { name: 'eu', ...EU_NAMES, since: '2026-08-18', removed_at: '2026-08-21T06:00:00Z', first: true },
      { name: 'cisa', ...CISA_NAMES, since: '2026-08-19', removed_at: '2026-08-21T06:00:00Z', first: false },
    ])
  })
})

describe('Search column for EU KEV', () => {
  it("is true while ENISA lists the CVE, independently of CISA's KEV catalog", () => {
    const listed = published({ sourceData: { euKev: euKevEntry() } }).search
    expect(listed).toMatchObject({ inEuKev: true, inKev: false })
    const removed = published({ sourceData: { euKev: euKevEntry({ removedAt: new Date() }) } }).search
    expect(removed).toMatchObject({ inEuKev: false, inKev: false })
  })
})

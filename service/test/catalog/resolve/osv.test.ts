import { describe, expect, it } from 'vitest'
import { nvd, record, resolved, showFix, VECTORS, vendor } from '../builders.ts'

const product = {
  vendor: 'Go',
  product: 'example.org/lark',
  status: 'affected',
  cpe: null,
  purl: 'pkg:golang/example.org/lark',
  introduced: '1.0',
  fixed: '1.2',
  last_affected: null,
}

const osv = (members: Readonly<Record<string, unknown>> = {}) =>
  record('osv', {
    database: 'go',
    advisories: ['GO-2024-0001'],
    title: 'Title of the advisory',
    description: 'Text of the advisory.',
    published: '2024-05-06T07:08:09Z',
    withdrawn: false,
    severity: 'HIGH',
    scores: [{ vector: VECTORS['9.8'], base_score: null }],
    weaknesses: ['CWE-444'],
    products: [product],
    references: [{ url: 'https://example.org/lark/commit/1', tags: [] }],
    ...members,
  })

describe('An OSV advisory in the merged record', () => {
  it('contributes affected packages with purl and range, the fixed version and references', () => {
    const merged = resolved([nvd(), osv()])
    expect(merged.affected).toContainEqual({
      by: 'osv:go',
      vendor: 'Go',
      product: 'example.org/lark',
      cpes: [],
      packageUrl: 'pkg:golang/example.org/lark',
      ranges: [{ isAffected: true, version: '1.0', lessThan: '1.2', lessThanOrEqual: null }],
    })
    expect(showFix(merged)).toMatchObject({ value: 'fixed 1.2', by: 'osv:go' })
    expect(merged.references).toContainEqual({
      url: 'https://example.org/lark/commit/1',
      by: 'go',
      tags: [],
    })
  })

  it('contributes the pages of this CVE, and not those of other CVEs in the advisory', () => {
    const references = ['CVE-2026-4711', 'cve-2026-4711', 'CVE-2026-47112', 'ALSA-2026-1'].map((id) => ({
      url: `https://example.org/${id}`,
      tags: [],
    }))
    const list = (...cveIds: readonly string[]) =>
      resolved([nvd(), osv({ references, cve_ids: cveIds })]).references.map(({ url }) => url.slice(20))
    expect(list('CVE-2026-4711', 'CVE-2026-47112')).toEqual(['CVE-2026-4711', 'cve-2026-4711', 'ALSA-2026-1'])
    expect(list('CVE-2026-4711')).toHaveLength(4)
  })

  it('contributes no score, weakness, text or publication date', () => {
    const merged = resolved([nvd({ metrics: {}, weaknesses: [], descriptions: [] }), osv()])
    expect(merged).toMatchObject({ score: null, weaknesses: [], description: null })
    expect(merged.published?.by).not.toBe('osv:go')
  })

  it('ranks below GHSA for the fixed version', () => {
    const merged = resolved([nvd(), osv(), vendor('ghsa', { products: [{ ...product, fixed: '1.3' }] })])
    expect(showFix(merged)).toMatchObject({ value: 'fixed 1.3', by: 'ghsa', runnersUp: [{ by: 'osv:go' }] })
  })

  it('is not listed among the sources that the vendor parameter accepts', () => {
    expect(resolved([nvd(), osv()]).sources).toEqual(['nvd'])
  })

  it('contributes nothing once it is withdrawn', () => {
    const merged = resolved([nvd(), osv({ withdrawn: true })])
    expect(merged.affected.filter(({ by }) => by === 'osv:go')).toEqual([])
    expect(merged.references.filter(({ by }) => by === 'go')).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import type { Resolved } from '../../../src/catalog/model/resolved.ts'
import type { Facts } from '../../../src/catalog/model/source-data.ts'
import { affected, chosen, cpe, exploit, kev, match, published, rating, reference, V2, V31, V40 } from '../records.ts'

const PRODUCT = affected()

function enrichment(resolved: Partial<Resolved>, facts: Partial<Facts> = {}): unknown {
  return published({ resolved, facts }).fragments.enrichment
}

const scored = (vector: string, by = 'nvd') => ({ score: chosen(rating(vector, by), by) })

describe('enrichment_status', () => {
  it.each<[string, Partial<Resolved>, Partial<Facts>]>([
    ['a score', scored(V2), {}],
    ['a CWE', { weaknesses: [{ id: 'CWE-79', by: ['ghsa'] }] }, {}],
    ['a CPE', { cpe: cpe([match('thing')]) }, {}],
    ['an affected product', { affected: [PRODUCT] }, {}],
    ['exploit evidence', {}, { exploits: [exploit('poc')] }],
  ])('is enriched when a source gives %s', (_what, resolved, facts) => {
    const { fragments, columns } = published({ resolved, facts })
    expect(fragments.enrichment_status).toBe('enriched')
    expect(columns.isEnriched).toBe(true)
    expect(fragments.enrichment).not.toBeNull()
  })

  it('is pending when there is nothing but KEV, EPSS, a description and references', () => {
    const { fragments, columns } = published({
      resolved: { references: [reference('a', 'Vendor Advisory')] },
      facts: { kev: kev(), epssScore: 0.9 },
    })
    expect(fragments.enrichment_status).toBe('pending')
    expect(columns.isEnriched).toBe(false)
    expect(fragments.enrichment).toBeNull()
  })
})

describe('The enrichment object', () => {
  it('has every field, but for the time at which it last changed', () => {
    const resolved = {
      ...scored(V31, 'cna:maker'),
      weaknesses: [
        { id: 'CWE-79', by: ['nvd'] },
        { id: 'CWE-400', by: ['ghsa', 'nvd'] },
      ],
      cpe: cpe([match('one'), match('two', { vulnerable: false })]),
      references: [reference('a'), reference('b', 'Exploit'), reference('c')],
      fix: chosen('versionEndExcluding 2.0'),
      sources: ['cve', 'ghsa', 'nvd'],
    }
    expect(enrichment(resolved, { kev: kev() })).toEqual({
      cvss_vector: V31,
      cvss_source: 'cna:maker',
      cwe_list: ['CWE-79', 'CWE-400'],
      exploit_flag: true,
      kev_flag: true,
      attack_vector: 'network',
      patch_available: true,
      cpe_count: 2,
      cpe_source: 'nvd',
      reference_count: 3,
      vendor_tags: ['cve', 'ghsa', 'nvd'],
    })
  })

  it('has null and empty lists where nothing is said', () => {
    expect(enrichment({ affected: [PRODUCT], sources: [] })).toEqual({
      cvss_vector: null,
      cvss_source: null,
      cwe_list: [],
      exploit_flag: false,
      kev_flag: false,
      attack_vector: null,
      patch_available: false,
      cpe_count: 0,
      cpe_source: null,
      reference_count: 0,
      vendor_tags: [],
    })
  })

  it.each([
    ['network', V31],
    ['adjacent', 'CVSS:3.1/AV:A/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['local', 'CVSS:3.0/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['physical', 'CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['adjacent', V40],
    ['adjacent', 'AV:A/AC:L/Au:N/C:P/I:P/A:P'],
  ])('has the attack_vector "%s" of the one score: %s', (attackVector, vector) => {
    const { fragments, columns } = published({ resolved: scored(vector) })
    expect(fragments.enrichment).toMatchObject({ attack_vector: attackVector, cvss_vector: vector })
    expect(columns.attackVector).toBe(attackVector)
  })

  it('says where CPE matches come from, and that we made them where we did', () => {
    const matches = [match('thing')]
    expect(enrichment({ cpe: cpe(matches, 'anchore') })).toMatchObject({ cpe_source: 'anchore' })
    expect(enrichment({ cpe: { ...cpe(matches, 'cna:maker'), isDerived: true } })).toMatchObject({
      cpe_source: 'derived:cna:maker',
    })
  })

  it('does not say that it is in KEV once CISA has removed it', () => {
    const removed = kev({ removedAt: new Date('2024-05-01T00:00:00Z') })
    expect(enrichment(scored(V31), { kev: removed })).toMatchObject({ kev_flag: false })
    expect(published({ facts: { kev: removed } }).columns.inKev).toBe(false)
  })
})

describe('patch_available', () => {
  it('is true when a fix is named, and the filter agrees', () => {
    const { fragments, columns } = published({ resolved: { ...scored(V31), fix: chosen('lessThan 2.0', 'cna:maker') } })
    expect(fragments.enrichment).toMatchObject({ patch_available: true })
    expect(columns.hasPatch).toBe(true)
  })

  it('is false when none is: no data counts as false', () => {
    const { fragments, columns } = published({ resolved: scored(V31) })
    expect(fragments.enrichment).toMatchObject({ patch_available: false })
    expect(columns.hasPatch).toBe(false)
  })
})

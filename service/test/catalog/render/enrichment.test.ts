import { describe, expect, it } from 'vitest'
import type { Resolved } from '../../../src/catalog/model/resolved.ts'
import type { SourceData } from '../../../src/catalog/model/source-data.ts'
import { render } from '../../../src/catalog/render/render.ts'
import { resolved, sourceData } from '../builders.ts'
import {
  affected,
  chosen,
  cpe,
  exploit,
  fixedIn,
  kev,
  match,
  published,
  rating,
  reference,
  referenceData,
  V2,
  V31,
  V40,
} from '../records.ts'

const PRODUCT = affected()

function debian(status: string, fixedVersion: string | null = null) {
  return { package: 'lark', release: 'bookworm', status, fixedVersion, isDescribed: true }
}

function renderEnrichment(resolved: Partial<Resolved>, sourceData: Partial<SourceData> = {}): unknown {
  return published({ resolved, sourceData }).fragments.enrichment
}

const scored = (vector: string, by = 'nvd') => ({ score: chosen(rating(vector, by), by) })

describe('Enrichment rendering: enrichment_status', () => {
  it.each<[string, Partial<Resolved>, Partial<SourceData>]>([
    ['a score', scored(V2), {}],
    ['a CWE', { weaknesses: [{ id: 'CWE-79', by: ['ghsa'] }] }, {}],
    ['a CPE', { cpe: cpe([match('thing')]) }, {}],
    ['an affected product', { affected: [PRODUCT] }, {}],
    ['a fix', { fix: chosen(fixedIn('2.0')) }, {}],
    ['an affected package in Debian', {}, { debian: [debian('open')] }],
    ['a fixed package in Debian', {}, { debian: [debian('resolved', '2.0-1')] }],
    ['exploit evidence', {}, { exploits: [exploit('poc')] }],
  ])('renders enrichment_status "enriched" for a CVE with %s', (_what, resolved, sourceData) => {
    const { fragments, search } = published({ resolved, sourceData })
    expect(fragments.enrichment_status).toBe('enriched')
    expect(search.isEnriched).toBe(true)
    expect(fragments.enrichment).not.toBeNull()
  })

  it('renders enrichment_status "pending" for a CVE with only KEV, EPSS, a description and references', () => {
    const { fragments, search } = published({
      resolved: { references: [reference('a', 'Vendor Advisory')] },
      sourceData: { kev: kev(), epssScore: 0.9 },
    })
    expect(fragments.enrichment_status).toBe('pending')
    expect(search.isEnriched).toBe(false)
    expect(fragments.enrichment).toBeNull()
  })
})

describe('Enrichment rendering: a CVE that only Debian describes', () => {
  it('has the enrichment that the filter `patched` promises', () => {
    const given = sourceData([], { debian: [debian('resolved', '2.0-1')] })
    const { fragments, search } = render(given, resolved([], given), referenceData())
    expect(search.hasPatch).toBe(true)
    expect(JSON.parse(fragments.enrichment)).toMatchObject({ patch_available: true })
    expect(fragments.enrichment_status).toBe('"enriched"')
  })

  it.each<[string, Partial<SourceData>, Partial<Resolved>]>([
    ['never had the vulnerability', { debian: [debian('resolved', '0')] }, {}],
    ['are not known to have it', { debian: [debian('undetermined')] }, {}],
    ['have it although it was rejected', { debian: [debian('open')] }, { status: chosen('Rejected') }],
  ])('is pending if the packages %s', (_what, known, members) => {
    expect(published({ resolved: members, sourceData: known }).fragments.enrichment_status).toBe('pending')
  })
})

describe('Enrichment rendering: enrichment object', () => {
  it('renders every member of the enrichment except enriched_at', () => {
    const resolved = {
      ...scored(V31, 'cna:maker'),
      weaknesses: [
        { id: 'CWE-79', by: ['nvd'] },
        { id: 'CWE-400', by: ['ghsa', 'nvd'] },
      ],
      cpe: cpe([match('one'), match('two', { vulnerable: false })]),
      references: [reference('a'), reference('b', 'Exploit'), reference('c')],
      fix: chosen(fixedIn('2.0')),
      sources: ['cve', 'ghsa', 'nvd'],
    }
    expect(renderEnrichment(resolved, { kev: kev() })).toEqual({
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

  it('renders null and empty lists for missing values', () => {
    expect(renderEnrichment({ affected: [PRODUCT], sources: [] })).toEqual({
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
  ])('renders attack_vector "%s" for the CVSS vector %s', (attackVector, vector) => {
    const { fragments, search } = published({ resolved: scored(vector) })
    expect(fragments.enrichment).toMatchObject({ attack_vector: attackVector, cvss_vector: vector })
    expect(search.attackVector).toBe(attackVector)
  })

  it('renders the provider of the CPE matches, with the prefix "derived:" for derived matches', () => {
    const matches = [match('thing')]
    expect(renderEnrichment({ cpe: cpe(matches, 'anchore') })).toMatchObject({ cpe_source: 'anchore' })
    expect(renderEnrichment({ cpe: { ...cpe(matches, 'cna:maker'), isDerived: true } })).toMatchObject({
      cpe_source: 'derived:cna:maker',
    })
  })

  it('renders kev_flag: false for a removed KEV entry', () => {
    const removed = kev({ removedAt: new Date('2024-05-01T00:00:00Z') })
    expect(renderEnrichment(scored(V31), { kev: removed })).toMatchObject({ kev_flag: false })
    expect(published({ sourceData: { kev: removed } }).search.inKev).toBe(false)
  })
})

describe('Enrichment rendering: patch_available', () => {
  it('renders patch_available: true and sets the search column for a CVE with a fix', () => {
    const { fragments, search } = published({ resolved: { ...scored(V31), fix: chosen(fixedIn('2.0'), 'cna:maker') } })
    expect(fragments.enrichment).toMatchObject({ patch_available: true })
    expect(search.hasPatch).toBe(true)
  })

  it('renders patch_available: false for a CVE without a fix', () => {
    const { fragments, search } = published({ resolved: scored(V31) })
    expect(fragments.enrichment).toMatchObject({ patch_available: false })
    expect(search.hasPatch).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import type { Rating } from '../../../src/catalog/model/claim.ts'
import type { Chosen } from '../../../src/catalog/model/resolved.ts'
import { parseCvssVector } from '../../../src/domain/cvss/cvss-vector.ts'
import { CISA, cisa, cve, nvd, nvdRating, resolved, VECTORS, vendor } from '../builders.ts'

const format = (chosen: Chosen<Rating> | null) =>
  chosen && `${chosen.value.version} ${chosen.value.score.toFixed(1)} ${chosen.by}`

const cnaScore = (name: string, vectorString: string, baseScore: number) => ({
  metrics: [{ [name]: { vectorString, baseScore } }],
})

describe('Resolver: score of a CVE (decision C3)', () => {
  it('prefers CVSS 3.1, then 3.0, 4.0 and 2.0, regardless of the provider', () => {
    const metrics = {
      cvssMetricV2: [nvdRating('nvd@nist.gov', VECTORS['2.0 10.0'], 10, 'Primary')],
      cvssMetricV40: [nvdRating('nvd@nist.gov', VECTORS['4.0 9.3'], 9.3, 'Primary')],
      cvssMetricV30: [nvdRating('nvd@nist.gov', VECTORS['3.0 9.8'], 9.8, 'Primary')],
      cvssMetricV31: [nvdRating(CISA, VECTORS['5.5'], 5.5)],
    }
    const without = (...names: readonly string[]) =>
      nvd({ metrics: Object.fromEntries(Object.entries(metrics).filter(([name]) => !names.includes(name))) })

    expect(format(resolved([nvd({ metrics })]).score)).toBe('3.1 5.5 cisa-adp')
    expect(format(resolved([without('cvssMetricV31')]).score)).toBe('3.0 9.8 nvd')
    expect(format(resolved([without('cvssMetricV31', 'cvssMetricV30')]).score)).toBe('4.0 9.3 nvd')
    expect(format(resolved([without('cvssMetricV31', 'cvssMetricV30', 'cvssMetricV40')]).score)).toBe('2.0 10.0 nvd')
  })

  it('prefers NVD, then the CNA, CISA, Red Hat, GHSA and MSRC within a CVSS version', () => {
    const byNvd = nvd({ metrics: { cvssMetricV31: [nvdRating('nvd@nist.gov', VECTORS['5.5'], 5.5, 'Primary')] } })
    const byCna = cve({
      cna: cnaScore('cvssV3_1', VECTORS['7.5'], 7.5),
      adp: [cisa(cnaScore('cvssV3_1', VECTORS['9.8'], 9.8))],
    })
    const byCisa = cve({ adp: [cisa(cnaScore('cvssV3_1', VECTORS['9.8'], 9.8))] })
    const scores = [{ vector: VECTORS['9.8'], base_score: 9.8 }]
    const vendors = [vendor('msrc', { scores }), vendor('ghsa', { scores }), vendor('redhat', { scores })]

    const all = resolved([byCna, byNvd, ...vendors]).score
    expect(format(all)).toBe('3.1 5.5 nvd')
    expect(all?.runnersUp.map(({ by }) => by)).toEqual(['cna:apache', 'cisa-adp', 'redhat', 'ghsa', 'msrc'])
    expect(format(resolved([byCna, ...vendors]).score)).toBe('3.1 7.5 cna:apache')
    expect(format(resolved([byCisa, ...vendors]).score)).toBe('3.1 9.8 cisa-adp')
    expect(format(resolved([cve(), ...vendors]).score)).toBe('3.1 9.8 redhat')
  })

  it('lists a CNA rating once if NVD repeats it', () => {
    const repeated = nvd({ metrics: { cvssMetricV31: [nvdRating('security@apache.org', VECTORS['7.5'], 7.5)] } })
    const { score } = resolved([repeated, cve({ cna: cnaScore('cvssV3_1', VECTORS['7.5'], 7.5) })])
    expect(format(score)).toBe('3.1 7.5 cna:apache')
    expect(score?.runnersUp).toEqual([])
  })

  it.each([
    ['appends undefined metrics', 'cvssMetricV40', `${VECTORS['4.0 9.3']}/E:X/CR:X/S:X`, VECTORS['4.0 9.3']],
    ['omits temporal metrics', 'cvssMetricV31', VECTORS['7.5'], `${VECTORS['7.5']}/E:P/RL:O/RC:C`],
    ['orders the metrics differently', 'cvssMetricV31', VECTORS['7.5'], 'CVSS:3.1/AC:L/AV:N/PR:N/UI:N/S:U/C:N/I:N/A:H'],
  ])("lists a CNA rating once, as the CNA writes it, if NVD's copy %s", (_, member, copied, own) => {
    const copy = nvd({ metrics: { [member]: [nvdRating('security@apache.org', copied, 9.3, 'Primary')] } })
    const name = member === 'cvssMetricV40' ? 'cvssV4_0' : 'cvssV3_1'
    const { score } = resolved([copy, cve({ cna: cnaScore(name, own, 9.3) })])
    const vector = parseCvssVector(own)?.vector
    expect(score).toMatchObject({ by: 'cna:apache', value: { vector }, runnersUp: [] })
  })

  it.each([
    ['higher', VECTORS['9.8'], VECTORS['7.5'], '3.1 7.5'],
    ['lower', VECTORS['5.5'], VECTORS['7.5'], '3.1 7.5'],
  ])("takes the rating from the CNA's newer record although NVD's older copy has a %s score", (_, old, own, score) => {
    const copy = nvd({ metrics: { cvssMetricV31: [nvdRating('security@apache.org', old, 1, 'Primary')] } })
    const newer = cve({ cna: cnaScore('cvssV3_1', own, 7.5) }, '2026-09-01T00:00:00Z')
    expect(format(resolved([copy, newer]).score)).toBe(`${score} cna:apache`)
  })

  it("does not serve a CVSS version that only NVD's older copy of a replaced rating has", () => {
    const copy = nvd({ metrics: { cvssMetricV40: [nvdRating('security@apache.org', VECTORS['4.0 9.3'], 9.3)] } })
    const newer = cve({ cna: cnaScore('cvssV3_1', VECTORS['5.5'], 5.5) }, '2026-09-01T00:00:00Z')
    expect([format(resolved([copy, newer]).score), resolved([copy, newer]).v4]).toEqual(['3.1 5.5 cna:apache', null])
    const older = cve({ cna: cnaScore('cvssV3_1', VECTORS['5.5'], 5.5) }, '2026-08-01T00:00:00Z')
    expect(format(resolved([copy, older]).v4)).toBe('4.0 9.3 cna:apache')
  })

  it('keeps a rating that its author has withdrawn if NVD has a copy of it', () => {
    const copy = nvd({ metrics: { cvssMetricV31: [nvdRating(CISA, VECTORS['9.8'], 9.8)] } })
    const newer = cve({ adp: [cisa({ metrics: [] })] }, '2026-09-01T00:00:00Z')
    expect(format(resolved([copy, newer]).score)).toBe('3.1 9.8 cisa-adp')
  })

  it("takes a CNA's highest score whatever NVD marks as primary", () => {
    const metrics = {
      cvssMetricV31: [
        nvdRating('security@apache.org', VECTORS['5.5'], 5.5, 'Primary'),
        nvdRating('security@apache.org', VECTORS['7.5'], 7.5),
      ],
    }
    expect(format(resolved([nvd({ metrics })]).score)).toBe('3.1 7.5 cna:apache')
  })

  it.each([
    ['psirt@solarwinds.com', 'SolarWinds'],
    ['dsap-vuln-management@google.com', 'Google_Devices'],
    ['security@zabbix.com', 'Zabbix'],
  ])('recognises the organisation with the address %s in NVD as %s in the CVE List', (source, shortName) => {
    const repeated = nvd({ metrics: { cvssMetricV31: [nvdRating(source, VECTORS['7.5'], 7.5)] } })
    const cna = { ...cnaScore('cvssV3_1', VECTORS['7.5'], 7.5), providerMetadata: { shortName } }
    const { score } = resolved([repeated, cve({ cna })])
    expect(score).toMatchObject({ by: `cna:${shortName}`, runnersUp: [] })
  })

  it('takes the CVSS 4.0 score of a CVE that has no other score', () => {
    const record = resolved([cve({ cna: cnaScore('cvssV4_0', VECTORS['4.0 9.3'], 9.3) })])
    expect([format(record.score), record.v3, format(record.v4)]).toEqual([
      '4.0 9.3 cna:apache',
      null,
      '4.0 9.3 cna:apache',
    ])
  })

  it('takes the highest score from a provider with several scores in one version', () => {
    const metrics = [{ cvssV3_1: { vectorString: VECTORS['5.5'] } }, { cvssV3_1: { vectorString: VECTORS['9.8'] } }]
    expect(format(resolved([cve({ cna: { metrics } })]).score)).toBe('3.1 9.8 cna:apache')
  })
})

describe('Resolver: CVSS 3.0 and 3.1 (decision C4)', () => {
  it('takes the CVSS 3.0 rating as v3 if there is no CVSS 3.1 rating', () => {
    const metrics = { cvssMetricV30: [nvdRating('nvd@nist.gov', VECTORS['3.0 9.8'], 9.8, 'Primary')] }
    expect(format(resolved([nvd({ metrics })]).v3)).toBe('3.0 9.8 nvd')
    expect(format(resolved([nvd({ metrics }), cve({ cna: cnaScore('cvssV3_1', VECTORS['5.5'], 5.5) })]).v3)).toBe(
      '3.1 5.5 cna:apache',
    )
  })
})

describe('Resolver: recomputed scores (decision C5)', () => {
  it('computes the score from the vector and keeps the stated score', () => {
    const { score } = resolved([nvd({ metrics: { cvssMetricV31: [nvdRating('nvd@nist.gov', VECTORS['9.8'], 3.1)] } })])
    expect(score?.value).toMatchObject({ score: 9.8, statedScore: 3.1 })
  })

  it('ignores ratings with a malformed or missing vector', () => {
    const malformed = nvdRating('nvd@nist.gov', 'CVSS:3.1/AV:N/AC:L', 9.8, 'Primary')
    const missing = { source: 'nvd@nist.gov', type: 'Primary', cvssData: { baseScore: 9.8 } }
    expect(resolved([nvd({ metrics: { cvssMetricV31: [malformed, missing] } })]).score).toBeNull()
  })

  it('takes the CVSS version from the vector, not from the name of the member that contains the vector', () => {
    expect(format(resolved([cve({ cna: cnaScore('cvssV3_1', VECTORS['3.0 9.8'], 9.8) })]).score)).toBe(
      '3.0 9.8 cna:apache',
    )
  })
})

describe('Resolver: a CVE without a score (decision C7)', () => {
  it('resolves the score of an unrated CVE to null, not to 0', () => {
    const { score, v2, v3, v4 } = resolved([nvd(), cve()])
    expect([score, v2, v3, v4]).toEqual([null, null, null, null])
  })
})

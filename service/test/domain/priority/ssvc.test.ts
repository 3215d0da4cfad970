// Compares our copy of CISA's coordinator tree with all 36 rows of version 2.0.3 as published by CERT/CC.
import { describe, expect, it } from 'vitest'
import { parseCvssVector } from '../../../src/domain/cvss/cvss-vector.ts'
import {
  decide,
  deriveAutomatable,
  deriveTechnicalImpact,
  findExploitation,
  MISSIONS,
  packSsvc,
  toSsvcValues,
} from '../../../src/domain/priority/ssvc.ts'
import { AUTOMATABLE, buildFacts, IN_KEV, TOTAL } from './facts-fixture.ts'

/** Exploitation, automatable, technical impact, and the decisions for a low, medium and high effect on the mission. */
const ROWS = [
  ['none', 'no', 'partial', 'track', 'track', 'track'],
  ['none', 'no', 'total', 'track', 'track', 'track*'],
  ['none', 'yes', 'partial', 'track', 'track', 'attend'],
  ['none', 'yes', 'total', 'track', 'track', 'attend'],
  ['poc', 'no', 'partial', 'track', 'track', 'track*'],
  ['poc', 'no', 'total', 'track', 'track*', 'attend'],
  ['poc', 'yes', 'partial', 'track', 'track', 'attend'],
  ['poc', 'yes', 'total', 'track', 'track*', 'attend'],
  ['active', 'no', 'partial', 'track', 'track', 'attend'],
  ['active', 'no', 'total', 'track', 'attend', 'act'],
  ['active', 'yes', 'partial', 'attend', 'attend', 'act'],
  ['active', 'yes', 'total', 'attend', 'act', 'act'],
] as const

describe("CISA's coordinator tree 2.0.3", () => {
  it('has 36 rows, one for each combination of its four inputs', () => {
    expect(ROWS.length * MISSIONS.length).toBe(36)
  })

  it.each(ROWS)('decides %s, %s, %s: %s, %s, %s', (exploitation, automatable, technicalImpact, ...decisions) => {
    const values = { exploitation, automatable, technicalImpact }
    expect(MISSIONS.map((mission) => decide(values, mission))).toEqual(decisions)
  })
})

describe('Exploitation', () => {
  it.each([
    ['active', 'kev', { kev: IN_KEV, cisaExploitation: 'none' }],
    ['active', 'eu-kev', { euKev: { since: '2026-07-01', isUsedByRansomware: false } }],
    ['active', 'msrc', { activeReports: [{ by: 'msrc', date: null }] }],
    ['poc', 'cisa-adp', { cisaExploitation: 'poc', hasPublicExploit: true }],
    ['poc', 'derived:exploits', { cisaExploitation: 'none', hasPublicExploit: true }],
    ['none', 'cisa-adp', { cisaExploitation: 'none' }],
    ['none', 'derived:exploits', {}],
  ] as const)('is %s according to %s', (value, source, facts) => {
    expect(findExploitation(buildFacts(facts))).toEqual({ value, source })
  })
})

describe('Unknown SSVC values', () => {
  it('count as the worse value for an exploited CVE', () => {
    expect(toSsvcValues(buildFacts({ kev: IN_KEV }))).toEqual({
      exploitation: 'active',
      automatable: 'yes',
      technicalImpact: 'total',
    })
  })

  it('count as the better value for other CVEs', () => {
    expect(toSsvcValues(buildFacts())).toEqual({ exploitation: 'none', automatable: 'no', technicalImpact: 'partial' })
  })
})

describe('SSVC values derived from CVSS', () => {
  const NETWORK_V3 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U'
  const NETWORK_V4 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N'

  it.each([
    ['yes', `${NETWORK_V3}/C:N/I:N/A:L`],
    ['no', 'CVSS:3.1/AV:A/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['no', 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H'],
    ['no', 'CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H'],
    ['no', 'CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H'],
    ['yes', `${NETWORK_V4}/VC:N/VI:N/VA:L/SC:N/SI:N/SA:N`],
    ['no', 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'],
    ['no', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'],
    ['yes', 'AV:N/AC:L/Au:N/C:N/I:N/A:P'],
    ['no', 'AV:N/AC:M/Au:N/C:C/I:C/A:C'],
    ['no', 'AV:N/AC:L/Au:S/C:C/I:C/A:C'],
  ])('give automatable: %s for %s', (automatable, text) => {
    const vector = parseCvssVector(text)
    expect(vector && deriveAutomatable(vector)).toBe(automatable)
  })

  it.each([
    ['total', `${NETWORK_V3}/C:H/I:H/A:N`],
    ['partial', `${NETWORK_V3}/C:H/I:L/A:H`],
    ['partial', `${NETWORK_V3}/C:L/I:H/A:H`],
    ['total', `${NETWORK_V4}/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N`],
    ['partial', `${NETWORK_V4}/VC:L/VI:H/VA:H/SC:H/SI:H/SA:H`],
    ['total', 'AV:N/AC:L/Au:N/C:C/I:C/A:N'],
    ['partial', 'AV:N/AC:L/Au:N/C:P/I:C/A:C'],
  ])('give technical impact: %s for %s', (impact, text) => {
    const vector = parseCvssVector(text)
    expect(vector && deriveTechnicalImpact(vector)).toBe(impact)
  })
})

describe('Packed SSVC values', () => {
  it('distinguish the 27 combinations of known and unknown values', () => {
    const levels = [{}, { hasPublicExploit: true }, { kev: IN_KEV }]
    const automatable = [null, { ...AUTOMATABLE, value: 'no' as const }, AUTOMATABLE]
    const impacts = [null, { ...TOTAL, value: 'partial' as const }, TOTAL]
    const packed = levels.flatMap((level) =>
      automatable.flatMap((each) =>
        impacts.map((technicalImpact) => packSsvc(buildFacts({ ...level, automatable: each, technicalImpact }))),
      ),
    )
    expect(packed).toEqual(Array.from({ length: 27 }, (_, index) => index))
  })

  it('do not exist for a rejected CVE', () => {
    expect(packSsvc(buildFacts({ isRejected: true }))).toBeNull()
  })
})

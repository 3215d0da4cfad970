import { describe, expect, it } from 'vitest'
import type { DecisionFacts } from '../../../src/domain/priority/facts.ts'
import { listReasons } from '../../../src/domain/priority/reasons.ts'
import { AUTOMATABLE, buildFacts, IN_KEV, NOT_AUTOMATABLE, PARTIAL, TOTAL } from './facts-fixture.ts'

const KNOWN = { automatable: NOT_AUTOMATABLE, technicalImpact: PARTIAL }
const derived = <T>(value: T, by: string) => ({ value, source: `derived:cvss:${by}` })
const reasons = (values: Partial<DecisionFacts>) => listReasons(buildFacts({ ...KNOWN, ...values }), null, null)

describe('Reasons of a priority', () => {
  it.each<[string, Partial<DecisionFacts>]>([
    ["In CISA's KEV catalog since 2026-07-01.", { kev: IN_KEV }],
    [
      "In ENISA's EU KEV catalog since 2026-07-03; used in ransomware campaigns.",
      { euKev: { since: '2026-07-03', isUsedByRansomware: true } },
    ],
    ["In ENISA's EU KEV catalog since 2026-07-03.", { euKev: { since: '2026-07-03', isUsedByRansomware: false } }],
    ['CISA reports that it is exploited (2026-07-02).', { activeReports: [{ by: 'cisa-adp', date: '2026-07-02' }] }],
    ['Microsoft reports that it is exploited.', { activeReports: [{ by: 'msrc', date: null }] }],
    ['According to CISA, exploitation can be automated.', { automatable: AUTOMATABLE }],
    [
      'According to CISA, a successful attack gives total control of the software or its data.',
      { technicalImpact: TOTAL },
    ],
    [
      'According to the CVSS vector from NVD, it can be attacked over the network without privileges or user interaction, and it has high impact on confidentiality and integrity.',
      { automatable: derived('yes' as const, 'nvd'), technicalImpact: derived('total' as const, 'nvd') },
    ],
    [
      'According to CISA, exploitation can be automated; according to the CVSS vector from apache, it has high impact on confidentiality and integrity.',
      { automatable: AUTOMATABLE, technicalImpact: derived('total' as const, 'cna:apache') },
    ],
    [
      'According to the CVSS vector from NVD, it can be attacked over the network without authentication, and it has complete impact on confidentiality and integrity.',
      {
        automatable: derived('yes' as const, 'nvd'),
        technicalImpact: derived('total' as const, 'nvd'),
        score: { value: 10, version: '2.0', source: 'nvd' },
      },
    ],
    ['Metasploit has a module that exploits it.', { exploit: { maturity: 'weaponized', isVerified: true } }],
    [
      'Exploit-DB or Nuclei has code that tests or exploits it.',
      { exploit: { maturity: 'functional', isVerified: true } },
    ],
    ['A public proof of concept exists.', { exploit: { maturity: 'poc', isVerified: true } }],
    [
      'Code repositories claim to contain a proof of concept; no other source confirms it.',
      { exploit: { maturity: 'poc', isVerified: false } },
    ],
    ['Its CVSS 4.0 base score is 7.0 (GitHub).', { score: { value: 7, version: '4.0', source: 'ghsa' } }],
    ['A fix exists.', { hasFix: true }],
  ])('include "%s"', (sentence, values) => {
    expect(reasons(values)).toContain(sentence)
  })

  it('do not repeat CISA as a reporter beside its KEV entry', () => {
    const activeReports = [
      { by: 'cisa-adp', date: '2026-07-02' },
      { by: 'msrc', date: null },
    ]
    expect(reasons({ kev: IN_KEV, activeReports }).slice(0, 2)).toEqual([
      "In CISA's KEV catalog since 2026-07-01.",
      'Microsoft reports that it is exploited.',
    ])
  })

  it('say for an exploited CVE that unknown values count as the worse ones', () => {
    expect(listReasons(buildFacts({ kev: IN_KEV }), null, null)).toContain(
      'No source gives it a CVSS score yet, so what is unknown counts as the worse case.',
    )
  })

  it.each([
    [0.00042, '0.042 %'],
    [0.1, '10 %'],
    [0.99999, '99.999 %'],
    [1, '100 %'],
  ])('show the EPSS score %d as %s', (score, text) => {
    expect(listReasons(buildFacts(KNOWN), { score, day: '2026-08-15' }, null)).toContain(
      `EPSS estimates a probability of ${text} that it is exploited within 30 days (2026-08-15).`,
    )
  })

  it('are at least one and at most six', () => {
    const all = {
      kev: IN_KEV,
      euKev: { since: '2026-07-03', isUsedByRansomware: false },
      activeReports: [{ by: 'msrc', date: null }],
      automatable: AUTOMATABLE,
      hasPublicExploit: true,
      score: { value: 9.8, version: '3.1', source: 'nvd' },
    }
    expect(reasons(all)).toHaveLength(6)
    expect(reasons({}).length).toBeGreaterThan(0)
  })
})

import { describe, expect, it } from 'vitest'
import type { DecisionFacts } from '../../../src/domain/priority/facts.ts'
import { listReasons } from '../../../src/domain/priority/reasons.ts'
import { AUTOMATABLE, buildExploit, buildFacts, IN_KEV, NOT_AUTOMATABLE, PARTIAL, TOTAL } from './facts-fixture.ts'

const KNOWN = { automatable: NOT_AUTOMATABLE, technicalImpact: PARTIAL }
const derived = <T>(value: T, by: string) => ({ value, source: `derived:cvss:${by}` })
const reasons = (values: Partial<DecisionFacts>) => listReasons(buildFacts({ ...KNOWN, ...values }), null, null)

describe('Reasons of a priority', () => {
  it.each<[string, Partial<DecisionFacts>]>([
    ["In CISA's KEV catalog since 2026-07-01.", { kev: IN_KEV }],
    [
      "In ENISA's EU KEV catalog (reported on 2026-07-03); used in ransomware campaigns.",
      { euKev: { since: '2026-07-03', isUsedByRansomware: true } },
    ],
    [
      "In ENISA's EU KEV catalog (reported on 2026-07-03).",
      { euKev: { since: '2026-07-03', isUsedByRansomware: false } },
    ],
    [
      "In CISA's KEV catalog since 2026-07-01 and in ENISA's EU KEV catalog (reported on 2026-07-03); used in ransomware campaigns.",
      { kev: IN_KEV, euKev: { since: '2026-07-03', isUsedByRansomware: true } },
    ],
    ['CISA reports that it is exploited (2026-07-02).', { activeReports: [{ by: 'cisa-adp', date: '2026-07-02' }] }],
    ['Microsoft reports that it is exploited.', { activeReports: [{ by: 'msrc', date: null }] }],
    ['According to CISA, exploitation can be automated.', { automatable: AUTOMATABLE }],
    [
      'According to CISA, a successful attack gives total control of the software or discloses all of its data.',
      { technicalImpact: TOTAL },
    ],
    [
      'According to the CVSS vector from NVD, it can be attacked over the network without privileges or user interaction, and it has high impact on confidentiality and integrity.',
      { automatable: derived('yes' as const, 'nvd'), technicalImpact: derived('total' as const, 'nvd') },
    ],
    [
      'According to CISA, exploitation can be automated; according to the CVSS vector from Apache, it has high impact on confidentiality and integrity.',
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
    [
      'Metasploit has a module that exploits it.',
      { exploit: buildExploit('weaponized', ['exploit-module', 'nuclei']) },
    ],
    ['Exploit-DB has an entry for it.', { exploit: buildExploit('functional', ['exploitdb', 'reported-poc']) }],
    ['Nuclei has a template that tests for it.', { exploit: buildExploit('functional', ['nuclei']) }],
    [
      'Exploit-DB has an entry for it, and Nuclei has a template that tests for it.',
      { exploit: buildExploit('functional', ['exploitdb', 'nuclei']) },
    ],
    [
      'According to CISA, there is a public proof of concept.',
      { cisaExploitation: 'poc', exploit: buildExploit('poc', ['reported-poc', 'tagged-reference']) },
    ],
    ['A vendor reports that there is a public proof of concept.', { exploit: buildExploit('poc', ['reported-poc']) }],
    ['A reference is tagged as an exploit.', { exploit: buildExploit('poc', ['tagged-reference', 'repository'], 1) }],
    [
      'PoC-in-GitHub lists 1 code repository for it; nobody has checked what it contains.',
      { exploit: buildExploit('poc', ['repository'], 1) },
    ],
    [
      'PoC-in-GitHub lists 84 code repositories for it; nobody has checked what they contain.',
      { exploit: buildExploit('poc', ['repository'], 84) },
    ],
    [
      'An exploit collection, a reference or a report names a public exploit.',
      { exploit: { maturity: 'functional', isVerified: true, kinds: [], repositories: 0 } },
    ],
    ['No exploit collection lists an exploit for it, and no reference is tagged as one.', {}],
    ['Its CVSS 4.0 base score is 7.0 (GitHub).', { score: { value: 7, version: '4.0', source: 'ghsa' } }],
    [
      'Its CVSS 3.1 base score is 7.8 (the Linux kernel project).',
      { score: { value: 7.8, version: '3.1', source: 'cna:Linux' } },
    ],
    ['NVD names a fix.', { hasFix: true, fixBy: 'nvd' }],
    ['The Linux kernel project names a fix.', { hasFix: true, fixBy: 'cna:Linux' }],
    ["CISA's KEV catalog requires updates.", { hasFix: true, fixBy: 'cisa-kev' }],
    ['A source names a fix.', { hasFix: true }],
    ['None of the sources of this service names a fix.', {}],
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
      'NVD, the CVE List and advisories have no CVSS vector for it, so this priority assumes that an attack can be automated and gives total control.',
    )
  })

  it.each([
    [0.00042, '0.042 %'],
    [0.1, '10 %'],
    [0.99999, '99.999 %'],
    [1, '100 %'],
  ])('show the EPSS score %d as %s', (score, text) => {
    expect(listReasons(buildFacts(KNOWN), { score, day: '2026-08-15' }, null)).toContain(
      `On 2026-08-15, EPSS estimated a probability of ${text} that it would be exploited within the next 30 days.`,
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

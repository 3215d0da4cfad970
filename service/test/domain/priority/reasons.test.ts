import { describe, expect, it } from 'vitest'
import { toHeldThreshold } from '../../../src/domain/priority/epss-rule.ts'
import type { DecisionFacts } from '../../../src/domain/priority/facts.ts'
import { findRule, toPolicyInputs } from '../../../src/domain/priority/policy.ts'
import { type EpssFact, listReasons } from '../../../src/domain/priority/reasons.ts'
import {
  AUTOMATABLE,
  buildEpss,
  buildExploit,
  buildFacts,
  IN_KEV,
  NOT_AUTOMATABLE,
  PARTIAL,
  TOTAL,
} from './facts-fixture.ts'

const KNOWN = { automatable: NOT_AUTOMATABLE, technicalImpact: PARTIAL }
const PUBLIC = { hasPublicExploit: true }
const derived = <T>(value: T, by: string) => ({ value, source: `derived:cvss:${by}` })
const list = (facts: DecisionFacts, epss: EpssFact | null = null) =>
  listReasons({
    facts,
    epss,
    rule: findRule(toPolicyInputs(facts, epss && toHeldThreshold(epss.score, epss.held))),
    moved: null,
    mission: 'medium',
  })
const reasons = (values: Partial<DecisionFacts>) => list(buildFacts({ ...KNOWN, ...values }))

type NamedVersion = readonly [product: string, version: string, branch?: string]

const fixedVersions = (...versions: readonly NamedVersion[]) => ({
  kind: 'versions' as const,
  versions: versions.map(([product, version, branch = null]) => ({ product, version, branch })),
  hasMore: false,
  unfixed: null,
})
const fixedBy = (fixBy: string, ...versions: readonly NamedVersion[]) => ({
  hasFix: true,
  fixBy,
  fixEvidence: fixedVersions(...versions),
})

describe('Reasons for a priority', () => {
  it.each<[string, Partial<DecisionFacts>]>([
    [
      "This CVE is in CISA's KEV catalog since 2026-07-01 (due date for US federal agencies: 2026-07-04).",
      { kev: IN_KEV },
    ],
    [
      "This CVE is in ENISA's EU KEV catalog (reported on 2026-07-03); ransomware campaigns use it.",
      { euKev: { since: '2026-07-03', isUsedByRansomware: true } },
    ],
    [
      "This CVE is in ENISA's EU KEV catalog (reported on 2026-07-03).",
      { euKev: { since: '2026-07-03', isUsedByRansomware: false } },
    ],
    [
      "This CVE is in CISA's KEV catalog since 2026-07-01 (due date for US federal agencies: 2026-07-04) and in ENISA's EU KEV catalog (reported on 2026-07-03); ransomware campaigns use it.",
      { kev: IN_KEV, euKev: { since: '2026-07-03', isUsedByRansomware: true } },
    ],
    [
      'CISA reports that this CVE is exploited (2026-07-02).',
      { activeReports: [{ by: 'cisa-adp', date: '2026-07-02' }] },
    ],
    ['Microsoft reports that this CVE is exploited.', { activeReports: [{ by: 'msrc', date: null }] }],
    ['According to CISA, exploitation of this CVE can be automated.', { automatable: AUTOMATABLE }],
    [
      'According to CISA, an attack gives total control of the software or discloses all information on the system.',
      { technicalImpact: TOTAL },
    ],
    [
      'According to the CVSS vector from NVD, this CVE can be attacked over the network without privileges or user interaction, and an attack has high impact on confidentiality and integrity.',
      { automatable: derived('yes' as const, 'nvd'), technicalImpact: derived('total' as const, 'nvd') },
    ],
    [
      'According to CISA, exploitation of this CVE can be automated; according to the CVSS vector from Apache, an attack has high impact on confidentiality and integrity.',
      { automatable: AUTOMATABLE, technicalImpact: derived('total' as const, 'cna:apache') },
    ],
    [
      'According to the CVSS vector from NVD, this CVE can be attacked over the network without authentication, and an attack has complete impact on confidentiality and integrity.',
      {
        automatable: derived('yes' as const, 'nvd'),
        technicalImpact: derived('total' as const, 'nvd'),
        score: { value: 10, version: '2.0', source: 'nvd' },
      },
    ],
    [
      'Metasploit has a module that exploits this CVE.',
      { exploit: buildExploit('weaponized', ['exploit-module', 'nuclei']) },
    ],
    ['Exploit-DB has an entry for this CVE.', { exploit: buildExploit('functional', ['exploitdb', 'reported-poc']) }],
    ['Nuclei has a template that tests for this CVE.', { exploit: buildExploit('functional', ['nuclei']) }],
    [
      'Exploit-DB has an entry for this CVE, and Nuclei has a template that tests for it.',
      { exploit: buildExploit('functional', ['exploitdb', 'nuclei']) },
    ],
    [
      'According to CISA, there is a public proof of concept or a well-known way to exploit it.',
      { cisaExploitation: 'poc', exploit: buildExploit('poc', ['reported-poc', 'tagged-reference']) },
    ],
    [
      'A vendor reports that there is a public proof of concept for this CVE.',
      { exploit: buildExploit('poc', ['reported-poc']) },
    ],
    [
      'A reference of this CVE is tagged as an exploit.',
      { exploit: buildExploit('poc', ['tagged-reference', 'repository'], 1) },
    ],
    [
      'PoC-in-GitHub lists 1 code repository for this CVE; this service has not checked what it contains.',
      { exploit: buildExploit('poc', ['repository'], 1) },
    ],
    [
      'PoC-in-GitHub lists 84 code repositories for this CVE; this service has not checked what they contain.',
      { exploit: buildExploit('poc', ['repository'], 84) },
    ],
    [
      'An exploit collection, a reference or a report names a public exploit of this CVE.',
      { exploit: { maturity: 'functional', isVerified: true, kinds: [], repositories: 0 } },
    ],
    [
      'Exploit-DB, Metasploit, Nuclei and PoC-in-GitHub list no exploit of this CVE, and no reference is tagged as one.',
      {},
    ],
    ['The CVSS 4.0 base score of this CVE is 7.0 (GitHub).', { score: { value: 7, version: '4.0', source: 'ghsa' } }],
    [
      'The CVSS 3.1 base score of this CVE is 7.5 (NVD); its CVSS 4.0 base score is 8.7 (VulnCheck).',
      { score: { value: 7.5, version: '3.1', source: 'nvd', higherV4: { value: 8.7, source: 'cna:VulnCheck' } } },
    ],
    [
      'The CVSS 3.1 base score of this CVE is 7.8 (the Linux kernel project).',
      { score: { value: 7.8, version: '3.1', source: 'cna:Linux' } },
    ],
    ['NVD names a fix of this CVE.', { hasFix: true, fixBy: 'nvd' }],
    ['NVD names 2.17.1 as the fixed version of an affected product for this CVE.', fixedBy('nvd', ['', '2.17.1'])],
    [
      'Anchore names 5.6.2 as the fixed version of example router for this CVE.',
      fixedBy('anchore', ['example_router', '5.6.2']),
    ],
    [
      'An organisation of the CVE Program names fixed versions of Router (5.6.2, 6.0.1) for this CVE.',
      fixedBy('cna:5e4ab6d2', ['Router', '5.6.2'], ['Router', '6.0.1']),
    ],
    [
      'NVD names fixed versions of an affected product (5.6.2, 6.0.1) for this CVE.',
      fixedBy('nvd', ['', '5.6.2'], ['', '6.0.1']),
    ],
    [
      'NVD names fixed versions of router (5.6.2, 6.0.1) and proxy (1.2) for this CVE.',
      fixedBy('nvd', ['router', '5.6.2'], ['router', '6.0.1'], ['proxy', '1.2']),
    ],
    [
      'NVD names fixed versions of router (5.6.2) and more for this CVE.',
      { hasFix: true, fixBy: 'nvd', fixEvidence: { ...fixedVersions(['router', '5.6.2']), hasMore: true } },
    ],
    [
      'Palo Alto Networks names fixed versions of PAN-OS (10.2.9-h1 in branch 10.2, 11.1.2-h3 in branch 11.1) for this CVE.',
      fixedBy('cna:palo_alto', ['PAN-OS', '10.2.9-h1', '10.2'], ['PAN-OS', '11.1.2-h3', '11.1']),
    ],
    [
      'Apache names 2.12.4 in branch 2.12 as the fixed version of Log4j for this CVE.',
      fixedBy('cna:apache', ['Log4j', '2.12.4', '2.12']),
    ],
    [
      'AlmaLinux names 5.14.0-427 as the fixed version of kernel in AlmaLinux 9 for this CVE; no source names one of Linux.',
      {
        hasFix: true,
        fixBy: 'osv:almalinux',
        fixEvidence: { ...fixedVersions(['kernel in AlmaLinux 9', '5.14.0-427']), unfixed: ['Linux'] },
      },
    ],
    [
      'A description of this CVE names 4.7.2 as a fixed version (affected: example router).',
      { hasFix: true, fixBy: 'nvd', fixEvidence: { kind: 'text', version: '4.7.2', products: ['example_router'] } },
    ],
    [
      'A description of this CVE names 4.7.2 as a fixed version (affected: A, B and more).',
      { hasFix: true, fixBy: 'nvd', fixEvidence: { kind: 'text', version: '4.7.2', products: ['A', 'B', 'C'] } },
    ],
    [
      'A description of this CVE names 4.7.2 as a fixed version; no source names the affected product in a field of its own.',
      { hasFix: true, fixBy: 'nvd', fixEvidence: { kind: 'text', version: '4.7.2', products: [] } },
    ],
    [
      'Fortinet names 7.0.12 as a fixed version in its text about a solution of this CVE (affected: FortiOS and FortiProxy).',
      {
        hasFix: true,
        fixBy: 'cna:fortinet',
        fixEvidence: { kind: 'solution', version: '7.0.12', products: ['FortiOS', 'FortiProxy'] },
      },
    ],
    ['NVD links to a patch for this CVE.', { hasFix: true, fixBy: 'nvd', fixEvidence: { kind: 'patch-link' } }],
    ['According to ENISA, a patch for this CVE is available.', { hasFix: true, fixBy: 'eu-kev' }],
    ['The Linux kernel project names a fix of this CVE.', { hasFix: true, fixBy: 'cna:Linux' }],
    ['CISA requires US federal agencies to apply the updates for this CVE.', { hasFix: true, fixBy: 'cisa-kev' }],
    [
      'Debian names 2.4-1 as the fixed version of router in Debian bookworm for this CVE; no source names one of the affected product itself.',
      {
        hasFix: true,
        fixBy: 'debian',
        fixEvidence: {
          kind: 'versions',
          versions: [{ product: 'router in Debian bookworm', version: '2.4-1', branch: null }],
          hasMore: false,
          unfixed: [],
        },
      },
    ],
    ['A source names a fix of this CVE.', { hasFix: true }],
    ['This service found no fix of this CVE in the data behind this priority.', {}],
    ['No EPSS scores are loaded.', {}],
  ])('include "%s"', (sentence, values) => {
    expect(reasons(values)).toContain(sentence)
  })

  it('do not repeat CISA as a reporter next to its KEV entry', () => {
    const activeReports = [
      { by: 'cisa-adp', date: '2026-07-02' },
      { by: 'msrc', date: null },
    ]
    expect(reasons({ kev: IN_KEV, activeReports }).slice(0, 2)).toEqual([
      "This CVE is in CISA's KEV catalog since 2026-07-01 (due date for US federal agencies: 2026-07-04).",
      'Microsoft reports that this CVE is exploited.',
    ])
  })

  it('say for an exploited CVE that unknown values count as the worse ones', () => {
    expect(list(buildFacts({ kev: IN_KEV }))).toContain(
      'The data behind this priority contains no CVSS vector of this CVE, so the priority assumes that an attack can be automated and has total impact.',
    )
  })

  it('do not mention assumed values for a CVE used by ransomware, whose level does not depend on them', () => {
    expect(list(buildFacts({ kev: { ...IN_KEV, isUsedByRansomware: true } }))).toContain(
      'The data behind this priority contains no CVSS vector of this CVE.',
    )
  })

  it("explain CISA's decision where the level looks like a contradiction to it", () => {
    const facts = buildFacts({ ...PUBLIC, automatable: AUTOMATABLE })
    const TREE =
      "CISA's decision tree gives track for a CVE that is not known to be exploited; the policy of this service also counts its EPSS score."
    expect(list(facts, buildEpss(0.8))).toContain(TREE)
    expect(list(facts, buildEpss(0.3))).not.toContain(TREE)
  })

  it('say that a product is end-of-life if the KEV entry does', () => {
    const END_OF_LIFE = "CISA's KEV catalog says that the product is end-of-life."
    expect(reasons({ kev: IN_KEV, isEndOfLife: true })).toContain(END_OF_LIFE)
    expect(reasons({ kev: IN_KEV })).not.toContain(END_OF_LIFE)
  })

  it('name no due date for a KEV entry that has none', () => {
    expect(reasons({ kev: { ...IN_KEV, dueDate: null } })).toContain(
      "This CVE is in CISA's KEV catalog since 2026-07-01.",
    )
  })

  it.each<[string, Partial<DecisionFacts>, number | null]>([
    [
      'P1 (this week), because there is a public exploit, its EPSS score has reached 0.7 and an attack can be automated',
      { ...PUBLIC, automatable: AUTOMATABLE },
      0.8,
    ],
    ['P2 (this month), because its EPSS score has reached 0.2', PUBLIC, 0.8],
    [
      'P1 (this week), because there is a public proof of concept or a well-known way to exploit it, its EPSS score has reached 0.7 and an attack has total impact',
      { ...PUBLIC, technicalImpact: TOTAL, cisaExploitation: 'poc', exploit: buildExploit('poc', ['reported-poc']) },
      0.8,
    ],
    [
      'P2 (this month), because there is a public exploit, an attack can be automated, an attack has total impact and EPSS has no score that would lower the level',
      { ...PUBLIC, automatable: AUTOMATABLE, technicalImpact: TOTAL },
      null,
    ],
    [
      'P3 (next cycle), because its CVSS base score is at least 7 and its CVSS vector allows an attack over the network without privileges or user interaction',
      { automatable: derived('yes' as const, 'nvd'), score: { value: 7.5, version: '3.1', source: 'nvd' } },
      0.01,
    ],
    [
      'P1 (this week), because PoC-in-GitHub lists code for it, its EPSS score has reached 0.7 and an attack can be automated',
      { ...PUBLIC, automatable: AUTOMATABLE, exploit: buildExploit('poc', ['repository'], 2) },
      0.8,
    ],
    [
      'P3 (next cycle), because its CVSS base score is at least 9',
      { score: { value: 9.1, version: '3.1', source: 'nvd' } },
      0.01,
    ],
  ])('for a CVE not known to be exploited name the rule: %s', (text, values, score) => {
    const facts = buildFacts({ ...KNOWN, ...values })
    expect(list(facts, score === null ? null : buildEpss(score))[0]).toBe(
      `Priority policy 2026-12 gives this CVE ${text}; it is not known to be exploited.`,
    )
  })

  it('for a CVE at the lowest level say that no rule of a higher level applies', () => {
    expect(reasons({})[0]).toBe(
      'Priority policy 2026-12 gives this CVE P4 (routine): it is not known to be exploited, and no rule of a higher level applies.',
    )
  })

  it.each([
    [0.00042, '0.042 %'],
    [0.1, '10 %'],
    [0.99999, '99.999 %'],
    [1, '100 %'],
  ])('show the EPSS score %d as %s', (score, text) => {
    expect(list(buildFacts(KNOWN), buildEpss(score))).toContain(
      `On 2026-08-15, EPSS estimated a probability of ${text} that this CVE would be exploited within the next 30 days.`,
    )
  })

  it('name the date of the EPSS scores if they include none for the CVE', () => {
    expect(list(buildFacts(KNOWN), buildEpss(null))).toContain(
      'The EPSS scores of 2026-08-15 contain none for this CVE.',
    )
  })

  it('number at least one and at most six', () => {
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

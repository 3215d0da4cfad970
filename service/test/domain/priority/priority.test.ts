import { describe, expect, it } from 'vitest'
import type { Exposure } from '../../../src/domain/priority/context.ts'
import { readFacts, toStoredFacts } from '../../../src/domain/priority/facts.ts'
import { prioritize } from '../../../src/domain/priority/priority.ts'
import { AUTOMATABLE, buildEpss, buildExploit, buildFacts, IN_KEV, PARTIAL, TOTAL } from './facts-fixture.ts'

const EPSS = buildEpss(0.99999)
const WORST = { automatable: AUTOMATABLE, technicalImpact: TOTAL }
const inContext = (exposure: Exposure) => ({ exposure, mission: 'high' }) as const

describe('Priority of a CVE', () => {
  it('has the level, the SSVC decision, the deadlines and the reasons', () => {
    const facts = buildFacts({
      ...WORST,
      kev: { since: '2024-04-12', dueDate: '2024-04-19', isUsedByRansomware: true },
      hasPublicExploit: true,
      exploit: buildExploit('weaponized', ['exploit-module']),
      hasFix: true,
      fixBy: 'nvd',
      score: { value: 10, version: '3.1', source: 'nvd' },
    })
    expect(prioritize(facts, EPSS)).toEqual({
      rank: 11975,
      priority: {
        level: 'P0',
        policy_version: '2026-12',
        ssvc: {
          decision: 'act',
          tree: 'cisa-coordinator-2.0.3',
          mission: 'medium',
          exploitation: 'active',
          automatable: 'yes',
          technical_impact: 'total',
          value_sources: { exploitation: 'kev', automatable: 'cisa-adp', technical_impact: 'cisa-adp' },
        },
        deadline: {
          rule: 'bod-26-04',
          inputs: 'cisa',
          exposed: { days: 3, forensic_triage: true },
          internal: { days: 3, forensic_triage: true },
          counted_from: 'kev_added_or_detection',
          kev_due_agrees: null,
        },
        reasons: [
          "This CVE is in CISA's KEV catalog since 2024-04-12 (due date for US federal agencies: 2024-04-19); ransomware campaigns use it.",
          'According to CISA, exploitation of this CVE can be automated, and an attack gives total control of the software or discloses all information on the system.',
          'Metasploit has a module that exploits this CVE.',
          'On 2026-08-15, EPSS estimated a probability of 99.999 % that this CVE would be exploited within the next 30 days.',
          'The CVSS 3.1 base score of this CVE is 10.0 (NVD).',
          'NVD names a fix of this CVE.',
        ],
      },
    })
  })

  it('is null with one reason for a rejected CVE', () => {
    expect(prioritize(buildFacts({ isRejected: true }), EPSS)).toEqual({
      rank: null,
      priority: {
        level: null,
        policy_version: '2026-12',
        ssvc: null,
        deadline: null,
        reasons: ['The CVE id was rejected, so the CVE has no priority.'],
      },
    })
  })

  it('shows unknown values as null and says that the CVE has no score', () => {
    const { priority } = prioritize(buildFacts(), null)
    expect(priority.ssvc).toMatchObject({ decision: 'track', automatable: null, technical_impact: null })
    expect(priority).not.toHaveProperty('estimate')
    expect(priority.reasons).toEqual([
      'Priority policy 2026-12 does not rate this CVE yet: no source gives a CVSS base score, an SSVC value or evidence of an exploit, and there is no EPSS score.',
      'The data behind this priority contains no CVSS vector of this CVE.',
      'Exploit-DB, Metasploit, Nuclei and PoC-in-GitHub list no exploit of this CVE, and no reference is tagged as one.',
      'No EPSS scores are loaded.',
      'This service found no fix of this CVE in the data behind this priority.',
    ])
  })

  it('has an estimate next to an incomplete deadline', () => {
    const { priority } = prioritize(
      buildFacts({ ...WORST, automatable: { value: 'yes', source: 'derived:cvss:nvd' } }),
      null,
    )
    expect(priority.deadline).toMatchObject({ inputs: 'incomplete' })
    expect(priority.estimate).toMatchObject({ exposed: { days: 3 } })
  })

  it('is byte-for-byte identical for identical facts', () => {
    const facts = buildFacts({ ...WORST, kev: IN_KEV, euKev: { since: '2026-07-01', isUsedByRansomware: false } })
    const text = JSON.stringify(prioritize(facts, EPSS))
    expect(JSON.stringify(prioritize(structuredClone(facts), { ...EPSS }))).toBe(text)
  })
})

describe("The caller's context", () => {
  const risky = buildFacts({ ...WORST, hasPublicExploit: true })

  it('raises an exposed, automatable CVE with a public exploit and total impact to P1 and says so', () => {
    const { priority, rank } = prioritize(risky, buildEpss(0.01), inContext('exposed'))
    expect(priority.level).toBe('P1')
    expect(rank).toBe(8375)
    expect(priority.reasons[0]).toBe(
      'Raised: the system is exposed, and an attack with a public exploit can be automated and gives total control.',
    )
  })

  it('does not raise a CVE that lacks one of the conditions', () => {
    for (const facts of [
      { ...risky, hasPublicExploit: false },
      { ...risky, automatable: null },
      { ...risky, technicalImpact: PARTIAL },
    ])
      expect(prioritize(facts, null, inContext('exposed')).priority.level).toBe(prioritize(facts, null).priority.level)
  })

  it('never lowers a P0 by raising it to P1', () => {
    expect(prioritize({ ...risky, kev: IN_KEV }, null, inContext('exposed')).priority.level).toBe('P0')
  })

  it.each([
    ['P2', 'P3', buildEpss(0.3)],
    ['P3', 'P4', buildEpss(0.1)],
  ])('lowers %s to %s for an internal system and says so', (before, after, epss) => {
    expect(prioritize(buildFacts(), epss).priority.level).toBe(before)
    const { priority } = prioritize(buildFacts(), epss, inContext('internal'))
    expect(priority.level).toBe(after)
    expect(priority.reasons[0]).toBe(
      'Lowered: the system is internal, and no source reports that the CVE is exploited.',
    )
  })

  it.each([
    ['P4', buildEpss(0.01)],
    ['unrated', null],
  ])('keeps %s for an internal system and gives no reason for a change', (level, epss) => {
    const { priority } = prioritize(buildFacts(), epss, inContext('internal'))
    expect(priority.level).toBe(level)
    expect(priority.reasons).toEqual(prioritize(buildFacts(), epss).priority.reasons)
  })

  it('does not lower an exploited CVE for an internal system', () => {
    expect(prioritize(buildFacts({ ...WORST, kev: IN_KEV }), null, inContext('internal')).priority.level).toBe('P0')
  })

  it('leaves only the deadline that applies, and decides SSVC with the given mission', () => {
    const { deadline, ssvc } = prioritize(buildFacts(WORST), null, inContext('internal')).priority
    expect(deadline).toHaveProperty('internal')
    expect(deadline).not.toHaveProperty('exposed')
    expect(ssvc).toMatchObject({ mission: 'high', decision: 'attend' })
  })
})

describe('An unrated CVE', () => {
  it('has what is awaited, and since when', () => {
    const { priority } = prioritize(buildFacts({ publishedOn: '2026-08-01' }), null)
    expect(priority).toMatchObject({ level: 'unrated', awaiting: ['cvss', 'epss', 'ssvc'], since: '2026-08-01' })
  })

  it('is rated by an EPSS score, however low', () => {
    const { priority } = prioritize(buildFacts({ publishedOn: '2026-08-01' }), buildEpss(0.0001))
    expect(priority.level).toBe('P4')
    expect(priority).not.toHaveProperty('awaiting')
    expect(priority).not.toHaveProperty('since')
  })
})

describe('A level that follows from EPSS', () => {
  const held = { held: ['2026-03-01', '2026-05-01'], knownFrom: '2026-01-01' }

  it('names the threshold, the score below which it ends, and since when', () => {
    const { priority } = prioritize(buildFacts(), buildEpss(0.15, held))
    expect(priority).toMatchObject({
      level: 'P2',
      since: '2026-05-01',
      level_by_epss: {
        threshold: 0.2,
        kept_from: 0.13,
        model: 'v2025.03.14',
        thresholds_by: 'policy',
        known_from: '2026-01-01',
      },
    })
    expect(priority.reasons).toContain(
      'Its EPSS score reached 0.2 on 2026-05-01; the level stays until the score is below 0.13.',
    )
  })

  it('names the threshold of the model of the score', () => {
    const epss = buildEpss(0.13, { ...held, model: 'v2026.06.15', thresholds: [0.069, 0.121, 0.475] })
    const { priority } = prioritize(buildFacts(), epss)
    expect(priority.level_by_epss).toMatchObject({ threshold: 0.121, kept_from: 0.07865 })
    expect(priority.reasons[0]).toContain('because its EPSS score has reached 0.121;')
  })

  it('says that the shares of the reference model give the thresholds of an unknown model', () => {
    const { priority } = prioritize(buildFacts(), buildEpss(0.3, { model: 'v2030.01.01' }))
    expect(priority.level_by_epss?.thresholds_by).toBe('reference')
    const shares = buildEpss(0.3, { model: 'v2030.01.01', thresholds: [0.1, 0.21, 0.7] })
    expect(prioritize(buildFacts(), shares).priority.level_by_epss?.thresholds_by).toBe('shares')
  })

  it('says that the score may have reached the threshold before the first known day', () => {
    const { priority } = prioritize(buildFacts(), buildEpss(0.15, { ...held, knownFrom: '2026-05-01' }))
    expect(priority.reasons).toContain(
      'Its EPSS score reached 0.2 on 2026-05-01, the first day whose scores this service knows, or earlier; the level stays until the score is below 0.13.',
    )
  })
})

describe('The reasons', () => {
  const reasons = (facts: Parameters<typeof buildFacts>[0]) => prioritize(buildFacts(facts), null).priority.reasons

  it("name the vendor's advisory where no structured data names a fix", () => {
    const facts = { advisoryBy: 'nvd' }
    expect(reasons(facts)).toContain(
      "The data behind this priority names no fix of this CVE, but NVD tags a link as the vendor's advisory, which this service has not read.",
    )
    const doubted = { ...facts, doubtedBy: 'ghsa' }
    expect(reasons(doubted)).toContain(
      "GitHub names a fix of this CVE, but other data calls the fixed version affected; NVD tags a link as the vendor's advisory, which this service has not read.",
    )
    expect(reasons({ doubtedBy: 'cisa-adp' })).toContain(
      'CISA names a fix of this CVE, but other data calls the fixed version affected.',
    )
    for (const each of [facts, doubted])
      expect(readFacts(JSON.stringify(toStoredFacts(buildFacts(each))))).toMatchObject(each)
    expect(reasons({})).toContain('This service found no fix of this CVE in the data behind this priority.')
  })

  it('begin with the dispute about a disputed CVE', () => {
    expect(reasons({ isDisputed: true })[0]).toBe('A source disputes that this CVE is a vulnerability.')
  })

  it("explain why CISA's tree gives track to an exploited CVE, and only then", () => {
    const harmless = { automatable: { value: 'no', source: 'cisa-adp' }, technicalImpact: PARTIAL } as const
    expect(reasons({ kev: IN_KEV, ...harmless }).join()).toContain(
      "CISA's decision tree gives track for an attack that cannot be automated, partial technical impact and medium impact on the owner's mission",
    )
    const derived = { value: 'no', source: 'derived:cvss:nvd' } as const
    expect(reasons({ kev: IN_KEV, ...harmless, automatable: derived }).join()).toContain(
      'partial technical impact (what CISA has not assessed is read from the CVSS vector)',
    )
    expect(reasons({ kev: IN_KEV, ...WORST }).join()).not.toContain("CISA's decision tree")
    expect(reasons(harmless).join()).not.toContain("CISA's decision tree")
  })

  it('say that the product has no support if a source says so', () => {
    expect(reasons({ isUnsupported: true })).toContain(
      'A source says that the product had no support any more when this CVE was assigned.',
    )
  })
})

import { describe, expect, it } from 'vitest'
import type { Exposure } from '../../../src/domain/priority/context.ts'
import { prioritize } from '../../../src/domain/priority/priority.ts'
import { AUTOMATABLE, buildExploit, buildFacts, IN_KEV, PARTIAL, TOTAL } from './facts-fixture.ts'

const EPSS = { score: 0.99999, day: '2026-08-15' }
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
      rank: 4975,
      priority: {
        level: 'P0',
        policy: '2026-11',
        ssvc: {
          decision: 'act',
          tree: 'cisa-coordinator-2.0.3',
          mission: 'medium',
          exploitation: 'active',
          automatable: 'yes',
          technical_impact: 'total',
          sources: { exploitation: 'kev', automatable: 'cisa-adp', technical_impact: 'cisa-adp' },
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
        policy: '2026-11',
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
      'Priority policy 2026-11 gives this CVE P4 (routine): it is not known to be exploited, and no rule of a higher level applies.',
      'The data behind this priority contains no CVSS vector of this CVE.',
      'Exploit-DB, Metasploit, Nuclei and PoC-in-GitHub list no exploit of this CVE, and no reference is tagged as one.',
      'No EPSS scores are loaded.',
      'The sources behind this priority name no fix of this CVE.',
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
    const { priority, rank } = prioritize(risky, { score: 0.01, day: '2026-08-15' }, inContext('exposed'))
    expect(priority.level).toBe('P1')
    expect(rank).toBe(3375)
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
    ['P2', 'P3', { score: 0.3, day: '2026-08-15' }],
    ['P3', 'P4', { score: 0.1, day: '2026-08-15' }],
  ])('lowers %s to %s for an internal system and says so', (before, after, epss) => {
    expect(prioritize(buildFacts(), epss).priority.level).toBe(before)
    const { priority } = prioritize(buildFacts(), epss, inContext('internal'))
    expect(priority.level).toBe(after)
    expect(priority.reasons[0]).toBe(
      'Lowered: the system is internal, and no source reports that the CVE is exploited.',
    )
  })

  it('keeps P4 for an internal system and gives no reason for a change', () => {
    const { priority } = prioritize(buildFacts(), null, inContext('internal'))
    expect(priority.level).toBe('P4')
    expect(priority.reasons).toEqual(prioritize(buildFacts(), null).priority.reasons)
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

import { describe, expect, it } from 'vitest'
import { isExploited, readFacts, toStoredFacts } from '../../../src/domain/priority/facts.ts'
import { buildExploit, buildFacts, IN_KEV } from './facts-fixture.ts'

const ALL = buildFacts({
  isRejected: true,
  kev: { since: '2026-07-01', dueDate: null, isUsedByRansomware: true },
  euKev: { since: '2026-06-30', isUsedByRansomware: false },
  activeReports: [{ by: 'msrc', date: null }],
  cisaExploitation: 'poc',
  automatable: { value: 'yes', source: 'derived:cvss:nvd' },
  technicalImpact: { value: 'total', source: 'cisa-adp' },
  hasPublicExploit: true,
  exploit: buildExploit('poc', ['repository'], 3),
  hasFix: true,
  fixBy: 'cna:apache',
  fixEvidence: { kind: 'versions', versions: [{ product: 'Log4j', version: '2.17.1' }], hasMore: true },
  score: { value: 9.8, version: '3.1', source: 'nvd', higherV4: { value: 10, source: 'cna:apache' } },
})

describe('Stored decision facts', () => {
  it.each([
    ['no fact', buildFacts()],
    ['every fact', ALL],
    ['a link to a patch', buildFacts({ hasFix: true, fixBy: 'nvd', fixEvidence: { kind: 'patch-link' } })],
    ['a fix in a text', buildFacts({ hasFix: true, fixBy: 'nvd', fixEvidence: { kind: 'text', version: '4.7.2' } })],
    [
      'a fix in a solution',
      buildFacts({ hasFix: true, fixBy: 'x', fixEvidence: { kind: 'solution', version: '7.0' } }),
    ],
  ])('with %s are equal to the stored ones when read back', (_, facts) => {
    expect(readFacts(JSON.stringify(toStoredFacts(facts)))).toEqual(facts)
  })

  it('omit what is false, null or empty', () => {
    expect(toStoredFacts(buildFacts({ hasFix: true, fixBy: 'nvd' }))).toEqual({ fix: 'nvd' })
  })
})

describe('An exploited CVE', () => {
  it.each([
    ["is in CISA's KEV catalog", { kev: IN_KEV }],
    ['is in the EU KEV catalog (decision E23)', { euKev: { since: '2026-07-01', isUsedByRansomware: false } }],
    ['is actively exploited according to a source', { activeReports: [{ by: 'msrc', date: null }] }],
  ])('%s', (_, values) => {
    expect(isExploited(buildFacts(values))).toBe(true)
  })

  it('needs more than a public exploit', () => {
    expect(
      isExploited(buildFacts({ hasPublicExploit: true, exploit: buildExploit('weaponized', ['exploit-module']) })),
    ).toBe(false)
  })
})

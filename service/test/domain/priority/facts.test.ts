import { describe, expect, it } from 'vitest'
import { type DecisionFacts, isExploited, readFacts, toStoredFacts } from '../../../src/domain/priority/facts.ts'
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
  fixEvidence: {
    kind: 'versions',
    versions: [
      { product: 'Log4j', version: '2.12.4', branch: '2.12' },
      { product: 'Log4j', version: '2.17.1', branch: null },
    ],
    hasMore: true,
    unfixed: null,
  },
  score: { value: 9.8, version: '3.1', source: 'nvd', higherV4: { value: 10, source: 'cna:apache' } },
})

const inText = (fixEvidence: NonNullable<DecisionFacts['fixEvidence']>) =>
  buildFacts({ hasFix: true, fixBy: 'nvd', fixEvidence })

describe('Stored decision facts', () => {
  it.each([
    ['no fact', buildFacts()],
    ['every fact', ALL],
    ['a link to a patch', buildFacts({ hasFix: true, fixBy: 'nvd', fixEvidence: { kind: 'patch-link' } })],
    [
      "fixed versions of a distribution's packages",
      buildFacts({
        hasFix: true,
        fixBy: 'osv:almalinux',
        fixEvidence: {
          kind: 'versions',
          versions: [{ product: 'kernel in AlmaLinux 9', version: '5.14.0-427', branch: null }],
          hasMore: false,
          unfixed: ['Linux'],
        },
      }),
    ],
    ['a fix in a text', inText({ kind: 'text', version: '4.7.2', products: [] })],
    ['a fix in a text about one product', inText({ kind: 'text', version: '4.7.2', products: ['Router'] })],
    ['a fix in a solution', inText({ kind: 'solution', version: '7.0', products: ['Router', 'Switch'] })],
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

import { describe, expect, it } from 'vitest'
import { isExploited, readFacts, toStoredFacts } from '../../../src/domain/priority/facts.ts'
import { buildFacts, IN_KEV } from './facts-fixture.ts'

const ALL = buildFacts({
  isRejected: true,
  kev: { since: '2026-07-01', dueDate: null, isUsedByRansomware: true },
  euKev: { since: '2026-06-30', isUsedByRansomware: false },
  activeReports: [{ by: 'msrc', date: null }],
  cisaExploitation: 'poc',
  automatable: { value: 'yes', source: 'derived:cvss:nvd' },
  technicalImpact: { value: 'total', source: 'cisa-adp' },
  hasPublicExploit: true,
  maturity: 'weaponized',
  exploit: { maturity: 'poc', isVerified: false },
  hasFix: true,
  score: { value: 9.8, version: '3.1', source: 'nvd' },
})

describe('Stored decision facts', () => {
  it.each([
    ['no fact', buildFacts()],
    ['every fact', ALL],
  ])('read back with %s are equal to the stored ones', (_, facts) => {
    expect(readFacts(JSON.stringify(toStoredFacts(facts)))).toEqual(facts)
  })

  it('leave out what is false, null or empty', () => {
    expect(toStoredFacts(buildFacts({ hasFix: true }))).toEqual({ fix: true })
  })

  it('are undefined for a CVE that an earlier release published', () => {
    expect(readFacts('')).toBeUndefined()
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
    expect(isExploited(buildFacts({ hasPublicExploit: true, maturity: 'weaponized' }))).toBe(false)
  })
})

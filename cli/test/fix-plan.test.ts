import type { MatchedComponent, PlannedFix } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { describeCoverage } from '../src/components/describe.ts'
import { findResolved, renderFixPlan } from '../src/components/fix-plan.ts'
import { openTerminal } from '../src/render/terminal.ts'

const silent = { write: () => true }
const terminal = openTerminal({ NO_COLOR: '1', COLUMNS: '100' }, silent, silent)

const curl: PlannedFix = {
  package: { vendor: 'deb/debian', product: 'curl' },
  from_version: '7.88.1-10+deb12u5',
  to_version: '7.88.1-10+deb12u8',
  seen_in: 'fixed_version',
  kind: 'patch',
  resolves_total: 14,
  resolves: [
    { level: 'P1', total: 2, ids: ['CVE-2024-0001', 'CVE-2024-0002'] },
    { level: 'P3', total: 11, ids: Array.from({ length: 11 }, (_, index) => `CVE-2024-10${index + 10}`) },
    { level: null, total: 1, ids: ['DSA-5000-1'] },
  ],
  remains_total: 300,
  remains: ['CVE-2024-0003'],
  introduces_total: 1,
  introduces: ['CVE-2024-0004'],
  path: [
    { index: 4, name: 'git', version: '2.39' },
    { name: '', version: null },
    { index: 7, name: 'curl', version: '7.88.1' },
  ],
  direct_dependencies: [
    { index: 4, name: 'git', version: '2.39' },
    { index: 5, name: 'fetcher', version: null },
  ],
  indexes: [7, 8],
}

describe('renderFixPlan', () => {
  it('prints what a step resolves by level, what remains, what it introduces and what brings the package in', () => {
    expect(renderFixPlan(terminal, [curl], []).split('\n')).toEqual([
      'Fix plan, the step that removes most urgency first:',
      '1. deb/debian/curl 7.88.1-10+deb12u5 → 7.88.1-10+deb12u8 (patch)',
      'Resolves    P1 2: CVE-2024-0001, CVE-2024-0002; P3 11: CVE-2024-1010, CVE-2024-1011, CVE-2024-1012,',
      '            CVE-2024-1013, CVE-2024-1014, CVE-2024-1015, CVE-2024-1016, CVE-2024-1017,',
      '            CVE-2024-1018, CVE-2024-1019, and 1 more; no level 1: DSA-5000-1',
      'Remains     300: CVE-2024-0003, and 299 more',
      'Introduces  1: CVE-2024-0004',
      'Brought in  by git 2.39, fetcher: git 2.39 → an entry without a name → curl 7.88.1',
      'Places      2 components',
      '',
    ])
  })

  it('says that a direct dependency is one, and nothing if the document shows no path', () => {
    const direct = renderFixPlan(terminal, [{ ...curl, path: [{ index: 7, name: 'curl', version: null }] }], [])
    expect(direct).toContain('Brought in  directly\n')
    expect(renderFixPlan(terminal, [{ ...curl, path: null, direct_dependencies: [] }], [])).not.toContain('Brought in')
  })

  it('lists components with matches that no step concerns, the most urgent first', () => {
    const match = (id: string, level: string) => ({ id, priority_level: level })
    const component = (index: number, product: string, ...matches: readonly object[]) =>
      // The cast is safe: the plan reads no other members.
      ({ index, interpreted_as: { vendor: null, product, version: '1.0' }, matches }) as unknown as MatchedComponent
    const components = [
      component(0, 'mild', match('CVE-2024-3000', 'P3')),
      component(1, 'urgent', match('CVE-2024-3001', 'P3'), match('CVE-2024-3002', 'P0')),
      component(2, 'clean'),
      component(7, 'planned', match('CVE-2024-0001', 'P1')),
    ]
    expect(renderFixPlan(terminal, [], components.slice(0, 3))).toBe(
      'No version with fewer or less urgent matches is known:\nurgent 1.0: P0 1: CVE-2024-3002; P3 1: CVE-2024-3001\nmild 1.0: P3 1: CVE-2024-3000\n',
    )
    expect(renderFixPlan(terminal, [curl], components)).not.toContain('planned')
  })

  it('prints nothing if there is no match', () => {
    expect(renderFixPlan(terminal, [], [])).toBe('')
  })
})

describe('findResolved', () => {
  it.each([
    ['CVE-2024-0002', true],
    ['CVE-2024-0003', false],
    ['CVE-2024-9999', undefined],
  ])('returns for %s, which the plan resolves, leaves or does not list: %s', (id, resolved) => {
    expect(findResolved(curl, id)).toBe(resolved)
  })
})

describe('describeCoverage', () => {
  const overview = { components_total: 1200, by_coverage_gap: { covered: 1100 } }
  const describeWith = (oldest_data: object | null) =>
    // The cast is safe: no other members are read.
    describeCoverage({ ...overview, oldest_data } as Parameters<typeof describeCoverage>[0], '2026-08-22T00:00:00Z')

  it.each([
    ['released', 'released 2026-08-20, 2 days old.'],
    ['newest_record', 'newest record of 2026-08-20, 2 days old.'],
    ['delivered', 'delivered 2026-08-20, 2 days old.'],
    [null, 'of 2026-08-20, 2 days old.'],
  ])('says what the age of the oldest data is if its basis is %s', (as_of_basis, text) => {
    expect(describeWith({ source: 'ghsa', as_of: '2026-08-20T00:00:00Z', as_of_basis })).toBe(
      `Covered by complete and current databases: 1,100 of 1,200 components; the oldest data is GitHub advisories, ${text}`,
    )
  })

  it('says that no database judged anything', () => {
    expect(describeWith(null)).toMatch(/; no database has data about any of them\.$/)
  })
})

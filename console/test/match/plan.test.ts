import { describe, expect, it } from 'vitest'
import { listFindings } from '../../src/pages/match/plan/findings.ts'
import { toMarkdown } from '../../src/pages/match/plan/markdown.ts'
import {
  describeDoubt,
  describeInBranch,
  describeKinds,
  describePath,
  describePlan,
  describeUnnamed,
  describeUnplanned,
  listUnplanned,
} from '../../src/pages/match/plan/texts.ts'
import { groupAnswer } from '../../src/pages/match/result.ts'
import { component, coverage, match, overview, planLine } from './example-answer.ts'

const entry = (index: number, name: string, version: string | null = '1.0') => ({ index, name, version })

describe('The fix plan', () => {
  const resolves = (...ids: readonly string[]) => [{ level: 'P1' as const, total: ids.length, ids }]

  it('counts each finding once: it goes only if it goes from every component', () => {
    const components = [
      component(0, { matches: [match('CVE-1'), match('CVE-2')] }),
      component(1, { matches: [match('CVE-2'), match('GHSA-3')] }),
    ]
    const first = planLine({ resolves: resolves('CVE-1', 'CVE-2') })
    const second = planLine({ indexes: [1], resolves: resolves('GHSA-3'), introduces_total: 1 })

    expect(describePlan({ components, fix_plan: [first, second] })).toBe(
      'Upgrade 2 packages: 2 CVEs and advisories go, 1 remains, 1 new',
    )
    expect(describeKinds({ components, fix_plan: [first] })).toBe(
      '2 CVEs and 1 advisory without a CVE. Some hit several components: 4 hits in all.',
    )
    expect(listFindings({ components, fix_plan: [first, second] }).filter(({ goes }) => !goes)).toMatchObject([
      { id: 'CVE-2', isCve: true },
    ])
  })

  it('says "at least" if the answer leaves out matches', () => {
    const components = [component(0, { matches: [match('CVE-1')], matches_total: 9 })]

    expect(describePlan({ components, fix_plan: [planLine({ resolves: resolves('CVE-1') })] })).toBe(
      'Upgrade 1 package: at least 1 CVE goes, at least 0 remain',
    )
  })

  it('counts all CVEs if the plan names those that the component does not list, and says how many hits are listed', () => {
    const possible = match('CVE-2', { verdict: 'possibly_affected' })
    const answer = {
      components: [component(0, { matches: [match('CVE-1'), possible], matches_total: 4 })],
      fix_plan: [planLine({ resolves: resolves('CVE-1', 'CVE-3'), remains_total: 2, remains: ['CVE-2', 'CVE-4'] })],
    }

    expect(describePlan(answer)).toBe('Upgrade 1 package: 2 CVEs go, 2 remain')
    expect(describeKinds(answer)).toBe(
      '4 CVEs. 2 hits are listed below (1 affected, 1 possibly affected); the 2 least urgent are not.',
    )
  })

  it('asks to check a planned version only if no source names it as fixed', () => {
    expect(describeUnnamed(planLine({ seen_in: 'range_end' }))).toMatch(/^end of an affected range/)
    expect(describeUnnamed(planLine())).toBeUndefined()
  })

  it('names the version in the installed branch beside a larger step', () => {
    const upgrade_to = { version: '9', seen_in: 'range_end', branch: '1.0', not_clean: null } as const
    const components = [component(0, { upgrade_to: { ...upgrade_to, clean_version: '1.0.7' } })]

    expect(describeInBranch(planLine(), components)).toBe(
      'or 1.0.7 in branch 1.0: no known match at P0 to P2, others may remain',
    )
    expect(describeInBranch(planLine({ to_version: '1.0.7' }), components)).toBeUndefined()
    expect(describeInBranch(planLine({ to_version: '1.0.8', kind: 'patch' }), components)).toBeUndefined()
  })

  it('does not look safe without a plan', () => {
    expect(describePlan({ components: [component(0)], fix_plan: [] })).toBe(
      'No CVE or advisory found in what was checked',
    )
    expect(describePlan({ components: [component(0, { matches: [match('CVE-1')] })], fix_plan: [] })).toBe(
      '1 CVE, and no version with fewer is known',
    )
  })

  it('names the affected components for which it has no line', () => {
    const { upgrades } = groupAnswer({
      components: [component(0, { matches: [match('CVE-1')] }), component(7, { matches: [match('CVE-2')] })],
    })
    const unplanned = listUnplanned({ fix_plan: [planLine()] }, upgrades)

    expect(unplanned.map((upgrade) => upgrade.component.index)).toEqual([7])
    expect(describeUnplanned(unplanned.length)).toMatch(/^For 1 affected component, no version with fewer/)
  })

  it('says that more may remain if a database that judges a package is not complete and current', () => {
    const fix_plan = [planLine(), planLine({ indexes: [1] })]

    expect(describeDoubt({ fix_plan, components: [component(0), component(1)] })).toBe('')
    expect(describeDoubt({ fix_plan, components: [component(0), component(1, { coverage_gap: 'stale' })] })).toMatch(
      /^The data about 1 of these packages is not complete and current/,
    )
  })
})

describe('The path of a component', () => {
  it('is absent if the document shows none', () => {
    expect(describePath(planLine())).toBeUndefined()
  })

  it('says that the component is a direct dependency', () => {
    const self = entry(3, 'router')

    expect(describePath(planLine({ path: [self], direct_dependencies: [self] }))).toBe('direct dependency')
  })

  it('names the direct dependency, the entries between, and other direct dependencies', () => {
    const [first, between, self, other] = [entry(1, 'web'), entry(2, 'body', null), entry(3, 'router'), entry(4, '')]

    expect(describePath(planLine({ path: [first, between, self], direct_dependencies: [first, other] }))).toBe(
      'brought in by web 1.0, through body, also by an entry without a name 1.0',
    )
  })
})

describe('The fix plan as Markdown', () => {
  const answer = {
    components: [component(0, { matches: [match('CVE-1'), match('CVE-2')] })],
    fix_plan: [planLine({ package: { vendor: 'npm', product: 'a|b<script>' }, remains_total: 1, remains: ['CVE-2'] })],
    overview: overview({ components_total: 3, by_coverage_gap: coverage({ covered: 1, no_source: 2 }) }),
    timestamp: '2026-08-21T18:00:00Z',
  }

  it('says what was not checked before the plan, and lists what remains', () => {
    const text = toMarkdown(answer, 'shop.cdx.json')

    expect(text.indexOf('2 incomplete, which is not safe')).toBeGreaterThan(0)
    expect(text.indexOf('2 incomplete')).toBeLessThan(text.indexOf('Upgrade 1 package: 1 CVE goes, 1 remains'))
    expect(text).toContain('- P2 CVE-2: acme product-0 `1.0`')
  })

  it('names the day of the check, the age of the data and what could not be judged, and has no empty column', () => {
    const uncovered = component(1, { verdict: 'not_covered', coverage_gap: 'no_source' })
    const text = toMarkdown({ ...answer, components: [...answer.components, uncovered] }, 'shop')

    expect(text).toContain('Checked on 2026-08-21. No database judged a component.')
    expect(text).toContain('## Could not be judged, so may be affected\n\n- acme product-1 `1.0`')
    expect(text).toContain('| Package | From | To | Resolves | Remaining |\n')
  })

  it('shows versions as they are, with the remark of the page', () => {
    const line = planLine({ from_version: '7.88.1-10~bpo12+1', seen_in: 'range_end' })
    const text = toMarkdown({ ...answer, fix_plan: [line] }, 'shop')

    expect(text).toContain('| `7.88.1-10~bpo12+1` | `2.0`: end of an affected range; check that it was released |')
  })

  it('keeps names of the document from forming table cells, links or HTML', () => {
    const text = toMarkdown(answer, '[x](javascript:1)\n# h')

    expect(text).toContain('| npm/a\\|b\\<script\\> | `1.0` | `2.0` |')
    expect(text.split('\n')[0]).toBe(String.raw`# Fix plan for \[x\](javascript:1) \# h`)
  })
})

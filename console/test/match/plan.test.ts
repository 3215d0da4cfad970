import { describe, expect, it } from 'vitest'
import {
  describeDoubt,
  describePath,
  describePlan,
  describeUnplanned,
  listUnplanned,
} from '../../src/pages/match/plan/texts.ts'
import { groupAnswer } from '../../src/pages/match/result.ts'
import { component, match, planLine } from './example-answer.ts'

const entry = (index: number, name: string, version: string | null = '1.0') => ({ index, name, version })

describe('The fix plan', () => {
  it('counts the matches that go, remain and are new', () => {
    const plan = [
      planLine({ resolves_total: 3, remains_total: 1 }),
      planLine({ resolves_total: 2, introduces_total: 1, indexes: [1] }),
    ]

    expect(describePlan({ fix_plan: plan })).toBe('Upgrade 2 packages: 5 matches go, 1 remains, 1 new one comes.')
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

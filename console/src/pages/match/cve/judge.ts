// What a check says about the one CVE from whose page it was opened.
import type { MatchedComponent } from 'vis-sdk'
import { formatNumber } from '../../../text/format.ts'
import { type Answer, countUnlisted, type Hit } from '../result.ts'
import type { CheckOptions } from '../state.ts'
import { describeCount } from '../texts.ts'

/** Lists the components that the CVE hits. */
export function listHitsOf(id: string, { components }: Pick<Answer, 'components'>): readonly Hit[] {
  return components.flatMap((component) =>
    component.matches.filter((match) => match.cve_id === id || match.id === id).map((match) => ({ component, match })),
  )
}

type Checked = Pick<Answer, 'components' | 'fix_plan'>

/** Says about a CVE without a listed hit what that means. It is cleared only if nothing is left open. */
export function describeAbsence(id: string, answer: Checked, { priority_max }: CheckOptions): string {
  const { components, fix_plan: plan } = answer
  if (components.some(({ suppressed }) => suppressed.some((each) => each.id === id)))
    return 'hidden by triage; see “Suppressed by triage” below.'
  if (plan.some(({ resolves }) => resolves.some(({ ids }) => ids.includes(id))))
    return 'among the less urgent hits, which are not listed. The plan below resolves it.'
  if (plan.some(({ remains }) => remains.includes(id)))
    return 'among the less urgent hits, which are not listed. It remains after the plan below.'
  const reasons = listDoubts(components, priority_max)
  return reasons.length === 0
    ? 'not affected, as far as complete and current databases say.'
    : `not among the listed hits, but that does not clear it: ${reasons.join('; ')}.`
}

function listDoubts(components: readonly MatchedComponent[], maxLevel: CheckOptions['priority_max']) {
  const sum = (count: (component: MatchedComponent) => number) => components.reduce((all, each) => all + count(each), 0)
  const [unlisted, weaker, unordered] = [
    countUnlisted({ components }),
    sum(({ weaker_total }) => weaker_total),
    sum(({ unordered_total }) => unordered_total),
  ]
  const gaps = components.filter(({ coverage_gap: gap }) => gap !== null).length
  return [
    components.length === 0 && 'no component could be checked',
    components.some(({ interpreted_as: { version } }) => version === null) && 'a component has no version',
    maxLevel !== 'P4' && 'only the chosen levels are listed',
    unlisted > 0 && `${describeCount(unlisted, 'less urgent hit is', 'less urgent hits are')} not listed`,
    weaker > 0 && `${describeCount(weaker, 'hit is', 'hits are')} less sure than the minimum confidence`,
    unordered > 0 &&
      `${describeCount(unordered, 'CVE or advisory names', 'CVEs and advisories name')} versions that cannot be compared`,
    gaps > 0 &&
      (components.length === 1
        ? 'the data about the component is incomplete'
        : `the data about ${formatNumber(gaps)} of the components is incomplete`),
  ].filter((each) => each !== false)
}

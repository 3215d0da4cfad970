// The result of a check: the summary with what was checked, the fix plan, and the groups of components and matches.
import { type ReactNode, type Ref, useMemo } from 'react'
import { classNames } from '../../text/class-names.ts'
import { formatNumber } from '../../text/format.ts'
import { ComponentList, type Product, SkippedList, UncoveredList } from './component-lists.tsx'
import { CoverageSummary } from './coverage/summary.tsx'
import { Group } from './group.tsx'
import { HitsTable } from './hits-table.tsx'
import { PlanTable } from './plan/table.tsx'
import { describeDoubt, describePlan, describeUnplanned, listUnplanned } from './plan/texts.ts'
import { type Answer, countUnlisted, countWeaker, type Groups, groupAnswer } from './result.ts'
import { describeAnswer, describeCount, describeUncertainty } from './texts.ts'
import { UpgradesTable } from './upgrades-table.tsx'

interface ResultsProps {
  readonly answer: Answer
  /** Buttons that save the result. */
  readonly actions: ReactNode
  /** A remark above the result, for example that the form has changed since. */
  readonly note: ReactNode
  /** Gets the focus when a result arrives. */
  readonly headingRef: Ref<HTMLHeadingElement>
  readonly onChoose: ((component: Answer['components'][number], product: Product) => void) | undefined
}

export function Results({ answer, actions, note, headingRef, onChoose }: ResultsProps) {
  const groups = useMemo(() => groupAnswer(answer), [answer])
  return (
    <>
      <section aria-labelledby="result" className="space-y-3 rounded-xl border border-line bg-panel px-4 py-3.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h2
            id="result"
            ref={headingRef}
            tabIndex={-1}
            aria-describedby="result-summary"
            className="text-sm font-semibold outline-none"
          >
            Result
          </h2>
          <div className="flex flex-wrap gap-2 sm:ml-auto">{actions}</div>
        </div>
        {note}
        <p id="result-summary" className="max-w-5xl text-base">
          {describeAnswer(answer)}
        </p>
        <Remarks answer={answer} />
        <CoverageSummary answer={answer} groups={groups} />
      </section>
      <Counts overview={answer.overview} />
      <FixPlan answer={answer} groups={groups} />
      <MatchGroups groups={groups} />
      <OtherGroups groups={groups} answer={answer} onChoose={onChoose} />
    </>
  )
}

/** States how many weaker hits and less urgent matches are not listed. */
function Remarks({ answer }: { readonly answer: Answer }) {
  const [unlisted, weaker] = [countUnlisted(answer), countWeaker(answer)]
  if (unlisted === 0 && weaker === 0) return null
  return (
    <p className="max-w-5xl text-sm text-ink-2">
      {weaker > 0 &&
        `${describeCount(weaker, 'hit is', 'hits are')} less sure than the minimum confidence and not listed; choose “Any confidence” to see more. `}
      {unlisted > 0 &&
        `${describeCount(unlisted, 'less urgent match is', 'less urgent matches are')} not listed, because a component lists at most 100.`}
    </p>
  )
}

/** The number of components per verdict, as links to the groups. Those that are not covered have a dashed border. */
function Counts({ overview: { by_verdict } }: { readonly overview: Answer['overview'] }) {
  const counts = [
    { id: 'affected', title: 'Affected', count: by_verdict.affected, tone: 'text-critical' },
    { id: 'possible', title: 'Possibly affected', count: by_verdict.possibly_affected, tone: 'text-high' },
    { id: 'not-covered', title: 'Not covered', count: by_verdict.not_covered, tone: 'text-medium' },
    { id: 'not-affected', title: 'Not affected', count: by_verdict.not_affected, tone: '' },
    { id: 'no-advisory', title: 'No known advisory', count: by_verdict.no_known_advisory, tone: '' },
  ] as const
  return (
    <nav aria-label="Components by verdict" className="grid grid-cols-2 gap-2 sm:grid-cols-5 sm:gap-3">
      {counts.map(({ id, title, count, tone }) => {
        const isUnknown = id === 'not-covered' && count > 0
        const box = classNames(
          'rounded-xl border bg-panel px-3 py-2.5 sm:px-4',
          isUnknown ? 'border-dashed border-medium' : 'border-line',
        )
        const content = (
          <>
            <span className="block text-xs text-ink-2">{title}</span>
            <span className={classNames('block text-xl font-semibold', count > 0 && tone)}>{formatNumber(count)}</span>
            {isUnknown && <span className="block text-xs text-medium">may be affected</span>}
          </>
        )
        return count === 0 ? (
          <div key={id} className={box}>
            {content}
          </div>
        ) : (
          <a key={id} href={`#${id}`} className={classNames(box, 'hover:border-line-strong')}>
            {content}
          </a>
        )
      })}
    </nav>
  )
}

function FixPlan({ answer, groups: { upgrades } }: { readonly answer: Answer; readonly groups: Groups }) {
  const plan = answer.fix_plan
  const unplanned = describeUnplanned(listUnplanned(answer, upgrades).length)
  const doubt = describeDoubt(answer)
  if (plan.length === 0 && unplanned === '') return null
  return (
    <Group id="plan" title="Fix plan" count={plan.length} note="the line that removes most urgency first">
      <p className="px-3 pb-2.5 text-sm">
        {plan.length > 0 && describePlan(answer)} <span className="text-ink-2">{unplanned}</span>{' '}
        <span className="text-medium">{doubt}</span>
      </p>
      {plan.length > 0 && <PlanTable plan={plan} />}
    </Group>
  )
}

function MatchGroups({ groups }: { readonly groups: Groups }) {
  const { upgrades, affected, possible, uncertain } = groups
  return (
    <>
      {upgrades.length > 0 && (
        <Group id="affected" title="Affected components" count={upgrades.length} note="most urgent first">
          <UpgradesTable upgrades={upgrades} />
        </Group>
      )}
      {affected.length > 0 && (
        <Group id="matches" title="Affected: what to fix first" count={affected.length} note="by priority and severity">
          <HitsTable caption="CVEs and advisories that affect components" hits={affected} />
        </Group>
      )}
      {(possible.length > 0 || uncertain.length > 0) && (
        <Group
          id="possible"
          title="Possibly affected"
          count={possible.length + uncertain.length}
          note="a version, a condition or the vendor leaves a doubt"
        >
          {possible.length > 0 && <HitsTable caption="CVEs that possibly affect components" hits={possible} />}
          {uncertain.length > 0 && <ComponentList components={uncertain} note={describeUncertainty} />}
        </Group>
      )}
    </>
  )
}

function OtherGroups({ groups, answer, onChoose }: Pick<ResultsProps, 'answer' | 'onChoose'> & { groups: Groups }) {
  const { notCovered, notAffected, noAdvisory } = groups
  const skipped = answer.sbom?.components_skipped_total ?? 0
  return (
    <>
      {notCovered.length > 0 && (
        <Group
          id="not-covered"
          title="Not covered"
          count={answer.overview.by_verdict.not_covered}
          note="no complete and current database judges them, so they may be affected"
        >
          <UncoveredList groups={notCovered} onChoose={onChoose} />
        </Group>
      )}
      {answer.sbom && skipped > 0 && (
        <Group title="Skipped components" count={skipped} note="not checked">
          <SkippedList sbom={answer.sbom} />
          {skipped > answer.sbom.components_skipped.length && (
            <p className="border-t border-line px-3 py-2 text-xs text-ink-2">
              {`The service names the first ${answer.sbom.components_skipped.length} only.`}
            </p>
          )}
        </Group>
      )}
      {notAffected.length > 0 && (
        <Group
          id="not-affected"
          title="Not affected"
          count={notAffected.length}
          note="databases name them, and every statement excludes the version"
        >
          <ComponentList components={notAffected} />
        </Group>
      )}
      {noAdvisory.length > 0 && (
        <Group
          id="no-advisory"
          title="No known advisory"
          count={noAdvisory.length}
          note="complete and current databases do not name them"
        >
          <ComponentList components={noAdvisory} />
        </Group>
      )}
    </>
  )
}

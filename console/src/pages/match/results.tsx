// The result of a check: what was checked and what was found side by side, the fix plan, what remains, and the groups of
// components.
import { type ReactNode, type Ref, useMemo, useState } from 'react'
import { CHOICE, CHOICES } from '../../kit/controls/choices.ts'
import { formatNumber } from '../../text/format.ts'
import { ComponentList, type Product, SkippedList, UncoveredList } from './component-lists.tsx'
import { CoverageSummary, Judges } from './coverage/summary.tsx'
import { Group } from './group.tsx'
import { HitsTable } from './hits-table.tsx'
import { countFindings, listFindings } from './plan/findings.ts'
import { PlanOutcome } from './plan/outcome.tsx'
import { Remaining, Suppressed, Unranked } from './plan/remaining.tsx'
import { PlanTable } from './plan/table.tsx'
import { listUnplanned } from './plan/texts.ts'
import { Remarks, type RemarksProps } from './remarks.tsx'
import { type Answer, type Groups, groupAnswer } from './result.ts'
import { describeUncertainty } from './texts.ts'
import { UpgradesTable } from './upgrades-table.tsx'

interface ResultsProps extends RemarksProps {
  /** What was checked, such as the name of the file. */
  readonly subject: string
  /** Buttons that save the result or start another check. */
  readonly actions: ReactNode
  /** The answer about one CVE, before all others. */
  readonly cveAnswer: ReactNode
  /** A remark above the result, for example that the form has changed since. */
  readonly note: ReactNode
  /** Gets the focus when a result arrives. */
  readonly headingRef: Ref<HTMLHeadingElement>
  readonly onChoose: ((component: Answer['components'][number], product: Product) => void) | undefined
}

export function Results(props: ResultsProps) {
  const { answer, subject, actions, cveAnswer, note, headingRef, onChoose, confidence, onConfidence } = props
  const groups = useMemo(() => groupAnswer(answer), [answer])
  const findings = useMemo(() => listFindings(answer), [answer])
  return (
    <>
      <section
        aria-labelledby="result"
        className="space-y-3 rounded-[10px] border border-line bg-panel px-4 py-3.5 shadow-panel"
      >
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h2 id="result" ref={headingRef} tabIndex={-1} className="text-base font-semibold outline-none">
            Result
          </h2>
          <p className="min-w-0 text-sm break-all text-ink-2">{subject}</p>
          <div className="flex flex-wrap gap-2 sm:ml-auto">{actions}</div>
        </div>
        {cveAnswer}
        {note}
        <div className="grid gap-x-10 gap-y-5 border-t border-line pt-3.5 lg:grid-cols-2">
          <CoverageSummary answer={answer} groups={groups} />
          <PlanOutcome answer={answer} groups={groups} />
        </div>
        <Remarks answer={answer} confidence={confidence} onConfidence={onConfidence} />
      </section>
      <FixPlan answer={answer} groups={groups} />
      <div className="grid items-start gap-4 empty:hidden lg:grid-cols-2 [&>:only-child]:col-span-full">
        {answer.fix_plan.length > 0 && <Remaining findings={findings} total={countFindings(answer).remaining} />}
        <Unranked findings={findings} />
      </div>
      <Suppressed answer={answer} />
      <MatchGroups groups={groups} answer={answer} />
      <OtherGroups groups={groups} answer={answer} onChoose={onChoose} />
      <Judges answer={answer} />
    </>
  )
}

/** The plan by package, or all findings. */
function FixPlan({ answer, groups: { affected } }: { readonly answer: Answer; readonly groups: Groups }) {
  const hasPlan = answer.fix_plan.length > 0
  const [view, setView] = useState<'packages' | 'findings'>('packages')
  if (!hasPlan && affected.length === 0) return null
  const shown = hasPlan ? view : 'findings'
  const views = [
    { id: 'packages', label: `Packages ${formatNumber(answer.fix_plan.length)}` },
    { id: 'findings', label: `Affected hits ${formatNumber(affected.length)}` },
  ] as const
  return (
    <section aria-labelledby="plan" className="overflow-clip rounded-[10px] border border-line bg-panel shadow-panel">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 px-3 py-3 sm:px-4">
        <h2 id="plan" className="text-base font-semibold">
          Fix plan
        </h2>
        <p className="text-xs text-ink-3 max-sm:order-last max-sm:w-full">
          {hasPlan ? 'by package, the one that removes most urgency first' : 'no version with fewer CVEs is known'}
        </p>
        {hasPlan && (
          <fieldset className={`ml-auto ${CHOICES}`}>
            <legend className="sr-only">Show</legend>
            {views.map(({ id, label }) => (
              <button key={id} type="button" aria-pressed={view === id} onClick={() => setView(id)} className={CHOICE}>
                {label}
              </button>
            ))}
          </fieldset>
        )}
      </div>
      {shown === 'packages' ? (
        <PlanTable answer={answer} />
      ) : (
        <HitsTable caption="CVEs and advisories that affect components" hits={affected} />
      )}
    </section>
  )
}

function MatchGroups({ groups, answer }: { readonly groups: Groups; readonly answer: Answer }) {
  const { upgrades, possible, uncertain } = groups
  const unplanned = listUnplanned(answer, upgrades)
  return (
    <>
      {unplanned.length > 0 && (
        <Group
          id="affected"
          title="Affected, without a line in the plan"
          count={unplanned.length}
          note="no version with fewer or less urgent matches is known"
        >
          <UpgradesTable upgrades={unplanned} />
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
          title="Could not be judged"
          count={answer.overview.by_verdict.not_covered}
          note="no complete and current database names them, so they may be affected"
        >
          <UncoveredList groups={notCovered} onChoose={onChoose} />
        </Group>
      )}
      {answer.sbom && skipped > 0 && (
        <Group id="skipped" title="Skipped components" count={skipped} note="not checked">
          <SkippedList sbom={answer.sbom} />
          {skipped > answer.sbom.components_skipped.length && (
            <p className="border-t border-line px-3 py-2 text-xs text-ink-2 sm:px-4">
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

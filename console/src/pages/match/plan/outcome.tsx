// What to do: the headline of the plan, what is counted, and how much of it the plan resolves.
import { useId } from 'react'
import { formatNumber } from '../../../text/format.ts'
import type { Answer, Groups } from '../result.ts'
import { describeAffectedComponents } from '../texts.ts'
import { countFindings, type Finding, type FindingCounts, listFindings } from './findings.ts'
import { describeDoubt, describeKinds, describePlan, describeUnplanned, listUnplanned } from './texts.ts'

export function PlanOutcome({ answer, groups }: { readonly answer: Answer; readonly groups: Groups }) {
  const findings = listFindings(answer)
  const unplanned = describeUnplanned(listUnplanned(answer, groups.upgrades).length)
  return (
    <section aria-labelledby="outcome" className="min-w-0">
      <h3 id="outcome" className="text-xs font-medium text-ink-3">
        What was found
      </h3>
      <p className="mt-0.5 text-xl leading-7 font-semibold tracking-tight">{describePlan(answer)}</p>
      {findings.length > 0 && (
        <div className="mt-3">
          <OutcomeBar findings={findings} counts={countFindings(answer)} />
        </div>
      )}
      <p className="mt-2 text-sm text-ink-2">
        {[describeKinds(answer), describeAffectedComponents(answer.overview), unplanned].filter(Boolean).join(' ')}{' '}
        <span className="text-high">{describeDoubt(answer)}</span>
      </p>
    </section>
  )
}

const URGENT: readonly unknown[] = ['P0', 'P1']

interface OutcomeBarProps {
  /** The listed findings, which contain the most urgent ones. */
  readonly findings: readonly Finding[]
  readonly counts: FindingCounts
}

function OutcomeBar({ findings, counts }: OutcomeBarProps) {
  const hatchingId = useId()
  const urgent = findings.filter(({ goes, match }) => goes && URGENT.includes(match.priority_level)).length
  const parts = [
    { label: 'P0 and P1 go', count: urgent, className: 'fill-critical-solid' },
    { label: 'others go', count: counts.going - urgent, className: 'fill-accent' },
    { label: counts.remaining === 1 ? 'remains' : 'remain', count: counts.remaining, className: undefined },
  ].filter(({ count }) => count > 0)
  const starts = parts.map((_, index) => parts.slice(0, index).reduce((sum, { count }) => sum + count, 0))
  const percent = (count: number) => `${(count / counts.total) * 100}%`
  return (
    <>
      <svg aria-hidden className="block h-3 w-full overflow-hidden rounded">
        <defs>
          <pattern id={hatchingId} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="5" height="5" className="fill-soft" />
            <rect width="2" height="5" className="fill-line-strong" />
          </pattern>
        </defs>
        {parts.map(({ label, count, className }, index) => (
          <rect
            key={label}
            x={percent(starts[index] ?? 0)}
            width={percent(count)}
            height="100%"
            {...(className === undefined ? { fill: `url(#${hatchingId})` } : { className })}
          />
        ))}
      </svg>
      <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
        {parts.map(({ label, count, className }) => (
          <li key={label} className="inline-flex items-center gap-1.5">
            <svg aria-hidden className="size-2.5 overflow-hidden rounded-xs">
              <rect
                width="100%"
                height="100%"
                {...(className === undefined ? { fill: `url(#${hatchingId})` } : { className })}
              />
            </svg>
            {`${formatNumber(count)} ${label}`}
          </li>
        ))}
      </ul>
    </>
  )
}

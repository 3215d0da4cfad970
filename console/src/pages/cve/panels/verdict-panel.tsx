// The verdict: how urgent a CVE is, why, by when to act, and which sources state the inputs.
import type { ReactNode } from 'react'
import type { Cve, Level, Priority } from 'vis-sdk'
import { Badge, PriorityBadge } from '../../../kit/badge.tsx'
import { useNow } from '../../../kit/now.ts'
import { classNames } from '../../../text/class-names.ts'
import { describeDueDate, toDay } from '../../../text/days.ts'
import { findSourcedValue, type SourcedValueName } from '../model/statements.ts'
import {
  describeRemediation,
  explainDeadline,
  hasShorterDeadline,
  listInputs,
  titleDecision,
} from '../model/verdict.ts'
import { SourceChip } from '../parts/source-chip.tsx'
import { WhoSaysSo } from '../parts/who-says-so.tsx'

interface VerdictPanelProps {
  readonly cve: Cve
  readonly priority: Priority
}

const BORDERS: Readonly<Record<Level, string>> = {
  P0: 'border-l-critical',
  P1: 'border-l-high',
  P2: 'border-l-medium',
  unrated: 'border-l-medium',
  P3: 'border-l-low',
  P4: 'border-l-line-strong',
}

export function VerdictPanel({ cve, priority }: VerdictPanelProps) {
  const { level, policy_version, reasons } = priority
  return (
    <section
      aria-labelledby="verdict"
      className={classNames(
        'grid gap-x-6 gap-y-3 rounded-xl border border-l-4 border-line bg-panel px-4 py-3.5 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_20rem]',
        level && BORDERS[level],
      )}
    >
      <div>
        <h2 id="verdict" className="mb-2 flex flex-wrap items-center gap-2 text-sm font-semibold">
          Priority {level && <PriorityBadge level={level} />}
          <a href={POLICY_GUIDE} className="text-xs font-normal text-ink-2 underline underline-offset-2">
            by policy {policy_version}
          </a>
        </h2>
        <ul className="list-disc space-y-1 pl-5 marker:text-ink-3">
          {reasons.map((reason) => (
            <li key={reason} className="[overflow-wrap:anywhere]">
              {reason}
            </li>
          ))}
        </ul>
        <Inputs cve={cve} priority={priority} />
      </div>
      <div className="border-line max-lg:border-t max-lg:pt-3 lg:border-l lg:pl-6">
        <Deadlines kev={cve.kev} priority={priority} />
      </div>
    </section>
  )
}

/** The section of the guide that explains the levels. */
const POLICY_GUIDE = '/docs/guide/priority'

/** Other values that decide the level. Their buttons show who states them. */
const FURTHER_INPUTS: readonly SourcedValueName[] = ['kev', 'epss', 'exploits', 'severity']

function Inputs({ cve: { sources }, priority: { ssvc } }: VerdictPanelProps) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
      {ssvc &&
        listInputs(ssvc).map(({ name, label, text, source }) => (
          <span key={name} className="inline-flex flex-wrap items-center gap-1.5">
            <span className="text-ink-2">{label}</span>
            <span className="font-medium">{text}</span>
            {source && <SourceChip source={source} />}
            <WhoSaysSo sources={sources} name={name} />
          </span>
        ))}
      {FURTHER_INPUTS.some((name) => findSourcedValue(sources, name) !== undefined) && (
        <span className="inline-flex flex-wrap items-center gap-1.5">
          <span className="text-ink-2">Sources</span>
          {FURTHER_INPUTS.map((name) => (
            <WhoSaysSo key={name} sources={sources} name={name} isNamed />
          ))}
        </span>
      )}
    </div>
  )
}

interface DeadlinesProps {
  readonly kev: Cve['kev']
  readonly priority: Priority
}

function Deadlines({ kev, priority }: DeadlinesProps) {
  const { ssvc, deadline, estimate } = priority
  return (
    <>
      <h2 className="mb-2 text-sm font-semibold">Deadlines for US federal agencies (CISA BOD 26-04)</h2>
      <dl className={LIST}>
        {kev?.dueDate && (
          <Fact label="Due by KEV">
            <DueDate date={kev.dueDate} />
          </Fact>
        )}
        {deadline?.exposed && <Due label="Exposed asset" {...deadline.exposed} />}
        {deadline?.internal && <Due label="Internal asset" {...deadline.internal} />}
      </dl>
      <p className="mt-1 text-xs text-ink-2">{explainDeadline(priority, kev)}</p>
      {hasShorterDeadline(priority) && (
        <p className="mt-1 text-xs text-ink-2">
          The level is advice for everyone. The directive has rules of its own, so its days can be fewer.
        </p>
      )}
      {estimate && (
        <div className="mt-2 border-t border-line pt-2">
          <p className="mb-1 text-xs text-ink-3">Our estimate from derived values, not a deadline of the directive</p>
          <dl className={LIST}>
            {estimate.exposed && <Fact label="Exposed asset">{describeRemediation(estimate.exposed)}</Fact>}
            {estimate.internal && <Fact label="Internal asset">{describeRemediation(estimate.internal)}</Fact>}
          </dl>
        </div>
      )}
      {ssvc && (
        <dl className={`${LIST} mt-2 border-t border-line pt-2`}>
          <Fact label="SSVC">
            {titleDecision(ssvc)}
            <span className="block text-xs font-normal text-ink-2">
              CISA's decision tree, effect on the mission assumed to be {ssvc.mission}
            </span>
          </Fact>
        </dl>
      )}
    </>
  )
}

const LIST = 'grid grid-cols-[6.25rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm'

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{label}</dt>
      <dd className="font-medium">{children}</dd>
    </>
  )
}

interface DueProps {
  readonly label: string
  readonly days: number | null
  readonly forensic_triage: boolean
  readonly due_date?: string
}

function Due({ label, ...remediation }: DueProps) {
  return (
    <Fact label={label}>
      {describeRemediation(remediation)}
      {remediation.due_date && <DueDate date={remediation.due_date} />}
    </Fact>
  )
}

function DueDate({ date }: { readonly date: string }) {
  const due = describeDueDate(date, toDay(useNow()))
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {date} {due && <Badge tone={due.isOverdue ? 'critical' : 'high'}>{due.phrase}</Badge>}
    </span>
  )
}

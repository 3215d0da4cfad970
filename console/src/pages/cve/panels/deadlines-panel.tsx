// Deadlines of US federal agencies: the due date in KEV and the days of CISA's directive. Most accounts are not bound by
// them, so the section is folded until a person opens it; the browser remembers that.
import type { ReactNode } from 'react'
import type { Cve, Priority } from 'vis-sdk'
import { Badge } from '../../../kit/badge.tsx'
import { useNow } from '../../../kit/now.ts'
import { useRemembered } from '../../../kit/use-remembered.ts'
import { describeDueDate, toDay } from '../../../text/days.ts'
import { describeRemediation, explainDeadline, hasShorterDeadline } from '../model/verdict.ts'

/** Shown only if the CVE has a priority. */
export function DeadlinesPanel({ cve: { kev, priority } }: { readonly cve: Cve }) {
  const [isOpen, setIsOpen] = useRemembered('deadlines', false)
  if (!priority?.level) return null
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      className="rounded-[10px] border border-line bg-panel px-4 py-3 shadow-panel print:hidden"
    >
      <summary className="rounded text-sm font-semibold">
        Deadlines of US federal agencies <span className="text-xs font-normal text-ink-2">CISA BOD 26-04 and KEV</span>
      </summary>
      <div className="mt-2.5">
        <Deadlines kev={kev} priority={priority} />
      </div>
    </details>
  )
}

interface DeadlinesProps {
  readonly kev: Cve['kev']
  readonly priority: Priority
}

export function Deadlines({ kev, priority }: DeadlinesProps) {
  const { deadline, estimate } = priority
  return (
    <>
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

// The changes of the week by day, fifty more with each click.
import { useMemo, useState } from 'react'
import type { Change } from 'vis-sdk'
import { MAX_ROW_IDS, useRowFacts } from '../../data/row-facts.ts'
import { Button } from '../../kit/controls/button.tsx'
import { download } from '../../kit/download.ts'
import { Panel } from '../../kit/panel.tsx'
import { Loading } from '../../kit/states/loading.tsx'
import { formatNumber } from '../../text/format.ts'
import { formatLongDay } from '../../text/months.ts'
import { ChangeRow } from './change-row.tsx'
import { toCsv } from './csv.ts'
import { groupByDay } from './model.ts'
import type { Week } from './queries.ts'

interface ChangeListProps {
  readonly week: Week
  /** In the order in which they are shown. */
  readonly changes: readonly Change[]
  /** Whether all changes of the week were read. */
  readonly isComplete: boolean
}

export function ChangeList({ week, changes, isComplete }: ChangeListProps) {
  const [steps, setSteps] = useState(1)
  const shown = changes.slice(0, steps * MAX_ROW_IDS)
  const parts = useMemo(() => splitRows(shown), [shown])
  const save = () => download(`changes-${week.from}-${week.to}.csv`, toCsv(changes), 'csv')
  return (
    <Panel
      title="Changes"
      note={`${formatNumber(changes.length)}${isComplete ? '' : ' read so far, oldest first'}`}
      isFlush
      actions={<Button onClick={save}>Save as CSV</Button>}
    >
      {parts.map((part) => (
        <Rows key={part[0]?.seq} changes={part} />
      ))}
      {changes.length > shown.length && (
        <p className="flex flex-wrap items-center gap-3 border-t border-line px-3 py-2.5 text-xs text-ink-3 sm:px-4">
          <Button onClick={() => setSteps(steps + 1)}>Show more</Button>
          <span role="status">{`${formatNumber(shown.length)} of ${formatNumber(changes.length)} shown`}</span>
        </p>
      )}
    </Panel>
  )
}

/** Rows whose facts are read with one call. */
function splitRows(changes: readonly Change[]): readonly (readonly Change[])[] {
  const count = Math.ceil(changes.length / MAX_ROW_IDS)
  return Array.from({ length: count }, (_, index) => changes.slice(index * MAX_ROW_IDS, (index + 1) * MAX_ROW_IDS))
}

function Rows({ changes }: { readonly changes: readonly Change[] }) {
  const ids = useMemo(() => [...new Set(changes.flatMap(({ cve_id }) => cve_id ?? []))], [changes])
  const { facts, isReading } = useRowFacts(ids)
  // Names make rows higher, so the rows come with them.
  if (isReading) return <Loading label="Loading the changes" lines={MAX_ROW_IDS / 2} />
  return groupByDay(changes).map(({ day, changes: own }) => (
    <section key={day} aria-label={formatLongDay(day)}>
      <h3 className="flex justify-between border-y border-line bg-canvas px-3 py-1.5 text-xs font-semibold text-ink-2 sm:px-4">
        {formatLongDay(day)}
      </h3>
      <ul>
        {own.map((change) => (
          <ChangeRow key={change.seq} change={change} facts={facts?.get(change.cve_id ?? '')} />
        ))}
      </ul>
    </section>
  ))
}

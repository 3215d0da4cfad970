// The record as the service had it at the end of an earlier day, compared with today's.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import type { Cve } from 'vis-sdk'
import { Badge } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/controls/button.tsx'
import { CopyButton } from '../../../kit/controls/copy-button.tsx'
import { useNow } from '../../../kit/now.ts'
import { Panel } from '../../../kit/panel.tsx'
import { QueryState } from '../../../kit/states/query-state.tsx'
import { type Column, Table } from '../../../kit/tables/table.tsx'
import { toDay } from '../../../text/days.ts'
import { formatTime } from '../../../text/format.ts'
import { comparePast, type PastValue, summarizePast } from '../model/past-values.ts'
import { asOfQuery } from '../queries.ts'
import { useCveState } from '../use-cve-state.ts'

export function PastPanel({ cve }: { readonly cve: Cve }) {
  const [{ asOf }, change] = useCveState()
  return (
    <Panel title="As known on a day" note="at its end, in UTC">
      <DayForm key={asOf} day={asOf} onShow={(day) => change({ asOf: day })} />
      {asOf !== undefined && <Comparison cve={cve} day={asOf} />}
    </Panel>
  )
}

interface DayFormProps {
  readonly day: string | undefined
  readonly onShow: (day: string | undefined) => void
}

function DayForm({ day, onShow }: DayFormProps) {
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const value = new FormData(event.currentTarget).get('as_of')
    if (typeof value === 'string' && value !== '') onShow(value)
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2 text-sm">
      <label htmlFor={id} className="text-ink-2">
        Day
      </label>
      <input
        id={id}
        name="as_of"
        type="date"
        required
        max={toDay(useNow())}
        defaultValue={day}
        className="h-8 rounded-md border border-line-strong bg-panel px-2"
      />
      <Button type="submit">Show the record of that day</Button>
      {day !== undefined && (
        <Button variant="quiet" onClick={() => onShow(undefined)}>
          Close
        </Button>
      )}
    </form>
  )
}

function Comparison({ cve, day }: { readonly cve: Cve; readonly day: string }) {
  const query = useQuery(asOfQuery(cve.cve_id, day))
  return (
    <QueryState query={query} label={`Loading the record of ${day}`} lines={6}>
      {({ record, unknown, reconstructed, as_of, complete_since }) => {
        const values = comparePast({ record, unknown }, cve)
        return (
          <div className="mt-3">
            <div className="mb-1 flex flex-wrap items-center gap-2 text-sm">
              <p role="status">
                {formatTime(as_of)}: {summarizePast(values)}
              </p>
              <CopyButton text={() => JSON.stringify(record, null, 2)} label={`Copy the record of ${day} as JSON`}>
                Copy JSON
              </CopyButton>
            </div>
            <div className="-mx-3 text-sm">
              <Table
                caption={`Values on ${day} and today`}
                columns={listColumns(day)}
                rows={values}
                getKey={({ label }) => label}
              />
            </div>
            <p className="mt-2 text-xs text-ink-2">
              {complete_since === null
                ? 'Records are not kept yet.'
                : `Records are kept since ${formatTime(complete_since)}.`}
              {reconstructed.length > 0 && ' This one is put together from the histories that upstreams keep.'}
            </p>
          </div>
        )
      }}
    </QueryState>
  )
}

function listColumns(day: string): readonly Column<PastValue>[] {
  return [
    { id: 'label', header: 'Value', cell: ({ label }) => <span className="text-ink-2">{label}</span> },
    {
      id: 'past',
      header: day,
      cell: ({ past, isDifferent }) => (
        <span className="[overflow-wrap:anywhere]">
          {past} {isDifferent && <Badge tone="high">different</Badge>}
        </span>
      ),
    },
    {
      id: 'current',
      header: 'Today',
      cell: ({ current }) => <span className="[overflow-wrap:anywhere]">{current}</span>,
    },
  ]
}

// "Why was I not told?": asks a watch about one CVE.
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Watch, WatchExplanation } from 'vis-sdk'
import { PRICES } from 'vis-sdk/vocabulary'
import { client } from '../../data/client.ts'
import { Button } from '../../kit/controls/button.tsx'
import { SelectField, TextField } from '../../kit/controls/field.tsx'
import { FormError } from '../../kit/controls/form-error.tsx'
import { Panel } from '../../kit/panel.tsx'
import { classNames } from '../../text/class-names.ts'
import { parseCveIds } from '../../text/cve-id.ts'
import { formatDate } from '../../text/date-words.ts'
import { formatCredits, formatTime } from '../../text/format.ts'
import {
  describeChange,
  describeOutcome,
  type ExplainedChange,
  summariseExplanation,
} from '../../text/watch/explain.ts'

interface ExplainPanelProps {
  readonly watches: readonly Watch[]
  /** The watch that is asked about first. */
  readonly initial: string | undefined
}

export function ExplainPanel({ watches, initial }: ExplainPanelProps) {
  const [watchId, setWatchId] = useState(initial ?? watches[0]?.id ?? '')
  const [text, setText] = useState('')
  const [id] = parseCveIds(text)
  const explain = useMutation({
    mutationFn: async ({ watch, cveId }: { readonly watch: Watch; readonly cveId: string }) => ({
      watch,
      cveId,
      explanation: await client.explainWatch(watch.id, cveId),
    }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const watch = watches.find((each) => each.id === watchId)
    if (watch && id !== undefined) explain.mutate({ watch, cveId: id })
  }
  return (
    <Panel
      title="Why was I not told?"
      note={`asks a watch about one CVE, 30 days back; free here, ${formatCredits(PRICES.explainWatch)} with an API key`}
    >
      <form onSubmit={submit} className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
        <TextField
          label="CVE"
          placeholder="CVE-2024-3400"
          value={text}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
        />
        <SelectField
          label="Watch"
          value={watchId}
          options={watches.map((watch) => [watch.id, watch.name] as const)}
          onChange={({ target }) => setWatchId(target.value)}
        />
        <Button type="submit" className="sm:h-9" disabled={id === undefined || explain.isPending}>
          Explain
        </Button>
      </form>
      <FormError error={explain.error} />
      <div aria-live="polite">{explain.data && <Answer {...explain.data} />}</div>
    </Panel>
  )
}

interface AnswerProps {
  readonly watch: Watch
  readonly cveId: string
  readonly explanation: WatchExplanation
}

function Answer({ watch, cveId, explanation }: AnswerProps) {
  const { explained_changes: changes, examined_since: since, is_complete: isComplete } = explanation
  return (
    <div className="mt-4 space-y-3">
      <p className="rounded-lg bg-accent-soft px-3.5 py-2.5">
        <b>
          {cveId} in “{watch.name}”:
        </b>{' '}
        {summariseExplanation(explanation, watch.query)}
      </p>
      <ol className="ml-1.5 space-y-3 border-l-2 border-line pl-4">
        {changes.map((change) => (
          <Step key={change.position} change={change} query={watch.query} />
        ))}
      </ol>
      <p className="text-xs text-ink-3">
        {since === null ? 'No change is known.' : `Changes since ${formatDate(since)} were examined.`}
        {!isComplete && ' There are older ones, too.'}
      </p>
    </div>
  )
}

function Step({ change, query }: { readonly change: ExplainedChange; readonly query: string }) {
  const isTold = change.event_nr !== null
  return (
    <li className="relative">
      <span
        aria-hidden
        className={classNames(
          'absolute top-1.5 -left-5.25 size-2 rounded-full ring-3 ring-panel',
          isTold ? 'bg-good-solid' : change.matched_after ? 'bg-line-strong' : 'bg-high-solid',
        )}
      />
      <b>{formatTime(change.recorded_at)}</b> {describeChange(change)}
      <span className="block text-ink-2">
        {`Before: ${change.matched_before ? 'in the search' : 'not in the search'}. After: ${change.matched_after ? 'in the search' : 'not in the search'}. `}
        {describeOutcome(change, query)}{' '}
        {isTold && (
          <Link
            to="/inbox"
            search={{ event: String(change.event_nr) }}
            className="text-accent underline underline-offset-2"
          >
            The event
          </Link>
        )}
      </span>
    </li>
  )
}

// Every revision of the CVE's states. Those that apply now are shown below the verdict.
import { useQuery } from '@tanstack/react-query'
import type { CveTriage } from 'vis-sdk'
import { useActorNames } from '../../../data/actor-names.ts'
import { cveTriageQuery } from '../../../data/triage.ts'
import { Panel } from '../../../kit/panel.tsx'
import { QueryState } from '../../../kit/states/query-state.tsx'
import { Statements } from '../../../kit/triage/entry-list.tsx'
import { StateShape } from '../../../kit/triage/state-chip.tsx'
import { formatTime } from '../../../text/format.ts'
import { describeActor, describeScope, TRIAGE_WORDS } from '../../../text/triage.ts'

export function TriagePanel({ id }: { readonly id: string }) {
  const query = useQuery(cveTriageQuery(id))
  return (
    <Panel title="What your account decided">
      <QueryState query={query} label="Loading the states" lines={2}>
        {(triage) => <Triage triage={triage} />}
      </QueryState>
    </Panel>
  )
}

function Triage({ triage: { triage_entries: entries, revisions, truncated } }: { readonly triage: CveTriage }) {
  const names = useActorNames(revisions.length > 0)
  if (revisions.length === 0) return <p className="text-sm text-ink-2">No state was ever set.</p>
  return (
    <div className="space-y-3">
      {entries.length === 0 && <p className="text-sm text-ink-2">No state now.</p>}
      <section>
        <h3 className="mb-1 text-xs font-medium text-ink-3">All changes, the newest first</h3>
        <ol className="divide-y divide-line-2">
          {revisions.map((revision) => (
            <li
              key={`${revision.scope} ${revision.version_range} ${revision.revision}`}
              className="grid gap-x-4 py-1.5 text-sm sm:grid-cols-[11rem_minmax(0,1fr)]"
            >
              <span className="text-ink-3">{formatTime(revision.set_at)}</span>
              <span className="min-w-0 break-words">
                <span className="inline-flex items-center gap-1.5 font-medium">
                  {revision.state === null ? (
                    'Removed'
                  ) : (
                    <>
                      <StateShape state={revision.state} /> {TRIAGE_WORDS[revision.state].label}
                    </>
                  )}
                </span>{' '}
                <span className="text-xs text-ink-2">
                  {`${describeScope(revision)}, by ${describeActor(revision.set_by, names)}`}
                  {revision.until_day !== null && `, until ${revision.until_day}`}
                </span>
                <Statements {...revision} />
              </span>
            </li>
          ))}
        </ol>
        {truncated && <p className="text-xs text-ink-3">Older changes are not listed.</p>}
      </section>
    </div>
  )
}

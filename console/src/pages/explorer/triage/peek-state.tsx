// What the account decided about the CVE in the preview.
import type { TriageEntry } from 'vis-sdk'
import { Button } from '../../../kit/controls/button.tsx'
import { EntryList } from '../../../kit/triage/entry-list.tsx'

interface PeekStateProps {
  readonly entries: readonly TriageEntry[]
  /** Undefined if the person may not change states. */
  readonly onChange: (() => void) | undefined
}

export function PeekState({ entries, onChange }: PeekStateProps) {
  return (
    <section aria-label="State">
      <div className="mb-1 flex items-center justify-between gap-2">
        <h3 className="text-xs font-medium text-ink-3">State</h3>
        {onChange && (
          <Button onClick={onChange} className="h-7">
            {entries.length === 0 ? 'Set state' : 'Change state'}
          </Button>
        )}
      </div>
      {entries.length === 0 ? <p className="text-sm text-ink-2">Not decided yet.</p> : <EntryList entries={entries} />}
    </section>
  )
}

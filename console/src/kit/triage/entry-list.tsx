// What an account decided about a CVE: the state in each scope, who set it, why, and what it does.
import type { TriageEntry } from 'vis-sdk'
import { formatDay } from '../../text/format.ts'
import {
  describeActor,
  describeEffect,
  describeScope,
  JUSTIFICATION_WORDS,
  sortEntries,
  TRIAGE_WORDS,
} from '../../text/triage.ts'
import { StateShape } from './state-chip.tsx'

interface EntryListProps {
  readonly entries: readonly TriageEntry[]
  /** Names of members by id. */
  readonly names?: ReadonlyMap<string, string>
}

export function EntryList({ entries, names }: EntryListProps) {
  return (
    <ul className="space-y-2">
      {sortEntries(entries).map((entry) => (
        <li key={`${entry.scope} ${entry.version_range}`} className="text-sm break-words">
          <span className="flex flex-wrap items-center gap-x-2">
            <span className="inline-flex items-center gap-1.5 font-medium">
              <StateShape state={entry.state} /> {TRIAGE_WORDS[entry.state].label}
            </span>
            <span className="text-xs text-ink-3">
              {`${describeScope(entry)}, by ${describeActor(entry.set_by, names)}, ${formatDay(entry.set_at)}`}
              {entry.effect === 'shown' && entry.until_day !== null && `, until ${entry.until_day}`}
            </span>
          </span>
          <Effect entry={entry} />
          <Statements {...entry} />
        </li>
      ))}
    </ul>
  )
}

function Effect({ entry }: { readonly entry: TriageEntry }) {
  const effect = describeEffect(entry)
  if (effect === undefined) return null
  return (
    <span className={entry.effect === 'reopened' ? 'block text-xs text-high' : 'block text-xs text-ink-2'}>
      {effect}
    </span>
  )
}

type Statements = Pick<TriageEntry, 'justification' | 'impact_statement' | 'action_statement' | 'note'>

/** The reasons of a state, each on a line of its own. */
export function Statements({ justification, impact_statement, action_statement, note }: Statements) {
  const texts = [
    justification && JUSTIFICATION_WORDS[justification],
    impact_statement,
    action_statement,
    note && `Note: ${note}`,
  ]
  return texts.flatMap((text) =>
    text
      ? [
          <span key={text} className="block text-xs break-words text-ink-2">
            {text}
          </span>,
        ]
      : [],
  )
}

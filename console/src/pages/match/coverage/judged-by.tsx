import type { MatchedComponent } from 'vis-sdk'
import { formatDay } from '../../../text/format.ts'
import { titleDataset } from '../../../text/source-names.ts'
import { describeState } from './coverage.ts'

/** The databases that judged a component, each with the day of its data, and whether it is incomplete or stale. */
export function JudgedBy({ component: { coverage } }: { readonly component: MatchedComponent }) {
  if (coverage.length === 0) return <p className="text-xs text-ink-3">No database judges it.</p>
  return (
    <ul className="flex flex-wrap gap-x-3 text-xs text-ink-3">
      {coverage.map((each) => {
        const state = describeState(each)
        return (
          <li key={each.source}>
            {titleDataset(each.source)}
            {each.as_of !== null && ` ${formatDay(each.as_of)}`}
            {state !== '' && <span className="text-high">{`, ${state}`}</span>}
          </li>
        )
      })}
    </ul>
  )
}

// What a list cannot find, in a line of its own above it: a person who reads only the number of results would take a part
// for the whole.
import { useQuery } from '@tanstack/react-query'
import { facetQuery } from '../facets/use-facets.ts'
import type { FilterProps } from '../filter-controls.tsx'
import { toFilters } from '../request.ts'
import { describeUnscored, dropScoreFilters } from './omissions.ts'
import { useUrgentRecord } from './urgent-record.ts'

export function OmittedLine({ state, setState, isKnown }: FilterProps & { readonly isKnown: boolean }) {
  const urgent = useUrgentRecord(state)
  const without = dropScoreFilters(state)
  const isAsked = isKnown && without !== undefined
  // With the filter by severity alone, the facet of the severity reads the same counts.
  const { data, isPlaceholderData } = useQuery({
    ...facetQuery('severity', toFilters(without ?? state)),
    enabled: isAsked,
  })
  const count = isPlaceholderData ? undefined : data?.none
  return (
    <>
      {urgent !== undefined && <p className="text-sm text-ink">{urgent}</p>}
      {without !== undefined && count !== 0 && (
        <p className="text-sm text-ink">
          {describeUnscored(count)}{' '}
          <button
            type="button"
            onClick={() => setState(without)}
            className="rounded text-accent underline underline-offset-2"
          >
            Include them, without the filter by score
          </button>
        </p>
      )}
    </>
  )
}

// What a list cannot find, in a line of its own above it: a person who reads only the number of results would take a part
// for the whole.
import { useQuery } from '@tanstack/react-query'
import { facetQuery } from '../facets/use-facets.ts'
import type { FilterProps } from '../filter-controls.tsx'
import { toFilters } from '../request.ts'
import { describeUnscored, dropScoreFilters } from './omissions.ts'

interface OmittedLineProps extends FilterProps {
  /** About the days of a filter that were not recorded. */
  readonly urgent: string | undefined
}

export function OmittedLine({ state, setState, urgent }: OmittedLineProps) {
  const without = dropScoreFilters(state)
  // With the filter by severity alone, the facet of the severity reads the same counts.
  const { data, isPlaceholderData } = useQuery({
    ...facetQuery('severity', toFilters(without ?? state)),
    enabled: without !== undefined,
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

// Names that resemble unknown ones in the filters, for a list without results.
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { UnknownName } from 'vis-sdk'
import { formatNumber } from '../../text/format.ts'
import { describeValue, FACET_NAMES, FACETS, type FacetName } from '../../text/search/facet-specs.ts'
import { chooseValue, listChosen } from './facets/choose.ts'
import { suggestionsQuery } from './facets/use-suggestions.ts'
import { findSimilar, isSameName, type SimilarName } from './find-similar.ts'
import { type ExplorerState, toSearch } from './state.ts'

/** Limited because each name needs a read. */
const MAX_NAMES = 3

interface SimilarNamesProps {
  readonly state: ExplorerState
  /** Unknown products and vendors, which the list itself names. */
  readonly unknownNames: readonly UnknownName[]
}

/** Suggests which name a person may have meant, as a link to the list with that name. */
export function SimilarNames({ state, unknownNames }: SimilarNamesProps) {
  const read = useSimilarNames(state)
  return [...findSimilar(state, unknownNames), ...read].map(({ name, value, similar }) => {
    const search = toSearch(chooseValue(chooseValue(state, name, value, false), name, similar.value, true))
    return (
      <p key={`${name} ${value}`} className="mb-1">
        {`No ${FACETS[name].title.toLowerCase()} is called “${value}”. Did you mean `}
        <Link to="/cves" search={search} className="text-accent underline underline-offset-2">
          {describeValue(name, similar.value)}
        </Link>
        {`, which ${formatNumber(similar.count)} ${similar.count === 1 ? 'CVE has' : 'CVEs have'}?`}
      </p>
    )
  })
}

/** Reads names that resemble those of weaknesses, techniques and assigners. */
function useSimilarNames(state: ExplorerState): readonly SimilarName[] {
  const given = FACET_NAMES.flatMap((name) => listNames(state, name)).slice(0, MAX_NAMES)
  const results = useQueries({ queries: given.map(({ kind, value }) => suggestionsQuery(kind, value)) })
  return given.flatMap(({ name, value }, index) => {
    const names = results[index]?.data ?? []
    const [similar] = names
    return !similar || names.some((each) => isSameName(each.value, value)) ? [] : [{ name, value, similar }]
  })
}

function listNames(state: ExplorerState, name: FacetName) {
  const { names } = FACETS[name]
  const isInList = name === 'product' || name === 'product_vendor'
  return names && !isInList ? listChosen(state, name).map((value) => ({ name, kind: names.kind, value })) : []
}

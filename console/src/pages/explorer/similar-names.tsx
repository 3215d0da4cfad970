// Names that resemble those in the filters, for a list without results.
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../text/format.ts'
import { chooseValue, listChosen } from './facets/choose.ts'
import { describeValue, FACET_NAMES, FACETS, type FacetName } from './facets/specs.ts'
import { suggestionsQuery } from './facets/use-suggestions.ts'
import { type ExplorerState, toSearch } from './state.ts'

/** Limited because each name needs a read. */
const MAX_NAMES = 3

/** Suggests which name a person may have meant, as a link to the list with that name. */
export function SimilarNames({ state }: { readonly state: ExplorerState }) {
  const given = FACET_NAMES.flatMap((name) => listNames(state, name)).slice(0, MAX_NAMES)
  const results = useQueries({ queries: given.map(({ kind, value }) => suggestionsQuery(kind, value)) })
  return given.map(({ name, value }, index) => {
    const names = results[index]?.data ?? []
    const [similar] = names
    if (!similar || names.some((each) => isSameName(each.value, value))) return null
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

function listNames(state: ExplorerState, name: FacetName) {
  const { names } = FACETS[name]
  return names ? listChosen(state, name).map((value) => ({ name, kind: names.kind, value })) : []
}

function isSameName(one: string, other: string): boolean {
  const normalise = (text: string) => text.toLowerCase().replaceAll(/\s/gu, '_')
  return normalise(one) === normalise(other)
}

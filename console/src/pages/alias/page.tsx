// The CVEs that an advisory covers.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type AliasCves, isVisError } from 'vis-sdk'
import { client } from '../../data/client.ts'
import { buttonClasses } from '../../kit/controls/button.tsx'
import { CveLink } from '../../kit/cve-link.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { findAdvisoryUrl, findIssuer } from '../../text/alias.ts'
import { formatNumber } from '../../text/format.ts'

/** Maximum number of ids that the list of CVEs accepts. */
const MAX_IDS = 50

const aliasQuery = (alias: string) =>
  queryOptions({ queryKey: ['alias', alias], queryFn: ({ signal }) => client.alias(alias, { signal }) })

export function AliasPage() {
  const { alias = '' } = useParams({ strict: false })
  const query = useQuery(aliasQuery(alias))
  const issuer = findIssuer(alias)
  return (
    <Page title={query.data?.alias ?? alias} note={issuer && `advisory of ${issuer}`}>
      <Panel>
        {isVisError(query.error) && query.error.status === 404 ? (
          <UnknownAlias alias={alias} />
        ) : (
          <QueryState query={query} label={`Loading the CVEs of ${alias}`}>
            {(found) => <Found found={found} />}
          </QueryState>
        )}
      </Panel>
    </Page>
  )
}

function Found({ found: { alias, cve_ids: ids } }: { readonly found: AliasCves }) {
  const url = findAdvisoryUrl(alias)
  const first = ids.slice(0, MAX_IDS)
  return (
    <>
      <p className="mb-3 text-sm text-ink-2">
        {ids.length === 1 ? 'One CVE has this id.' : `${formatNumber(ids.length)} CVEs have this id.`}{' '}
        {url && (
          <a href={url} target="_blank" rel="noopener noreferrer" className="text-accent underline underline-offset-2">
            Read the advisory<span className="sr-only"> (opens in a new tab)</span>
          </a>
        )}
      </p>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-x-4 gap-y-1">
        {ids.map((id) => (
          <li key={id}>
            <CveLink id={id} />
          </li>
        ))}
      </ul>
      {ids.length > 1 && (
        <p className="mt-4">
          <Link to="/cves" search={{ ids: first.join(','), sort: 'priority_desc' }} className={buttonClasses()}>
            {`Rank ${ids.length > MAX_IDS ? `the first ${MAX_IDS}` : 'them'} by priority`}
          </Link>
        </p>
      )}
    </>
  )
}

function UnknownAlias({ alias }: { readonly alias: string }) {
  return (
    <Empty title={`No CVE is known by the id ${alias.slice(0, 104)}`}>
      <p>The advisory may name no CVE, or its CVEs may not be in the catalog.</p>
      <p className="mt-3 flex flex-wrap justify-center gap-2">
        <Link to="/cves" search={{ q: alias }} className={buttonClasses()}>
          Search for this text
        </Link>
      </p>
    </Empty>
  )
}

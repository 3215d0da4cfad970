// The audit log of the account: who changed what and when, newest first.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { AuditEntry } from 'vis-sdk'
import { client } from '../../data/client.ts'
import { keysQuery, membersQuery } from '../../data/queries.ts'
import { viewsQuery } from '../../data/views.ts'
import { Button, buttonClasses } from '../../kit/controls/button.tsx'
import { EmailText } from '../../kit/email-text.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { ErrorState } from '../../kit/states/error-state.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { type Column, Table } from '../../kit/tables/table.tsx'
import { formatTime } from '../../text/format.ts'
import { describeAction, describeActor, type Names } from './describe-entry.ts'
import { AuditFilterBar, useAuditFilters } from './filter-bar.tsx'

export function AuditPage() {
  const [filters, setFilters] = useAuditFilters()
  const query = useInfiniteQuery({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam, signal }) =>
      client.audit({ ...filters, ...(pageParam ? { after: pageParam } : {}), signal }).page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  })
  const names = useNames()
  return (
    <Page
      title="Audit log"
      actions={
        <a href={`/console/api/v1/audit/export?${toQuery(filters)}`} download="audit.csv" className={buttonClasses()}>
          Export CSV
        </a>
      }
    >
      <p className="max-w-prose text-sm text-ink-2">
        Every change of keys, origins, members, the plan and shared views, and every decision about a CVE, newest first.
        Entries cannot be changed or deleted.
      </p>
      <AuditFilterBar filters={filters} names={names} onChange={setFilters} />
      <Panel isFlush>
        <QueryState query={query} label="Loading the audit log" lines={8}>
          {({ pages }) => (
            <Entries
              entries={pages.flatMap(({ items }) => items)}
              names={names}
              isFiltered={Object.keys(filters).length > 0}
            />
          )}
        </QueryState>
        {query.data && query.error && <ErrorState error={query.error} onRetry={() => void query.fetchNextPage()} />}
        {query.hasNextPage && !query.error && (
          <p className="border-t border-line px-3 py-2.5">
            <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {query.isFetchingNextPage ? 'Loading more' : 'Load more'}
            </Button>
          </p>
        )}
      </Panel>
    </Page>
  )
}

const toQuery = (filters: object) =>
  new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)])).toString()

interface EntriesProps {
  readonly entries: readonly AuditEntry[]
  readonly names: Names
  readonly isFiltered: boolean
}

function Entries({ entries, names, isFiltered }: EntriesProps) {
  const columns: readonly Column<AuditEntry>[] = [
    {
      id: 'at',
      header: 'When',
      cell: ({ time }) => formatTime(time),
      className: 'w-px whitespace-nowrap max-sm:hidden',
    },
    {
      id: 'actor',
      header: 'Who',
      // An e-mail address may break anywhere, so that the cell needs a width of its own.
      cell: (entry) => (
        <span className="block min-w-44 lg:min-w-60">
          <EmailText text={describeActor(entry.actor, names)} />
        </span>
      ),
      className: 'max-sm:hidden sm:max-w-72',
    },
    { id: 'action', header: 'What', cell: (entry) => <What entry={entry} names={names} />, className: 'w-full' },
  ]
  if (entries.length === 0)
    return <Empty title={isFiltered ? 'No change matches these filters' : 'Nothing has been changed yet'} />
  return <Table caption="Changes of the account" columns={columns} rows={entries} getKey={({ id }) => id} />
}

function What({ entry, names }: { readonly entry: AuditEntry; readonly names: Names }) {
  const { text, facts } = describeAction(entry, names)
  return (
    <>
      <span className="block text-xs text-ink-3 sm:hidden">{formatTime(entry.time)}</span>
      <span className="[overflow-wrap:anywhere]">
        <span className="font-medium sm:hidden">
          <EmailText text={describeActor(entry.actor, names)} />{' '}
        </span>
        {text}
      </span>
      {facts.length > 0 && (
        <span className="block text-xs text-ink-3 [overflow-wrap:anywhere]">
          {facts.map(([name, value], index) => (
            <Fragment key={name}>
              {index > 0 && ' · '}
              {name}: {value}
            </Fragment>
          ))}
        </span>
      )}
    </>
  )
}

/** Returns the names of keys, members and views. If they are missing, for example after a failed read, entries show ids. */
function useNames(): Names {
  const { data: keys = [] } = useQuery(keysQuery)
  const { data: members = [] } = useQuery(membersQuery)
  const { data: views } = useQuery(viewsQuery)
  return {
    keys: new Map(keys.map(({ id, name, last_four }) => [id, name ?? `…${last_four}`])),
    members: new Map(members.map(({ id, email }) => [id, email])),
    views: new Map(views?.views.map(({ id, name }) => [id, name])),
  }
}

// The inbox: what the watches told, by day and CVE, and one event beside the list.
import { Link, useNavigate } from '@tanstack/react-router'
import { BellPlus, Check } from 'lucide-react'
import { useRef } from 'react'
import { isVisError } from 'vis-sdk'
import { useUnread } from '../../data/watch/use-unread.ts'
import { Button } from '../../kit/controls/button.tsx'
import { describeChangeError } from '../../kit/controls/form-error.tsx'
import { useKeys } from '../../kit/keys.ts'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { ErrorState } from '../../kit/states/error-state.tsx'
import { Loading } from '../../kit/states/loading.tsx'
import { classNames } from '../../text/class-names.ts'
import { formatNumber } from '../../text/format.ts'
import { FilterBar } from './filter-bar.tsx'
import { ItemList } from './item-list.tsx'
import { OpenItem } from './open-item.tsx'
import { type Inbox, isUnread, useInbox } from './use-inbox.ts'

export function InboxPage() {
  const inbox = useInbox()
  const { mark, current, opened } = inbox
  const listRef = useRef<HTMLDivElement>(null)
  useListKeys(inbox, listRef)
  return (
    <Page title="Inbox" note={<UnreadNote />} actions={<MarkAll inbox={inbox} />}>
      <div className={classNames(opened && 'max-xl:hidden')}>
        <FilterBar inbox={inbox} />
      </div>
      <div role="status" className="text-sm text-ink-2 empty:hidden">
        {mark.error ? `The mark could not be moved. ${describeChangeError(mark.error)}` : null}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <div
          ref={listRef}
          className={classNames(
            'min-h-96 overflow-hidden rounded-[10px] border border-line bg-panel shadow-panel',
            opened && 'max-xl:hidden',
          )}
        >
          <List inbox={inbox} />
        </div>
        {/* A wide window shows the first event beside the list. */}
        {current && (
          <div className={classNames('min-w-0 xl:sticky xl:top-16', !opened && 'max-xl:hidden')}>
            <OpenItem
              key={current.key}
              item={current}
              inbox={inbox}
              isRead={!isUnread(current, mark)}
              onRead={() => mark.markUpTo(current.nr)}
            />
          </div>
        )}
      </div>
      <Missing inbox={inbox} />
    </Page>
  )
}

function MarkAll({ inbox: { query, mark } }: { readonly inbox: Inbox }) {
  const newest = query.data?.pages[0]?.newest_nr
  if (mark.nr === undefined || newest === undefined) return null
  return (
    <Button disabled={newest <= mark.nr || mark.isMarking} onClick={() => mark.markUpTo(newest)}>
      <Check aria-hidden size={14} /> Mark all read
    </Button>
  )
}

/** An address can name an event that is too old, or that other filters hide. */
function Missing({ inbox: { state, opened, query, setState } }: { readonly inbox: Inbox }) {
  if (state.event === undefined || opened || query.data === undefined) return null
  return (
    <p className="text-sm text-ink-2">
      The event in the address is not among those that are loaded.{' '}
      <button type="button" className="text-accent underline" onClick={() => setState({ event: undefined })}>
        Show the list
      </button>
    </p>
  )
}

function UnreadNote() {
  const unread = useUnread()
  if (!unread) return null
  const { count, hasMore } = unread
  return (
    <span className={count > 0 ? 'rounded-[5px] bg-accent-soft px-1.75 py-0.5 text-xs text-accent' : 'text-xs'}>
      {count === 0 ? 'nothing unread' : `${hasMore ? 'more than ' : ''}${formatNumber(count)} unread`}
    </span>
  )
}

/** Moves through the lines, and opens the CVE of one. Their other keys belong to the event that is shown. */
function useListKeys({ items, current, setState }: Inbox, listRef: React.RefObject<HTMLElement | null>): void {
  const navigate = useNavigate()
  const move = (step: 1 | -1) => {
    const at = current ? items.indexOf(current) : -1
    const next = items[at + step]
    if (!next) return
    setState({ event: next.nr })
    listRef.current?.querySelector(`[data-item="${next.nr}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const open = () => {
    const cveId = current?.cveId
    if (cveId) void navigate({ to: '/cves/$cveId', params: { cveId } })
  }
  useKeys('Inbox', [
    { keys: 'j', label: 'Next event', run: () => move(1) },
    { keys: 'k', label: 'Event before', run: () => move(-1) },
    { keys: 'o', label: 'Open the CVE', run: open },
  ])
}

function List({ inbox }: { readonly inbox: Inbox }) {
  const { query, days, items, state, current, mark, newerCount, setState } = inbox
  if (isVisError(query.error) && query.error.status === 403 && query.data === undefined)
    return (
      <Empty title="This key may not read the events">
        The key with which you signed in lacks the scope watch. Sign in as a member of the account, or with a key that
        has it.
      </Empty>
    )
  if (query.data === undefined)
    return query.error ? (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Loading label="Loading the events" lines={12} />
    )
  if (mark.isLoading) return <Loading label="Loading the events" lines={12} />
  return (
    <>
      {newerCount > 0 && (
        <button
          type="button"
          onClick={() => {
            setState({ event: undefined })
            void query.refetch()
          }}
          className="block w-full bg-accent-soft px-4 py-2 text-sm font-medium text-accent hover:underline"
        >
          {newerCount === 1 ? '1 new event' : `${formatNumber(newerCount)} new events`}. Show
        </button>
      )}
      {items.length === 0 ? (
        <NoItems inbox={inbox} />
      ) : (
        <ItemList days={days} state={state} current={current} mark={mark} />
      )}
      <Foot inbox={inbox} />
    </>
  )
}

function NoItems({ inbox: { state, watches } }: { readonly inbox: Inbox }) {
  const isFiltered =
    state.show !== 'all' || state.watch !== undefined || state.team !== undefined || state.on.length > 0
  if (isFiltered)
    return (
      <Empty title={state.show === 'unread' ? 'Nothing unread' : 'No event with these filters'}>
        {state.show === 'unread' ? 'You have read what the watches told.' : 'Choose other filters to see more.'}
      </Empty>
    )
  if (watches.length > 0)
    return (
      <Empty title="Nothing happened yet">
        Your watches tell what happens from the moment they are made. As soon as a CVE enters one, it is here.
      </Empty>
    )
  return (
    <Empty title="Nothing is watched yet">
      <p>
        A watch is a search that tells when a CVE enters it, or when something happens to a CVE in it. What it tells
        comes here.
      </p>
      <p className="mt-3">
        <Link to="/watches" className="inline-flex items-center gap-1.5 text-accent underline underline-offset-2">
          <BellPlus aria-hidden size={15} /> Watch something
        </Link>
      </p>
    </Empty>
  )
}

function Foot({ inbox: { query, items, state, mark } }: { readonly inbox: Inbox }) {
  const oldest = query.data?.pages.at(-1)?.watch_events.at(-1)?.nr
  // All unread events are newer than the mark.
  const hasOlder = query.hasNextPage && (state.show !== 'unread' || (oldest ?? 0) > (mark.nr ?? 0))
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3 py-2 text-xs text-ink-3 sm:px-4">
      {hasOlder && (
        <Button
          variant="quiet"
          className="h-7 px-2 text-xs text-accent"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Older
        </Button>
      )}
      {!hasOlder && items.length > 0 && state.show !== 'unread' && <span>These are all events that are kept.</span>}
    </div>
  )
}

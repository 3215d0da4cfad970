// What changed in a week: by kind and day, then one line for each change with its old and new values.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useMemo } from 'react'
import type { Change } from 'vis-sdk'
import { TYPES_WORDS } from 'vis-sdk/vocabulary'
import { Button, buttonClasses } from '../../kit/controls/button.tsx'
import { useNow } from '../../kit/now.ts'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { ErrorState } from '../../kit/states/error-state.tsx'
import { Loading } from '../../kit/states/loading.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { toDay } from '../../text/days.ts'
import { capitalise, formatNumber } from '../../text/format.ts'
import { formatLongDay, formatShortDay, shiftDay } from '../../text/months.ts'
import { ChangeList } from './change-list.tsx'
import { FilterBar } from './filter-bar.tsx'
import { buildStrip, describeCauses } from './model.ts'
import { type Counts, changesQuery, countsQuery, type Week } from './queries.ts'
import { type ChangesState, type ChangeType, hasFilter, IMPORTANT_TYPES, parseState, toSearch } from './state.ts'
import { Strip } from './strip.tsx'

const WEEK_DAYS = 7

export function ChangesPage() {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = useMemo(() => parseState(search), [search])
  const today = toDay(useNow())
  const to = state.week !== undefined && state.week < today ? state.week : today
  const week = { from: shiftDay(to, 1 - WEEK_DAYS), to }
  const setState = (next: ChangesState) => void navigate({ to: '/changes', search: toSearch(next), resetScroll: false })
  return (
    <Page
      title="Changes"
      note={`${formatShortDay(week.from)} to ${formatLongDay(week.to)}`}
      actions={<WeekLinks state={state} week={week} today={today} />}
    >
      <FilterBar state={state} setState={setState} />
      <WeekOfChanges week={week} state={state} isNewest={to === today} />
    </Page>
  )
}

interface WeekLinksProps {
  readonly state: ChangesState
  readonly week: Week
  readonly today: string
}

function WeekLinks({ state, week, today }: WeekLinksProps) {
  const next = shiftDay(week.to, WEEK_DAYS)
  const link = (to: string) => ({ to: '/changes', search: toSearch({ ...state, week: to >= today ? undefined : to }) })
  return (
    <>
      <Link {...link(shiftDay(week.to, -WEEK_DAYS))} className={buttonClasses()}>
        <ChevronLeft aria-hidden size={16} /> Week before
      </Link>
      {week.to < today && (
        <Link {...link(next)} className={buttonClasses()}>
          Week after <ChevronRight aria-hidden size={16} />
        </Link>
      )}
    </>
  )
}

interface WeekOfChangesProps {
  readonly week: Week
  readonly state: ChangesState
  readonly isNewest: boolean
}

function WeekOfChanges({ week, state, isNewest }: WeekOfChangesProps) {
  const query = useInfiniteQuery(changesQuery(week, state))
  const counts = useQuery(countsQuery(week, isNewest))
  const changes = useMemo(() => {
    const read = query.data?.pages.flatMap((page) => page.changes) ?? []
    return query.hasNextPage ? read : read.toReversed()
  }, [query.data, query.hasNextPage])
  // The counts stand between the two lists, so the lists come with them. A read that fails does not hold them up.
  const isCounting = counts.isLoading && counts.failureCount === 0
  const begins = query.data?.pages[0]?.begins
  return (
    <>
      <Panel title="The week by kind" isFlush>
        {isCounting ? (
          <Loading label="Loading the changes of the week" lines={6} />
        ) : (
          <QueryState query={query} label="Loading the changes of the week" lines={6}>
            {() => <WeekStrip changes={changes} begins={begins} week={week} state={state} />}
          </QueryState>
        )}
        {counts.data && !hasFilter(state) && <Others counts={counts.data} state={state} />}
      </Panel>
      {changes.length > 0 && !isCounting && (
        <ChangeList
          key={JSON.stringify(toSearch(state))}
          week={week}
          changes={changes}
          isComplete={!query.hasNextPage}
        />
      )}
      {query.data && query.error && <ErrorState error={query.error} onRetry={() => void query.fetchNextPage()} />}
      {query.hasNextPage && !query.error && (
        <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {query.isFetchingNextPage ? 'Reading more' : 'Read more changes of this week'}
        </Button>
      )}
    </>
  )
}

interface WeekStripProps {
  readonly changes: readonly Change[]
  /** Set if the recording began after the first day of the week. */
  readonly begins: string | undefined
  readonly week: Week
  readonly state: ChangesState
}

function WeekStrip({ changes, begins, week, state }: WeekStripProps) {
  const isFiltered = hasFilter(state)
  const isEmpty = changes.length === 0
  return (
    <>
      {begins !== undefined && (!isEmpty || isFiltered) && (
        <p className="px-3 pb-2 text-sm text-ink-2 sm:px-4">
          {`This service records changes since ${formatLongDay(begins.slice(0, 10))}. What changed before is not known.`}
        </p>
      )}
      {isEmpty ? (
        <NoChanges begins={begins} week={week} isFiltered={isFiltered} />
      ) : (
        <Strip rows={buildStrip(changes, week, state)} week={week} state={state} />
      )}
    </>
  )
}

interface NoChangesProps {
  /** Set if the recording began after the first day of the week. */
  readonly begins: string | undefined
  readonly week: Week
  readonly isFiltered: boolean
}

function NoChanges({ begins, week, isFiltered }: NoChangesProps) {
  if (isFiltered) return <Empty title="No such change in this week">Remove a filter, or look at another week.</Empty>
  if (begins === undefined) return <Empty title="No such change in this week">Look at another week or kind.</Empty>
  const day = begins.slice(0, 10)
  const link = 'text-accent underline underline-offset-2'
  return (
    <Empty
      title={
        day > week.to
          ? `This service has recorded changes since ${formatLongDay(day)}, after this week`
          : `No such change since recording began on ${formatLongDay(day)}`
      }
    >
      What changed before is not known. The additions to KEV by day are on{' '}
      <Link to="/" className={link}>
        Today
      </Link>{' '}
      and on the page{' '}
      <Link to="/kev" className={link}>
        Exploited (KEV)
      </Link>
      .
    </Empty>
  )
}

interface OthersProps {
  readonly counts: Counts
  readonly state: ChangesState
}

/** The kinds that are not shown, with all their changes of the week, and what is no news about a CVE. */
function Others({ counts: { by_type, by_cause }, state }: OthersProps) {
  const shown: readonly ChangeType[] = state.types.length === 0 ? IMPORTANT_TYPES : state.types
  // The cast is safe: the keys of the table are the types.
  const others = (Object.keys(TYPES_WORDS) as ChangeType[]).flatMap((type) => {
    const number = by_type[type] ?? 0
    return shown.includes(type) || number === 0 ? [] : [{ type, number }]
  })
  const causes = describeCauses(by_cause)
  if (others.length === 0 && causes.length === 0) return null
  return (
    <div className="space-y-1 border-t border-line px-3 py-2.5 text-xs text-ink-3 sm:px-4">
      {others.length > 0 && (
        <p className="flex flex-wrap gap-x-3 gap-y-1">
          <span>Also in this week, of every cause:</span>
          {others.map(({ type, number }) => (
            <Link
              key={type}
              to="/changes"
              search={toSearch({ ...state, types: [type] })}
              className="text-accent hover:underline"
            >
              {`${capitalise(TYPES_WORDS[type])} ${formatNumber(number)}`}
            </Link>
          ))}
          {state.types.length > 0 && (
            <Link
              to="/changes"
              search={toSearch({ ...state, types: [] })}
              className="font-semibold text-accent hover:underline"
            >
              Important kinds
            </Link>
          )}
        </p>
      )}
      {causes.map((sentence) => (
        <p key={sentence}>{sentence}.</p>
      ))}
    </div>
  )
}

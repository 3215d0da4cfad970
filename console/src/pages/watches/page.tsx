// The watches of the account: what each finds now, and what it told.
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { WatchPage } from 'vis-sdk'
import { listTeams } from '../../data/watch/use-watch-form.ts'
import { Button } from '../../kit/controls/button.tsx'
import { FilterSelect } from '../../kit/controls/filter-select.tsx'
import { FormError } from '../../kit/controls/form-error.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { formatNumber } from '../../text/format.ts'
import { ExplainPanel } from './explain-panel.tsx'
import type { ReadyWatch } from './ready.ts'
import { ReadyWatches } from './ready-watches.tsx'
import { useWatchesPage } from './use-watches-page.ts'
import { WatchTable } from './watch-table.tsx'
import { describeEvaluated } from './watch-words.ts'

/** Loaded when one is opened for the first time. */
const WatchDialogs = lazy(async () => ({ default: (await import('./watch-dialogs.tsx')).WatchDialogs }))

export function WatchesPage() {
  const page = useWatchesPage()
  const { state, show, names, mayChange, dialog, setDialog } = page
  return (
    <Page
      title="Watches"
      note="Tell me when something I care about changes"
      actions={
        <>
          <FilterSelect
            label="Team"
            all="All teams"
            value={state.team}
            options={listTeams(names).map((team) => [team, team])}
            unknown={state.team ?? ''}
            onChange={(team) => show({ team })}
          />
          {mayChange && (
            <Button variant="primary" onClick={() => setDialog({ kind: 'choose' })}>
              <Plus aria-hidden size={14} /> New watch
            </Button>
          )}
        </>
      }
    >
      <div role="status" className="text-sm text-ink-2 empty:hidden">
        {page.message}
      </div>
      {page.error && <FormError error={page.error} />}
      <Panel isFlush>
        <QueryState query={page.query} label="Loading the watches" lines={8}>
          {() => <Watches page={page} />}
        </QueryState>
      </Panel>
      {names.length > 0 && <ExplainPanel key={state.ask} watches={names} initial={state.ask} />}
      {dialog && (
        <Suspense>
          <WatchDialogs
            dialog={dialog}
            onDialog={setDialog}
            onDone={page.finish}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
    </Page>
  )
}

function Watches({ page }: { readonly page: ReturnType<typeof useWatchesPage> }) {
  const { query, state, watches, first, mayChange, setDialog } = page
  if (watches.length === 0)
    return <NoWatches team={state.team} mayChange={mayChange} onChoose={(watch) => setDialog({ kind: 'new', watch })} />
  return (
    <>
      <WatchTable watches={watches} mayChange={mayChange} onAction={page.act} />
      {query.hasNextPage && (
        <p className="border-t border-line-2 px-4 py-2 text-center">
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            More watches
          </Button>
        </p>
      )}
      {first && <Foot page={first} shown={watches.length} isOneTeam={state.team !== undefined} />}
    </>
  )
}

interface NoWatchesProps {
  readonly team: string | undefined
  readonly mayChange: boolean
  readonly onChoose: (watch: Pick<ReadyWatch, 'name' | 'query' | 'kinds'>) => void
}

function NoWatches({ team, mayChange, onChoose }: NoWatchesProps) {
  if (team !== undefined) return <Empty title={`No watch is for the team “${team}”`} />
  if (!mayChange)
    return (
      <Empty title="There is no watch yet">
        A watch is a search that tells when a CVE enters it, or when something happens to a CVE in it. An admin or owner
        of the account can make one.
      </Empty>
    )
  return (
    <div className="mx-auto max-w-3xl px-4 py-8">
      <p className="text-center font-medium">Watch something, and be told when it changes</p>
      <p className="mx-auto mt-1 mb-5 max-w-prose text-center text-sm text-ink-2">
        A watch is a search that tells when a CVE enters it, or when something happens to a CVE in it. What it tells
        comes to the{' '}
        <Link to="/inbox" className="text-accent underline underline-offset-2">
          inbox
        </Link>
        , from now on.
      </p>
      <ReadyWatches onChoose={onChoose} />
    </div>
  )
}

interface FootProps {
  readonly page: WatchPage
  readonly shown: number
  /** Whether only the watches of one team are listed. */
  readonly isOneTeam: boolean
}

function Foot({ page: { max_watches: limit, pagination, evaluated }, shown, isOneTeam }: FootProps) {
  const isAll = !pagination.hasMore && !isOneTeam
  return (
    <div className="flex flex-wrap justify-between gap-x-4 gap-y-1 border-t border-line px-3 py-2 text-xs text-ink-3 sm:px-4">
      <span>
        {isAll
          ? `${shown} of ${formatNumber(limit)} watches in your plan. `
          : `Your plan has ${formatNumber(limit)} watches. `}
        Events are free.
      </span>
      <span>{describeEvaluated(evaluated)}</span>
    </div>
  )
}

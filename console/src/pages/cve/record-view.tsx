// The record of a CVE: title, summary, and the panels in two columns.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Cve, DetailRecord } from 'vis-sdk'
import { Button } from '../../kit/controls/button.tsx'
import { Panel } from '../../kit/panel.tsx'
import { describeSource } from '../../text/source-names.ts'
import { AliasesPanel } from './panels/aliases-panel.tsx'
import { ConfigurationsPanel } from './panels/configurations-panel.tsx'
import { FixesPanel } from './panels/fixes-panel.tsx'
import { ProductsPanel } from './panels/products-panel.tsx'
import { JsonPanel, ProgramPanel } from './panels/program-panel.tsx'
import { ReferencesPanel } from './panels/references-panel.tsx'
import { ScorePanel } from './panels/score-panel.tsx'
import { EpssPanel, NoticesPanel, SsvcPanel, TechniquesPanel, WeaknessesPanel } from './panels/side-panels.tsx'
import { SourcesPanel } from './panels/sources-panel.tsx'
import { DescriptionText, SummaryPanel } from './panels/summary-panel.tsx'
import { TimelinePanel } from './panels/timeline-panel.tsx'
import { VerdictPanel } from './panels/verdict-panel.tsx'
import { WhoSaysSo } from './parts/who-says-so.tsx'
import { isRejected, TitleLine } from './title-line.tsx'

type DetailQuery = Pick<UseQueryResult<DetailRecord | null>, 'data' | 'error' | 'refetch'>

/** Panels about the history of the CVE, each with its own reads. */
interface HistoryPanels {
  readonly epss: ReactNode
  readonly changes: ReactNode
}

interface RecordViewProps {
  readonly cve: Cve
  readonly detail: DetailQuery
  readonly history: HistoryPanels
  /** Names of data sets of which nothing was ever stored. */
  readonly neverLoaded?: readonly string[]
}

export function RecordView({ cve, detail: query, history, neverLoaded = [] }: RecordViewProps) {
  const detail = query.data ?? undefined
  return (
    <div className="space-y-4">
      <TitleLine cve={cve} />
      {isRejected(cve) && <RejectedNote cve={cve} />}
      {cve.priority?.level && <VerdictPanel cve={cve} priority={cve.priority} />}
      {isRejected(cve) ? <Description cve={cve} /> : <SummaryPanel cve={cve} detail={detail} />}
      {query.error && query.data === undefined && <MissingDetail onRetry={() => void query.refetch()} />}
      {isRejected(cve) ? (
        <RejectedColumns cve={cve} changes={history.changes} />
      ) : (
        <Columns
          cve={cve}
          detail={detail}
          pending={describePending(query)}
          history={history}
          neverLoaded={neverLoaded}
        />
      )}
      <ProgramPanel id={cve.cve_id} />
      <JsonPanel cve={cve} />
    </div>
  )
}

/** Returns why there is no detail record yet, or undefined if it has been read or does not exist. */
function describePending({ data, error }: DetailQuery): string | undefined {
  if (data !== undefined) return undefined
  return error ? 'The detail record could not be read.' : 'Reading …'
}

interface ColumnsProps {
  readonly cve: Cve
  readonly detail: DetailRecord | undefined
  readonly pending: string | undefined
  readonly history: HistoryPanels
  readonly neverLoaded: readonly string[]
}

const GRID = 'grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]'

function Columns({ cve, detail, pending, history, neverLoaded }: ColumnsProps) {
  return (
    <div className={GRID}>
      <div className="min-w-0 space-y-4">
        <ProductsPanel cve={cve} detail={detail} pending={pending} />
        <TimelinePanel cve={cve} />
        {history.epss}
        <ScorePanel cve={cve} />
        <ConfigurationsPanel cve={cve} />
        <ReferencesPanel cve={cve} />
        {history.changes}
      </div>
      <aside
        aria-label="Further facts"
        className="min-w-0 gap-4 *:mb-4 *:break-inside-avoid *:last:mb-0 md:max-xl:columns-2"
      >
        <EpssPanel cve={cve} isNeverLoaded={neverLoaded.includes('epss')} />
        <FixesPanel cve={cve} detail={detail} pending={pending} />
        {!cve.priority?.ssvc && <SsvcPanel cve={cve} />}
        <WeaknessesPanel cve={cve} detail={detail} />
        <TechniquesPanel cve={cve} />
        <NoticesPanel cve={cve} isNeverLoaded={neverLoaded.includes('acsc')} />
        <AliasesPanel cve={cve} />
        <SourcesPanel cve={cve} />
      </aside>
    </div>
  )
}

/** A rejected id is not a vulnerability. Its page shows only what the sources still say about it. */
function RejectedColumns({ cve, changes }: { readonly cve: Cve; readonly changes: ReactNode }) {
  return (
    <div className={GRID}>
      <div className="min-w-0 space-y-4">
        <ReferencesPanel cve={cve} />
        {changes}
      </div>
      <SourcesPanel cve={cve} />
    </div>
  )
}

function RejectedNote({ cve }: { readonly cve: Cve }) {
  const [decided] = cve.sources?.status?.stated_by ?? []
  return (
    <div className="rounded-xl border border-line-strong bg-soft px-4 py-3 text-sm">
      <p className="font-semibold">This id was rejected. Do not use it.</p>
      <p className="mt-0.5 text-ink-2">
        It does not stand for a vulnerability{decided ? `, according to ${describeSource(decided.source)}` : ''}. The
        description below says why.
      </p>
    </div>
  )
}

function Description({ cve }: { readonly cve: Cve }) {
  return (
    <Panel title="Description" actions={<WhoSaysSo sources={cve.sources} name="description" />}>
      <DescriptionText cve={cve} />
    </Panel>
  )
}

function MissingDetail({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-panel px-4 py-3 text-sm"
    >
      <span className="text-ink-2">Fixed versions could not be read. The rest is complete.</span>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

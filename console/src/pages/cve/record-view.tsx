// The record of a CVE: the verdict, the timeline, and the rest in tabs.
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useRef } from 'react'
import type { Cve } from 'vis-sdk'
import { useKeys } from '../../kit/keys.ts'
import { Loading } from '../../kit/states/loading.tsx'
import { VerdictCard } from '../../kit/verdict/verdict-card.tsx'
import { joinWords } from '../../text/join-words.ts'
import { isRejected } from '../../text/verdict/facts.ts'
import { chooseFixWord } from '../../text/verdict/fix-word.ts'
import { nameCve } from '../../text/verdict/title.ts'
import { ListBar } from './list-bar.tsx'
import { buildMatrix } from './matrix/matrix.ts'
import { AliasesPanel } from './panels/aliases-panel.tsx'
import { DescriptionPanel } from './panels/description-panel.tsx'
import { FixesPanel } from './panels/fixes-panel.tsx'
import { CopyJsonButton } from './panels/program-panel.tsx'
import { ReferencesPanel } from './panels/references-panel.tsx'
import { ExploitsTab } from './tabs/exploits-tab.tsx'
import { FixTab } from './tabs/fix-tab.tsx'
import { TabList } from './tabs/tab-list.tsx'
import { TimelinePanel } from './timeline/panel.tsx'
import { StateSlot } from './triage/state-slot.tsx'
import { BellSlot } from './watch/bell-slot.tsx'

/** Loaded after the verdict, which says most. */
const TriageState = lazy(async () => ({ default: (await import('./triage/state.tsx')).TriageState }))
const WatchBell = lazy(async () => ({ default: (await import('./watch/bell.tsx')).WatchBell }))
const CurrentTriagePanel = lazy(async () => ({
  default: (await import('./triage/current-panel.tsx')).CurrentTriagePanel,
}))
/** Loaded with their tabs. */
const TriagePanel = lazy(async () => ({ default: (await import('./triage/panel.tsx')).TriagePanel }))
const SourcesTab = lazy(async () => ({ default: (await import('./tabs/sources-tab.tsx')).SourcesTab }))
const HistoryTab = lazy(async () => ({ default: (await import('./tabs/history-tab.tsx')).HistoryTab }))

interface RecordViewProps {
  readonly cve: Cve
  /** Names of data sets of which nothing was ever stored. */
  readonly neverLoaded?: readonly string[]
  /** What is missing of the data sets with records of most CVEs. */
  readonly gaps?: readonly string[]
}

export function RecordView({ cve, neverLoaded = [], gaps = [] }: RecordViewProps) {
  const ref = useRef<HTMLDivElement>(null)
  // The button reports whether the browser allowed the copy, so the key presses the button.
  useKeys('CVE', [
    {
      keys: 'c',
      label: 'Copy the sentence',
      run: () => ref.current?.querySelector<HTMLButtonElement>('[data-verdict] [data-copy]')?.click(),
    },
  ])
  const name = nameCve(cve)
  return (
    <div ref={ref} className="space-y-4">
      <title>{`${cve.cve_id}${name === undefined ? '' : ` ${name}`} · Vulnerability Intelligence`}</title>
      <ListBar id={cve.cve_id} />
      <VerdictCard
        cve={cve}
        state={
          <>
            <Suspense fallback={<StateSlot />}>
              <TriageState cve={cve} slot={<StateSlot />} />
            </Suspense>
            <Suspense fallback={<BellSlot />}>
              <WatchBell cveId={cve.cve_id} slot={<BellSlot />} />
            </Suspense>
          </>
        }
        actions={<CopyJsonButton cve={cve} />}
        isEpssLoaded={!neverLoaded.includes('epss')}
      />
      <Suspense>
        <CurrentTriagePanel id={cve.cve_id} />
      </Suspense>
      {isRejected(cve) ? (
        <>
          <DescriptionPanel cve={cve} />
          <TabList tabs={listSharedTabs(cve)} />
        </>
      ) : (
        <>
          <TimelinePanel cve={cve} />
          <SourceGaps cve={cve} gaps={gaps} />
          <TabList
            tabs={{
              fix: {
                content: <FixTab cve={cve} />,
                printed: <FixesPanel cve={cve} />,
                ...countFixes(cve),
              },
              exploits: { content: <ExploitsTab cve={cve} neverLoaded={neverLoaded} />, count: countExploits(cve) },
              ...listSharedTabs(cve),
            }}
          />
        </>
      )}
    </div>
  )
}

/** Where the record has no score, product or fix, what is not loaded can be the reason. */
function SourceGaps({ cve, gaps }: { readonly cve: Cve; readonly gaps: readonly string[] }) {
  const isWhole = cve.severity !== null && cve.cpe.length > 0 && (cve.fixes?.length ?? 0) > 0
  if (isWhole || gaps.length === 0) return null
  return (
    <p className="text-sm text-ink-2">
      {`What no loaded source says can be missing here: ${joinWords(gaps)}. `}
      <Link to="/status" className="text-accent underline underline-offset-2">
        Status of the data
      </Link>
    </p>
  )
}

/** What the tab's name says: entries of KEV catalogs and reports of attacks are no exploits. */
function countExploits({ exploits }: Cve): number | undefined {
  if (exploits === undefined) return undefined
  const { kev: _kev, ssvc: _ssvc, vendor: _vendor, ...others } = exploits.counts
  return Object.values(others).reduce((sum, count) => sum + count, 0)
}

/** A number of 0 would contradict a source that says that a fix exists. */
function countFixes(cve: Cve): { readonly count?: number; readonly note?: string } {
  const word = chooseFixWord(cve)
  if (word === 'exists') return { note: word }
  return { count: (cve.fixes?.length ?? 0) + (cve.fixes_omitted ?? 0) }
}

/** Tabs that a rejected CVE has as well: it is no vulnerability, but sources still say something about it. */
function listSharedTabs(cve: Cve) {
  const { differing } = buildMatrix(cve)
  return {
    sources: {
      content: (
        <Suspense fallback={<Loading label="Loading the sources" lines={12} />}>
          <SourcesTab cve={cve} />
        </Suspense>
      ),
      ...(differing > 0 && { warning: `${differing} ${differing === 1 ? 'value differs' : 'values differ'}` }),
    },
    references: {
      content: (
        <>
          <ReferencesPanel cve={cve} />
          <AliasesPanel cve={cve} />
        </>
      ),
      count: cve.references.length,
    },
    history: {
      content: (
        <Suspense>
          <TriagePanel id={cve.cve_id} />
          <HistoryTab cve={cve} />
        </Suspense>
      ),
    },
  }
}

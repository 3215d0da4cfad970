// The record of a CVE: the verdict, the timeline, and the rest in tabs.
import { lazy, Suspense, useRef } from 'react'
import type { Cve } from 'vis-sdk'
import { useKeys } from '../../kit/keys.ts'
import { VerdictCard } from '../../kit/verdict/verdict-card.tsx'
import { isRejected } from '../../text/verdict/facts.ts'
import { nameCve } from '../../text/verdict/title.ts'
import { ListBar } from './list-bar.tsx'
import { buildMatrix } from './matrix/matrix.ts'
import { SourceMatrix } from './matrix/panel.tsx'
import { AliasesPanel } from './panels/aliases-panel.tsx'
import { DescriptionPanel } from './panels/description-panel.tsx'
import { FixesPanel } from './panels/fixes-panel.tsx'
import { CopyJsonButton, JsonPanel, ProgramPanel } from './panels/program-panel.tsx'
import { ReferencesPanel } from './panels/references-panel.tsx'
import { ScorePanel } from './panels/score-panel.tsx'
import { ExploitsTab } from './tabs/exploits-tab.tsx'
import { FixTab } from './tabs/fix-tab.tsx'
import { TabList } from './tabs/tab-list.tsx'
import { TimelinePanel } from './timeline/panel.tsx'
import { StateSlot } from './triage/state-slot.tsx'

/** Loaded after the verdict, which says most. */
const TriageState = lazy(async () => ({ default: (await import('./triage/state.tsx')).TriageState }))
const CurrentTriagePanel = lazy(async () => ({
  default: (await import('./triage/current-panel.tsx')).CurrentTriagePanel,
}))
/** Loaded with the tab. */
const TriagePanel = lazy(async () => ({ default: (await import('./triage/panel.tsx')).TriagePanel }))
const HistoryTab = lazy(async () => ({ default: (await import('./tabs/history-tab.tsx')).HistoryTab }))

interface RecordViewProps {
  readonly cve: Cve
  /** Names of data sets of which nothing was ever stored. */
  readonly neverLoaded?: readonly string[]
}

export function RecordView({ cve, neverLoaded = [] }: RecordViewProps) {
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
          <Suspense fallback={<StateSlot />}>
            <TriageState cve={cve} slot={<StateSlot />} />
          </Suspense>
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
          <TabList
            tabs={{
              fix: {
                content: <FixTab cve={cve} />,
                printed: <FixesPanel cve={cve} />,
                count: (cve.fixes?.length ?? 0) + (cve.fixes_omitted ?? 0),
              },
              exploits: { content: <ExploitsTab cve={cve} neverLoaded={neverLoaded} />, count: countEvidence(cve) },
              ...listSharedTabs(cve),
            }}
          />
        </>
      )}
    </div>
  )
}

function countEvidence({ exploits }: Cve): number | undefined {
  return exploits && Object.values(exploits.counts).reduce((sum, count) => sum + count, 0)
}

/** Tabs that a rejected CVE has as well: it is no vulnerability, but sources still say something about it. */
function listSharedTabs(cve: Cve) {
  const { differing } = buildMatrix(cve)
  return {
    sources: {
      content: (
        <>
          <SourceMatrix cve={cve} />
          {!isRejected(cve) && <ScorePanel cve={cve} />}
          <ProgramPanel id={cve.cve_id} />
          <JsonPanel cve={cve} />
        </>
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

// The start page: new urgent CVEs, additions to KEV, EPSS movers, the newest critical CVEs, the freshness of the data,
// and this month's credits.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { KevEntry, ListedCve } from 'vis-sdk'
import { Badge, PriorityBadge, SeverityBadge } from '../../kit/badge.tsx'
import { CveLink } from '../../kit/cve-link.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { formatDay, formatProbability } from '../../text/format.ts'
import { findScoreVersion } from '../../text/severity.ts'
import { toSummary } from '../../text/summary.ts'
import { Credits } from './credits.tsx'
import { Freshness } from './freshness.tsx'
import { MoversPanel } from './movers.tsx'
import { newCriticalQuery, newKevQuery, newUrgentQuery } from './queries.ts'

const LINK = 'text-sm text-accent hover:underline'

export function OverviewPage() {
  const urgent = useQuery(newUrgentQuery)
  const kev = useQuery(newKevQuery)
  const critical = useQuery(newCriticalQuery)
  return (
    <Page title="Overview">
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_17rem] lg:items-stretch">
        <Freshness />
        <Credits />
      </div>
      <div className="grid gap-4 xl:grid-cols-2 xl:items-start">
        <Panel
          title="New P0 and P1"
          note="act now or this week, newest first"
          isFlush
          actions={
            <Link to="/cves" search={{ priority: 'P0,P1' }} className={LINK}>
              All P0 and P1
            </Link>
          }
        >
          <QueryState query={urgent} label="Loading urgent CVEs" lines={8}>
            {(cves) => <List items={cves.map(toCveItem)} empty="No CVE is urgent" />}
          </QueryState>
        </Panel>
        <Panel
          title="New in KEV"
          note="known to be exploited, newest first"
          isFlush
          actions={
            <Link to="/kev" className={LINK}>
              Board by due date
            </Link>
          }
        >
          <QueryState query={kev} label="Loading new KEV entries" lines={8}>
            {(entries) => <List items={entries.map(toKevItem)} empty="The KEV catalog is empty" />}
          </QueryState>
        </Panel>
        <MoversPanel />
        <Panel
          title="Newest critical CVEs"
          note="score 9.0 and above"
          isFlush
          actions={
            <Link to="/cves" search={{ severity: 'critical' }} className={LINK}>
              All critical CVEs
            </Link>
          }
        >
          <QueryState query={critical} label="Loading critical CVEs" lines={8}>
            {(cves) => <List items={cves.map(toCveItem)} empty="There is no critical CVE" />}
          </QueryState>
        </Panel>
      </div>
    </Page>
  )
}

interface Item {
  readonly cveId: string
  readonly text: string
  readonly marks: ReactNode
}

function toKevItem({ cveId, vulnerabilityName, ...entry }: KevEntry): Item {
  return {
    cveId,
    // The name of the vulnerability contains the product.
    text: vulnerabilityName,
    marks: (
      <>
        {entry.knownRansomware && <Badge tone="critical">Ransomware</Badge>}
        <span>added {formatDay(entry.dateAdded)}</span>
        {entry.dueDate && <span>due {entry.dueDate}</span>}
      </>
    ),
  }
}

type NewCve = ListedCve<'cve_id' | 'description' | 'severity' | 'cvss' | 'published' | 'epss' | 'kev' | 'priority'>

function toCveItem({ cve_id, description, severity, cvss, published, epss, kev, priority }: NewCve): Item {
  return {
    cveId: cve_id,
    text: toSummary(description) || 'No description yet.',
    marks: (
      <>
        {priority?.level && <PriorityBadge level={priority.level} />}
        <SeverityBadge score={severity} version={findScoreVersion(cvss)} />
        {kev && <Badge tone="high">in KEV</Badge>}
        {epss && <span>EPSS {formatProbability(epss.score)}</span>}
        {published && <span>{formatDay(published)}</span>}
      </>
    ),
  }
}

function List({ items, empty }: { readonly items: readonly Item[]; readonly empty: string }) {
  if (items.length === 0) return <Empty title={empty} />
  return (
    <ul>
      {items.map(({ cveId, text, marks }) => (
        <li key={cveId} className="border-t border-line px-4 py-2 hover:bg-soft/60">
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 sm:flex-nowrap">
            <CveLink id={cveId} />
            <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-xs text-ink-3 sm:ml-auto sm:shrink-0">
              {marks}
            </span>
          </div>
          <p title={text.slice(0, 600)} className="line-clamp-1 text-sm text-ink-2">
            {text}
          </p>
        </li>
      ))}
    </ul>
  )
}

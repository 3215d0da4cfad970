// The header of the page: id, status, score, exploitation, probability, tags and dates.
import type { Cve } from 'vis-sdk'
import { Badge, PriorityBadge, SeverityBadge } from '../../kit/badge.tsx'
import { classNames } from '../../text/class-names.ts'
import { formatDay, formatProbability } from '../../text/format.ts'
import { describeSource } from '../../text/source-names.ts'
import { findCurrentEuKevEntry } from './model/kev-catalogs.ts'
import { listRatings } from './model/ratings.ts'
import { CopyJsonButton } from './panels/program-panel.tsx'
import { WhoSaysSo } from './parts/who-says-so.tsx'

export function isRejected({ status }: Pick<Cve, 'status'>): boolean {
  return status.toLowerCase() === 'rejected'
}

export function TitleLine({ cve }: { readonly cve: Cve }) {
  const { cve_id, kev, published, modified, source_tag, sources, enrichment } = cve
  const count = enrichment?.vendor_tags.length ?? 0
  return (
    <header>
      <title>{`${cve_id} · Vulnerability Intelligence`}</title>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1
          className={classNames(
            'text-[1.375rem] leading-tight font-semibold tracking-tight',
            isRejected(cve) && 'text-ink-2 line-through',
          )}
        >
          {cve_id}
        </h1>
        {/* On narrow pages the badges get their own lines, so that the button stays next to the id. */}
        <div className="max-xl:order-last max-xl:w-full">
          <Badges cve={cve} />
        </div>
        <div className="ml-auto flex flex-wrap gap-2">
          <CopyJsonButton cve={cve} />
        </div>
      </div>
      {kev?.vulnerabilityName && <p className="mt-1 font-medium">{kev.vulnerabilityName}</p>}
      <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-2">
        <span className="inline-flex items-center gap-1.5">
          <Dated label="Published" time={published} />
          <WhoSaysSo sources={sources} name="published" />
        </span>
        <span className="inline-flex items-center gap-1.5">
          <Dated label="Modified" time={modified} />
          <WhoSaysSo sources={sources} name="modified" />
        </span>
        <span>
          Main record: <span title={source_tag}>{describeSource(source_tag)}</span>
          {count > 1 && `, ${count} sources have a record`}
        </span>
      </div>
    </header>
  )
}

function Dated({ label, time }: { readonly label: string; readonly time: string | null }) {
  return (
    <span className="whitespace-nowrap">
      {label} {time === null ? 'on an unknown day' : <time dateTime={time}>{formatDay(time)}</time>}
    </span>
  )
}

const TAGS: Readonly<Record<string, string>> = {
  disputed: 'Disputed: the vendor or others doubt that it is a vulnerability',
  'unsupported-when-assigned': 'The product was no longer supported when the id was assigned',
  'exclusively-hosted-service': 'Affects a hosted service only: the provider fixes it',
}

const TAG_WORDS: Readonly<Record<string, string>> = {
  disputed: 'Disputed',
  'unsupported-when-assigned': 'Unsupported product',
  'exclusively-hosted-service': 'Hosted service',
}

function Badges({ cve }: { readonly cve: Cve }) {
  const { status, severity, kev, epss, enrichment, tags = [], sources } = cve
  if (isRejected(cve)) {
    return (
      <div className="flex flex-wrap items-center gap-1.5">
        <Badge>Rejected</Badge>
        <WhoSaysSo sources={sources} name="status" />
      </div>
    )
  }
  const [leading] = listRatings(cve)
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {cve.priority?.level && <PriorityBadge level={cve.priority.level} />}
      <span className="inline-flex items-center gap-1.5">
        <span className="sr-only">Severity:</span>
        <SeverityBadge score={severity} version={leading?.version} />
        {/* The statements about the leading CVSS version include those of sources that disagree. */}
        <WhoSaysSo sources={sources} name={leading?.valueName ?? 'severity'} />
      </span>
      {kev && <Badge tone="critical">In KEV{kev.knownRansomware && ' · Ransomware'}</Badge>}
      {!kev && findCurrentEuKevEntry(cve) && <Badge tone="critical">In EU KEV</Badge>}
      {enrichment?.exploit_flag && <Badge tone="high">Exploit public</Badge>}
      {epss && (
        <Badge tone={findEpssTone(epss.score)}>
          EPSS {formatProbability(epss.score)}
          <span className="font-normal max-2xl:hidden">percentile {formatProbability(epss.percentile)}</span>
        </Badge>
      )}
      {tags.map((tag) => (
        <Badge key={tag} tone="medium" title={TAGS[tag] ?? tag}>
          {TAG_WORDS[tag] ?? tag}
        </Badge>
      ))}
      <span className="inline-flex items-center gap-1.5">
        <Badge>
          <span className="font-normal">Status</span> {status}
        </Badge>
        <WhoSaysSo sources={sources} name="status" />
      </span>
    </div>
  )
}

function findEpssTone(score: number): 'critical' | 'high' | 'neutral' {
  if (score >= 0.5) return 'critical'
  return score >= 0.1 ? 'high' : 'neutral'
}

// Exploit evidence as a table: what there is, since when, and how mature it is.
import type { Cve } from 'vis-sdk'
import { Badge } from '../../../kit/badge.tsx'
import { Panel } from '../../../kit/panel.tsx'
import { formatNumber } from '../../../text/format.ts'
import {
  buildTimeline,
  describeKind,
  describeMaturity,
  type EventKind,
  type Timeline,
  type TimelineEvent,
} from '../model/timeline.ts'
import { ExternalLink } from '../parts/external-link.tsx'
import { Missing } from '../parts/missing.tsx'
import { MoreList } from '../parts/more-list.tsx'

/** Event types that are not evidence of an exploit. */
const KINDS_WITHOUT_EXPLOIT: readonly EventKind[] = ['published', 'notice']

/** Event types whose text already names the type. */
const KINDS_NAMED_IN_TEXT: readonly EventKind[] = ['published', 'kev', 'eu-kev', 'active', 'poc-report', 'reference']

export function EvidencePanel({ cve }: { readonly cve: Cve }) {
  const { dated, undated, omitted } = buildTimeline(cve)
  const isEvidence = ({ kind }: TimelineEvent) => !KINDS_WITHOUT_EXPLOIT.includes(kind)
  const evidence = { dated: dated.filter(isEvidence), undated: undated.filter(isEvidence), omitted }
  const hasEvidence = evidence.dated.length > 0 || evidence.undated.length > 0
  return (
    <Panel title="Exploit evidence" actions={<MaturityBadge exploits={cve.exploits} />}>
      {hasEvidence ? <Tables {...evidence} /> : <Missing>No loaded source reports an exploit or exploitation.</Missing>}
    </Panel>
  )
}

const MATURITY_TONES = {
  ransomware: 'critical',
  active: 'critical',
  weaponized: 'high',
  functional: 'high',
  poc: 'medium',
  none: 'neutral',
} as const

/** The highest maturity that any evidence shows, and whether the evidence has been verified. */
function MaturityBadge({ exploits }: { readonly exploits: Cve['exploits'] | undefined }) {
  if (!exploits || exploits.maturity === 'none') return null
  return (
    <>
      <Badge tone={MATURITY_TONES[exploits.maturity]}>
        <span className="font-normal">Maturity</span> {describeMaturity(exploits.maturity)}
      </Badge>
      {exploits.verified === false && (
        <Badge title="Code repositories are the only evidence. Nobody has checked what they contain.">unverified</Badge>
      )}
    </>
  )
}

function Tables({ dated, undated, omitted }: Pick<Timeline, 'dated' | 'undated' | 'omitted'>) {
  return (
    <div className="space-y-3">
      {dated.length > 0 && <EventTable title="By date" events={dated} first={15} />}
      {undated.length > 0 && <EventTable title="Without a date" events={undated} first={10} />}
      {omitted > 0 && (
        <p className="text-xs text-ink-2">
          The record leaves out {formatNumber(omitted)} more pieces of evidence. The API lists all under /exploits.
        </p>
      )}
    </div>
  )
}

interface EventTableProps {
  readonly title: string
  readonly events: readonly TimelineEvent[]
  readonly first: number
}

function EventTable({ title, events, first }: EventTableProps) {
  return (
    <MoreList items={events} first={first} noun="events">
      {(shown) => (
        <div className="relative overflow-x-auto">
          <table className="w-full border-collapse text-sm">
            <caption className="pb-1 text-left text-xs font-medium text-ink-3">{title}</caption>
            <thead className="sr-only">
              <tr>
                <th scope="col">Date</th>
                <th scope="col">Event</th>
                <th scope="col">Maturity</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((event, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two events can be equal, and events never move.
                <EventRow key={index} event={event} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </MoreList>
  )
}

function EventRow({ event }: { readonly event: TimelineEvent }) {
  const { kind, day, dayNote, text, url, maturity, isGone = false } = event
  return (
    <tr className="border-t border-line align-top">
      <td className="w-24 py-1.5 pr-3 whitespace-nowrap text-ink-2">
        {day ?? <Badge>undated</Badge>}
        {dayNote && <span className="block text-2xs whitespace-normal text-ink-3">{dayNote}</span>}
      </td>
      <td className="py-1.5">
        {!KINDS_NAMED_IN_TEXT.includes(kind) && (
          <span className="mr-1.5 text-xs text-ink-3 max-sm:block">{describeKind(kind)}</span>
        )}
        {url ? <ExternalLink url={url}>{text}</ExternalLink> : <span className="[overflow-wrap:anywhere]">{text}</span>}
        {isGone && <span className="ml-1.5 text-xs text-ink-3">removed by its publisher</span>}
      </td>
      <td className="py-1.5 pl-3 text-right text-xs whitespace-nowrap text-ink-2 max-sm:hidden">
        {maturity && describeMaturity(maturity)}
      </td>
    </tr>
  )
}

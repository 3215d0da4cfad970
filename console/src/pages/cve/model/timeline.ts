// Converts exploit evidence, KEV entries and national notices to dated events, one row per type.
import type { Cve } from 'vis-sdk'
import { EXPLOIT_MATURITY_WORDS } from 'vis-sdk/vocabulary'
import { readDay } from '../../../text/days.ts'

type Exploits = NonNullable<Cve['exploits']>
type Maturity = Exploits['maturity']
type EvidenceItem = Exploits['evidence'][number]

export type EventKind =
  | 'published'
  | 'kev'
  | 'eu-kev'
  | 'active'
  | 'metasploit'
  | 'exploitdb'
  | 'nuclei'
  | 'poc-report'
  | 'repository'
  | 'reference'
  | 'scanner'
  | 'notice'

export interface TimelineEvent {
  readonly kind: EventKind
  /** Day of the event; undefined if the source gives none. */
  readonly day?: string | undefined
  /** Meaning of the day, if it is not the day of the event itself, such as the day of disclosure. */
  readonly dayNote?: string | undefined
  readonly text: string
  readonly url?: string | undefined
  /** Maturity that the event shows by itself; undefined for events that are not evidence. */
  readonly maturity?: Maturity | undefined
  /** Whether the publisher has removed the item. */
  readonly isGone?: boolean
}

interface TimelineRow {
  readonly kind: EventKind
  readonly label: string
  /** Dated events, oldest first. */
  readonly events: readonly (TimelineEvent & { readonly day: string })[]
}

export interface Timeline {
  readonly rows: readonly TimelineRow[]
  /** All dated events, oldest first. */
  readonly dated: readonly (TimelineEvent & { readonly day: string })[]
  readonly undated: readonly TimelineEvent[]
  /** Number of items of evidence that the record omits. */
  readonly omitted: number
}

/** Types of events, from the strongest evidence to the weakest. */
const KIND_WORDS: Readonly<Record<EventKind, string>> = {
  published: 'CVE published',
  kev: 'CISA KEV catalog',
  'eu-kev': 'EU KEV catalog',
  active: 'Exploitation reported',
  metasploit: 'Metasploit module',
  exploitdb: 'Exploit-DB entry',
  nuclei: 'Nuclei template',
  'poc-report': 'Proof of concept reported',
  repository: 'Public repository',
  reference: 'Reference tagged Exploit',
  scanner: 'Metasploit scanner',
  notice: 'ACSC notice',
}

export function describeKind(kind: EventKind): string {
  return KIND_WORDS[kind]
}

export function describeMaturity(maturity: Maturity): string {
  return EXPLOIT_MATURITY_WORDS[maturity]
}

type TimelineRecord = Pick<Cve, 'published' | 'acsc' | 'exploits'>

export function buildTimeline(cve: TimelineRecord): Timeline {
  const { evidence = [], counts = {} } = cve.exploits ?? {}
  const events = [...listContext(cve), ...evidence.map(toEvent)]
  const dated = events.filter(hasDay).sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)))
  // The cast is safe: the keys of the table are the event types.
  const kinds = Object.keys(KIND_WORDS) as EventKind[]
  return {
    rows: kinds
      .map((kind) => ({ kind, label: KIND_WORDS[kind], events: dated.filter((event) => event.kind === kind) }))
      .filter(({ events: { length } }) => length > 0),
    dated,
    undated: events.filter((event) => !hasDay(event)),
    omitted: Object.values(counts).reduce((sum, count) => sum + count, 0) - evidence.length,
  }
}

function hasDay(event: TimelineEvent): event is TimelineEvent & { readonly day: string } {
  return event.day !== undefined
}

/** Lists the events that are not evidence: the publication of the CVE and notices about it. */
function listContext({ published, acsc = [] }: TimelineRecord): readonly TimelineEvent[] {
  return [
    ...(published === null
      ? []
      : [{ kind: 'published' as const, text: 'The CVE was published', day: readDay(published) }]),
    ...acsc.map(({ title, publishedDate, url }) => ({
      kind: 'notice' as const,
      text: title,
      day: readDay(publishedDate),
      url,
    })),
  ]
}

/** Metasploit gives the day on which the vulnerability was disclosed, not the day of its module. */
const DAY_NOTES: Readonly<Record<string, string>> = { disclosure: 'day of disclosure' }

function toEvent(item: EvidenceItem): TimelineEvent {
  const { date, date_is, first_seen, url, maturity, gone = false } = item
  const isFirstSeen = date === null && first_seen !== undefined
  return {
    ...describeEvidence(item),
    day: readDay(date ?? first_seen),
    dayNote: isFirstSeen ? 'first seen here' : DAY_NOTES[date_is ?? ''],
    url,
    maturity,
    isGone: gone,
  }
}

type DescribedItem = Pick<EvidenceItem, 'kind' | 'source' | 'id' | 'module_rank' | 'is_verified' | 'says'> &
  Partial<Pick<EvidenceItem, 'maturity'>>

export function describeEvidence(item: DescribedItem): Pick<TimelineEvent, 'kind' | 'text'> {
  const { kind, source = 'A source', id = '', module_rank, is_verified, says = '', maturity } = item
  switch (kind) {
    case 'kev':
      return { kind: source === 'ENISA' ? 'eu-kev' : 'kev', text: `${source}: ${says}` }
    case 'ssvc':
    case 'vendor':
      return { kind: maturity === 'active' ? 'active' : 'poc-report', text: `${source}: ${says}` }
    case 'metasploit':
      return { kind: maturity === 'none' ? 'scanner' : 'metasploit', text: module_rank ? `${id} (${module_rank})` : id }
    case 'exploitdb':
      return { kind, text: `${is_verified ? 'Verified entry' : 'Entry'} ${id}` }
    case 'nuclei':
    case 'repository':
      return { kind, text: id }
    case 'reference':
      return { kind, text: `A reference is tagged Exploit by ${source}` }
  }
}

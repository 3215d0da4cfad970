// Turns evidence of exploits, the KEV entry and national notices into dated events, in one row per kind. The evidence arrives as
// sentences with a fixed form, such as "Nuclei has the template X (2021-12-11, https://…).".
import type { Cve } from 'vis-sdk'
import { readDay } from '../../../text/days.ts'

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
  | 'other'

export interface TimelineEvent {
  readonly kind: EventKind
  /** Day of the event; undefined if the source gives none. */
  readonly day?: string | undefined
  /** Whether the day is only the first day on which the service saw the item. */
  readonly isFirstSeen: boolean
  readonly text: string
  readonly url?: string | undefined
}

export interface TimelineRow {
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
  /** Number of pieces of evidence that the record leaves out. */
  readonly omitted: number
}

/** Kinds of events from the strongest evidence to the weakest. */
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
  other: 'Other evidence',
}

export function describeKind(kind: EventKind): string {
  return KIND_WORDS[kind]
}

type TimelineRecord = Pick<Cve, 'published' | 'kev' | 'acsc' | 'sources' | 'exploits'>

/**
 * Builds the timeline. `evidence` is undefined if the CVE has no detail record; the counts in `sources` then stand for
 * the single items.
 */
export function buildTimeline(cve: TimelineRecord, evidence: readonly string[] | undefined): Timeline {
  const read = (evidence ?? []).map(readEvidence)
  const events = [
    ...listOwnEvents(cve),
    ...(evidence === undefined ? listCounts(cve.sources) : read.flatMap(({ event }) => event ?? [])),
  ]
  const dated = events.filter(hasDay).sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)))
  const kinds = Object.keys(KIND_WORDS) as EventKind[]
  return {
    rows: kinds
      .map((kind) => ({ kind, label: KIND_WORDS[kind], events: dated.filter((event) => event.kind === kind) }))
      .filter(({ events: { length } }) => length > 0),
    dated,
    undated: events.filter((event) => !hasDay(event)),
    omitted: read.reduce((total, { omitted }) => total + omitted, 0),
  }
}

function hasDay(event: TimelineEvent): event is TimelineEvent & { readonly day: string } {
  return event.day !== undefined
}

function listOwnEvents({ published, kev, acsc = [], exploits }: TimelineRecord): readonly TimelineEvent[] {
  const ransomware = kev?.knownRansomware ? '; used in ransomware campaigns' : ''
  return [
    ...(published === null ? [] : [toEvent('published', 'The CVE was published', readDay(published))]),
    ...(kev ? [toEvent('kev', `CISA added it to the KEV catalog${ransomware}`, readDay(kev.dateAdded))] : []),
    ...(exploits?.kev_catalogs ?? [])
      .filter(({ name }) => name === 'eu')
      .map(({ since }) => toEvent('eu-kev', 'ENISA added it to the EU KEV catalog', readDay(since))),
    ...acsc.map(({ title, publishedDate, url }) => toEvent('notice', title, readDay(publishedDate), url)),
  ]
}

function toEvent(kind: EventKind, text: string, day: string | undefined, url?: string): TimelineEvent {
  return { kind, text, day, isFirstSeen: false, url }
}

const DATA_SETS: Readonly<Record<string, EventKind>> = {
  metasploit: 'metasploit',
  exploitdb: 'exploitdb',
  nuclei: 'nuclei',
  poc: 'repository',
}

function listCounts(sources: Cve['sources']): readonly TimelineEvent[] {
  const statements = sources?.exploits?.from ?? []
  return statements.map(({ source, count = 1, date, time }) => {
    const kind = DATA_SETS[source] ?? 'other'
    const text = count === 1 ? KIND_WORDS[kind] : `${KIND_WORDS[kind]}: ${count} items, the newest on this day`
    return toEvent(kind, text, readDay(date ?? time))
  })
}

/** Beginnings of evidence sentences. The rest of the sentence names the item. */
const BEGINNINGS: readonly (readonly [beginning: string, kind: EventKind, text: string])[] = [
  ['Metasploit has the module ', 'metasploit', ''],
  ['Exploit-DB has the verified entry ', 'exploitdb', 'Verified entry '],
  ['Exploit-DB has the entry ', 'exploitdb', 'Entry '],
  ['Nuclei has the template ', 'nuclei', ''],
  ['PoC-in-GitHub lists the public repository ', 'repository', ''],
]

const EXPLOIT_MODULE = /^(?:exploit|auxiliary\/(?:admin|dos))\//

interface ReadEvidence {
  readonly event?: TimelineEvent
  readonly omitted: number
}

/** Reads one sentence. The KEV sentence is left out, because the record itself has the KEV entry. */
export function readEvidence(sentence: string): ReadEvidence {
  if (sentence.startsWith('CISA lists it as a known exploited vulnerability')) return { omitted: 0 }
  const more = /^And (\d{1,9}) more\.$/.exec(sentence)?.[1]
  if (more !== undefined) return { omitted: Number(more) }
  const { head, day, isFirstSeen, url, tail } = splitSentence(sentence)
  const base = { day, isFirstSeen, url }
  const known = BEGINNINGS.find(([beginning]) => head.startsWith(beginning))
  if (known) {
    const [beginning, kind, text] = known
    const item = head.slice(beginning.length)
    const isScanner = kind === 'metasploit' && !EXPLOIT_MODULE.test(item)
    return { event: { ...base, kind: isScanner ? 'scanner' : kind, text: `${text}${item}` }, omitted: 0 }
  }
  return { event: { ...base, ...readReport(head, tail, sentence) }, omitted: 0 }
}

function readReport(head: string, tail: string, sentence: string): Pick<TimelineEvent, 'kind' | 'text'> {
  if (head.startsWith('A reference from ')) return { kind: 'reference', text: head }
  const reporter = head.startsWith('According to ') ? head.slice('According to '.length) : undefined
  if (reporter !== undefined && tail.includes('is being exploited'))
    return { kind: 'active', text: `${reporter} reports exploitation` }
  if (reporter !== undefined && tail.includes('proof of concept'))
    return { kind: 'poc-report', text: `${reporter} reports a public proof of concept` }
  return { kind: 'other', text: sentence }
}

interface SentenceParts {
  /** Text before the parentheses. */
  readonly head: string
  readonly day?: string | undefined
  readonly isFirstSeen: boolean
  readonly url?: string | undefined
  /** Text after the parentheses. */
  readonly tail: string
}

const FIRST_SEEN = 'first seen by this service on '

/** Splits "Text (2021-12-11, https://…) more text." A URL may contain parentheses, so the last one ends the group. */
function splitSentence(sentence: string): SentenceParts {
  const at = sentence.search(/ \((?=\d{4}-\d{2}-\d{2}|undated|first seen by this service)/)
  const end = sentence.lastIndexOf(')')
  if (at < 0 || end < at) return { head: sentence, isFirstSeen: false, tail: '' }
  const inner = sentence.slice(at + 2, end)
  const comma = inner.indexOf(', ')
  const date = comma < 0 ? inner : inner.slice(0, comma)
  const isFirstSeen = date.startsWith(FIRST_SEEN)
  return {
    head: sentence.slice(0, at),
    day: readDay(isFirstSeen ? date.slice(FIRST_SEEN.length) : date),
    isFirstSeen,
    url: comma < 0 ? undefined : inner.slice(comma + 2),
    tail: sentence.slice(end + 1),
  }
}

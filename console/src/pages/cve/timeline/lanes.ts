// The facts of a record's timeline in words. Facts of one day and lane are one mark. Whatever has no date is listed and
// never placed.
import type { Cve } from 'vis-sdk'
import { DAY_MS } from '../../../text/days.ts'
import { describeSource } from '../../../text/source-names.ts'
import { groupFixes } from '../../../text/verdict/fix-groups.ts'
import { describeEvidence, describeKind, type EventKind } from '../model/timeline.ts'

export const LANES = { known: 'Known', exploit: 'Exploit', exploited: 'Exploited', fix: 'Fix' } as const

export type Lane = keyof typeof LANES

export interface LaneEvent {
  readonly lane: Lane
  /** Undefined if no source states a day. */
  readonly day: string | undefined
  /** Meaning of the day, if it is not that of the event itself. */
  readonly dayNote?: string | undefined
  /** A few words for the chart. */
  readonly label: string
  /** The whole text for the table. */
  readonly text: string
  readonly url?: string | undefined
}

export interface Mark {
  readonly lane: Lane
  readonly day: string
  readonly events: readonly LaneEvent[]
}

/** A number of days between two facts that is worth saying. */
export interface Gap {
  readonly from: string
  readonly to: string
  readonly text: string
  readonly tone: 'critical' | 'high'
}

export interface Lanes {
  /** Marks by day, then by lane. */
  readonly marks: readonly Mark[]
  readonly gaps: readonly Gap[]
  /** Dated events, oldest first. */
  readonly dated: readonly LaneEvent[]
  readonly undated: readonly LaneEvent[]
  /** What stands in a lane without a mark. */
  readonly notes: Readonly<Record<Lane, string>>
  /** Number of pieces of evidence that the record leaves out. */
  readonly omitted: number
}

type Timeline = NonNullable<Cve['timeline']>
type DatedFact = Timeline['dated'][number]
type Fact = Timeline['undated'][number] & Partial<Pick<DatedFact, 'date' | 'date_is'>>
type LaneRecord = Pick<Cve, 'timeline' | 'fixes' | 'fixes_omitted'>

export function buildLanes(cve: LaneRecord): Lanes {
  const { dated = [], undated = [], omitted = 0 } = cve.timeline ?? {}
  const placed = dated.map((fact) => toLaneEvent(fact, cve))
  const marks = groupMarks(placed)
  const timeless = undated.map((fact) => toLaneEvent(fact, cve))
  return {
    marks,
    gaps: findGaps(marks),
    dated: placed,
    undated: timeless,
    notes: describeEmptyLanes(timeless, cve),
    omitted,
  }
}

/** Without a day, a fact is still known. Evidence that the record leaves out can be of either lane of exploitation. */
function describeEmptyLanes(undated: readonly LaneEvent[], cve: LaneRecord): Readonly<Record<Lane, string>> {
  const isCut = (cve.timeline?.omitted ?? 0) > 0
  const describe = (lane: Lane, isKnown: boolean) =>
    isKnown || undated.some((event) => event.lane === lane) ? 'no day is stated' : 'none known'
  return {
    known: describe('known', true),
    exploit: describe('exploit', isCut),
    exploited: describe('exploited', isCut),
    fix: describe('fix', (cve.fixes?.length ?? 0) > 0),
  }
}

const LABELS: Readonly<Partial<Record<EventKind, string>>> = {
  kev: 'CISA KEV',
  'eu-kev': 'EU KEV',
  active: 'attacks reported',
  metasploit: 'Metasploit',
  exploitdb: 'Exploit-DB',
  nuclei: 'Nuclei',
  'poc-report': 'proof of concept',
  repository: 'repository',
  reference: 'exploit link',
  scanner: 'Metasploit scanner',
}

/** What the day of a fact means, if it is not the day of the fact itself. */
const DAY_NOTES: Readonly<Partial<Record<NonNullable<DatedFact['date_is']>, string>>> = {
  disclosure: 'day of disclosure',
  first_seen: 'first seen here',
  latest: 'at the latest',
}

function toLaneEvent(fact: Fact, cve: LaneRecord): LaneEvent {
  const { lane, date: day, date_is: dateIs, url } = fact
  return { lane, day, dayNote: dateIs && DAY_NOTES[dateIs], url, ...describeFact(fact, cve) }
}

function describeFact({ kind, ...fact }: Fact, cve: LaneRecord): Pick<LaneEvent, 'label' | 'text'> {
  const { source = '', says = '', date_is: dateIs } = fact
  switch (kind) {
    case 'published':
      return { label: 'published', text: 'The CVE was published' }
    case 'notice':
      return { label: 'ACSC notice', text: `ACSC notice ${says}` }
    case 'fix': {
      const versions = fact.date === undefined ? '' : nameVersions(cve)
      return { label: `fix named${versions}`, text: `Fix named by ${describeSource(source)}${versions}` }
    }
    default: {
      const { kind: eventKind, text } = describeEvidence({ ...fact, kind })
      const label = LABELS[eventKind] ?? describeKind(eventKind)
      return {
        label: dateIs === 'disclosure' ? `disclosed (${label})` : label,
        text: NAMED_IN_TEXT.includes(eventKind) ? text : `${describeKind(eventKind)} ${text}`,
      }
    }
  }
}

/** Kinds whose text already says what the event is. */
const NAMED_IN_TEXT: readonly EventKind[] = ['kev', 'eu-kev', 'active', 'poc-report', 'reference']

function nameVersions(cve: LaneRecord): string {
  const versions = [...new Set(groupFixes(cve).groups.flatMap((group) => group.versions))]
  return versions.length === 0 ? '' : `: ${versions.slice(0, 4).join(', ')}${versions.length > 4 ? ' …' : ''}`
}

function groupMarks(events: readonly LaneEvent[]): readonly Mark[] {
  const marks = new Map<string, { lane: Lane; day: string; events: LaneEvent[] }>()
  for (const event of events) {
    if (event.day === undefined) continue
    const key = `${event.day} ${event.lane}`
    const mark = marks.get(key) ?? { lane: event.lane, day: event.day, events: [] }
    marks.set(key, mark)
    mark.events.push(event)
  }
  return [...marks.values()]
}

/** Names the events of a mark in a few words: `Metasploit, 3 × repository`. */
export function labelMark({ events }: Mark): string {
  const counts = new Map<string, number>()
  for (const { label } of events) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts].map(([label, count]) => (count > 1 ? `${count} × ${label}` : label)).join(', ')
}

/** Longer gaps say nothing about how defenders or attackers acted. */
const MAX_FIX_GAP_DAYS = 60

function findGaps(marks: readonly Mark[]): readonly Gap[] {
  const published = marks.find(
    ({ lane, events }) => lane === 'known' && events.some(({ label }) => label === 'published'),
  )
  const attacked = marks.find(({ lane }) => lane === 'exploited')
  const fixed = marks.find(({ lane }) => lane === 'fix')
  if (published === undefined) return []
  const gaps: Gap[] = []
  if (attacked) {
    const days = countDays(published.day, attacked.day)
    if (days < 0) {
      const text = `${phraseDays(-days)} known as exploited before publication`
      gaps.push({ from: attacked.day, to: published.day, text, tone: 'critical' })
    } else if (days > 0) {
      const text = `${phraseDays(days)} from publication to the first dated report of attacks`
      gaps.push({ from: published.day, to: attacked.day, text, tone: 'critical' })
    }
  }
  const wait = fixed === undefined ? 0 : countDays(published.day, fixed.day)
  if (fixed && wait > 0 && wait <= MAX_FIX_GAP_DAYS)
    gaps.push({ from: published.day, to: fixed.day, text: `fix named within ${phraseDays(wait)}`, tone: 'high' })
  return gaps
}

function phraseDays(days: number): string {
  return `${days.toLocaleString('en')} ${days === 1 ? 'day' : 'days'}`
}

function countDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

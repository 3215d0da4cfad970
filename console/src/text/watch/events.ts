// The events of the inbox: one item for each day and CVE, and what each says in words.
import type { Change, Level, WatchEvent, WatchKind } from 'vis-sdk'
import { listTitles, listValueChanges, type ValueChange } from '../changes.ts'
import { toDisplayName } from '../display-name.ts'
import type { EventKind } from '../event.ts'
import { formatNumber } from '../format.ts'
import { joinWords } from '../join-words.ts'
import { joinProductName } from '../product-name.ts'
import { KIND_WORDS, sortKinds } from './kinds.ts'
import { describeNamed } from './query.ts'

/** What the watches told of one CVE on one day, or one event about no single CVE. */
export interface InboxItem {
  readonly key: string
  /** UTC day on which the service published the changes. */
  readonly day: string
  /** Null for an event about no single CVE. */
  readonly cveId: string | null
  /** Newest first. */
  readonly events: readonly WatchEvent[]
  /** Number of the newest event. */
  readonly nr: number
  readonly isMuted: boolean
}

/** Groups events, which are newest first, by day and CVE. A muted event is not hidden behind one that is not. */
export function groupEvents(events: readonly WatchEvent[]): readonly InboxItem[] {
  const groups = Map.groupBy(events, (event) =>
    event.cve_id === null ? `${event.nr}` : `${toDay(event)} ${event.cve_id} ${event.muted}`,
  )
  return [...groups].flatMap(([key, own]) => {
    const [first] = own
    if (!first) return []
    return [{ key, day: toDay(first), cveId: first.cve_id, events: own, nr: first.nr, isMuted: first.muted }]
  })
}

const toDay = ({ recorded_at }: WatchEvent) => recorded_at.slice(0, 'YYYY-MM-DD'.length)

/** The items of each day, the newest day first. An event that was caught up later can belong to an earlier day. */
export function groupByDay(
  items: readonly InboxItem[],
): readonly (readonly [day: string, items: readonly InboxItem[]])[] {
  return [...Map.groupBy(items, ({ day }) => day)].toSorted(([a], [b]) => b.localeCompare(a))
}

function listItemKinds({ events }: InboxItem): readonly WatchKind[] {
  return sortKinds([...new Set(events.flatMap(({ on }) => on))])
}

/** The watches that told it, each once. */
export function listItemWatches({ events }: InboxItem) {
  return [...new Map(events.flatMap(({ watch }) => (watch ? [[watch.id, watch] as const] : []))).values()]
}

export function findLevel({ events }: InboxItem): Level | undefined {
  return events[0]?.record_after?.priority_level ?? undefined
}

/** "Fortinet FortiOS and 2 more"; undefined if no product is named. */
function nameProducts(record: WatchEvent['record_after'] | undefined): string | undefined {
  const [first] = record?.products ?? []
  if (!record || !first) return undefined
  const name = joinProductName(toDisplayName(first.vendor), toDisplayName(first.product))
  const others = record.product_count - 1
  return others > 0 ? `${name} and ${formatNumber(others)} more` : name
}

/** The heading of an item. */
export function nameItem({ cveId, events }: InboxItem): string {
  const [event] = events
  if (cveId === null) return event?.type === 'gap' ? 'Changes that could not be judged' : 'Judged again'
  return nameProducts(event?.record_after) ?? 'Product not named'
}

interface Line {
  readonly icon: EventKind
  readonly words: string
}

/** What happened, in one line. */
export function describeItem(item: InboxItem): Line {
  const [event] = item.events
  if (item.cveId === null) return { icon: 'other', words: event ? describeWhole(event) : '' }
  const kinds = listItemKinds(item)
  // A CVE that becomes exploited, too, is told by the more urgent sign.
  const [first] = kinds.includes('exploited') ? (['exploited'] as const) : kinds
  const words = dropImplied(kinds).map((kind) => describeKind(kind, item))
  return { icon: first === undefined ? 'other' : KIND_WORDS[first].icon, words: joinSentence(words) }
}

/** Kinds that another one says more exactly. */
function dropImplied(kinds: readonly WatchKind[]): readonly WatchKind[] {
  const implied: readonly WatchKind[] = [
    ...(kinds.includes('exploited') ? (['kev_added', 'eu_kev_added', 'maturity_raised'] as const) : []),
    ...(kinds.includes('priority_raised') ? (['became_urgent'] as const) : []),
    ...(kinds.includes('severity_band_changed') ? (['score_changed'] as const) : []),
  ]
  return kinds.filter((kind) => !implied.includes(kind))
}

function joinSentence(words: readonly string[]): string {
  return joinWords(words.map((each, index) => (index === 0 ? each : lowerFirst(each))))
}

/** "EPSS rose" and "Used …" differ: an abbreviation keeps its capitals. */
const lowerFirst = (text: string) => (/^\p{Lu}\p{Lu}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1))

function describeKind(kind: WatchKind, item: InboxItem): string {
  const { happened } = KIND_WORDS[kind]
  const diff = mergeDiffs(item.events)
  if (kind === 'exploited') {
    const by = [
      ...(diff['kev.dateAdded']?.new ? ['CISA'] : []),
      ...(diff['eu_kev.listed']?.new === true ? ['ENISA'] : []),
    ]
    return by.length > 0 ? `${happened} (${joinWords(by)})` : happened
  }
  if (kind === 'priority_raised' || kind === 'priority_lowered') {
    const level = diff['priority.level']
    return level && typeof level.old === 'string' && typeof level.new === 'string'
      ? `${happened} (${toLevel(level.old)} → ${toLevel(level.new)})`
      : happened
  }
  return happened
}

const toLevel = (level: string) => (level === 'unrated' ? 'not assessed' : level)

/** The sentence about an event that is about no single CVE. */
export function describeWhole({ type, recalculation, watch }: WatchEvent): string {
  const name = watch?.name ? `“${watch.name}”` : 'the search'
  if (type === 'gap')
    return `Changes of the catalog could not be judged for ${name}. Look at its search for what you may have missed.`
  const { entered_count: entered = 0, left_count: left = 0, cause = '' } = recalculation ?? {}
  const parts = [
    ...(entered > 0 ? [`${countCves(entered)} entered`] : []),
    ...(left > 0 ? [`${countCves(left)} left`] : []),
  ]
  return `${joinWords(parts)} ${name}, because ${describeCause(cause)}. They have no events of their own.`
}

export const countCves = (count: number) => `${formatNumber(count)} ${count === 1 ? 'CVE' : 'CVEs'}`

/** Why CVEs entered or left without events of their own. */
function describeCause(cause: string): string {
  switch (cause) {
    case 'rules':
      return 'this service has new rules'
    case 'source':
      return 'a source was read as a whole or in a new way'
    case 'epss_model':
      return 'EPSS has a new model, which moved many scores at once'
    case 'reload':
      return 'an operator published the records again'
    default:
      return 'the catalog was published in another way'
  }
}

type Diff = Change['diff']

/** The first old value and the last new value of each member. `events` are newest first. */
function mergeDiffs(events: readonly WatchEvent[]): Diff {
  const changes = [...new Map(events.map((event) => [event.recorded_at, event])).values()].toReversed()
  return changes.reduce<Record<string, { old: unknown; new: unknown }>>((merged, { diff }) => {
    for (const [member, values] of Object.entries(diff))
      if (values) merged[member] = { old: merged[member] ? merged[member].old : values.old, new: values.new }
    return merged
  }, {})
}

/** What changed: values, old and new, and what has no value. */
export function listItemChanges({ events }: InboxItem): {
  readonly values: readonly ValueChange[]
  readonly titles: readonly string[]
} {
  const types = [...new Set(events.flatMap((event) => event.types))]
  const diff = mergeDiffs(events)
  // The cast is safe: the keys of a diff are its members.
  const members = Object.keys(diff) as (keyof Diff)[]
  const values = members
    .toSorted((a, b) => rankMember(a) - rankMember(b))
    .flatMap((member) => listValueChanges({ types, diff: { [member]: diff[member] } }))
  const titles = listTitles({ types }).filter(({ type }) => !VALUED.includes(type))
  return { values, titles: titles.map(({ words }) => words) }
}

/** What matters most comes first. */
const FIRST_MEMBERS: readonly (keyof Diff)[] = [
  'priority.level',
  'kev.dateAdded',
  'kev.dueDate',
  'eu_kev.listed',
  'kev.knownRansomware',
  'exploits.maturity',
  'enrichment.patch_available',
  'epss.score',
  'severity',
]

function rankMember(member: keyof Diff): number {
  const rank = FIRST_MEMBERS.indexOf(member)
  return rank === -1 ? FIRST_MEMBERS.length : rank
}

/** Types whose old and new values are shown. */
const VALUED: readonly Change['types'][number][] = [
  'kev_added',
  'kev_removed',
  'eu_kev_added',
  'eu_kev_removed',
  'ransomware_added',
  'priority_raised',
  'priority_lowered',
  'maturity_raised',
  'exploit_added',
  'epss_jump',
  'score_changed',
  'severity_band_changed',
  'patch_added',
  'cwe_changed',
  'status_changed',
  'notice_added',
]

/**
 * Why the watch told it. `query` is the search of the watch, if it is known: it may have been changed since, or removed.
 */
export function describeReason(event: WatchEvent, query: string | undefined): string {
  const { on, entered_by: by } = event
  const others = sortKinds(on).filter((kind) => kind !== 'entered' && kind !== 'left')
  const asked = joinWords(others.map((kind) => `“${KIND_WORDS[kind].choice}”`))
  const told = others.length === 0 ? '' : ` The watch tells when a CVE ${asked}.`
  if (on.includes('left')) return `It is no longer found by the search.${told}`
  if (!on.includes('entered')) return `It is in the search.${told}`
  if (by.includes('published')) return `It is new in the catalog, and the search finds it.${told}`
  if (by.length === 0) return `The search finds it since this change.${told}`
  const filters = joinWords(describeNamed(by, query ?? '').map((words) => `“${words}”`))
  return `The search finds it since this change: ${filters} did not hold before and ${by.length === 1 ? 'holds' : 'hold'} now.${told}`
}

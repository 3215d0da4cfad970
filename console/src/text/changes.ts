// Describes a change from the change log in plain words: its title, and the old and new values.
import type { Change } from 'vis-sdk'
import { EXPLOIT_MATURITY_WORDS, PRIORITY_WORDS, TYPES_WORDS } from 'vis-sdk/vocabulary'
import { capitalise, formatProbability, formatScore } from './format.ts'
import { toSeverityLevel } from './severity.ts'

type ChangeType = Change['types'][number]
type Tone = 'critical' | 'high' | 'good' | 'accent' | 'neutral'

/**
 * Tones of the change types, most important first. A type without a tone gets no title, because its values show the
 * change.
 */
const TONES: Readonly<Record<ChangeType, Tone | undefined>> = {
  loaded: undefined,
  published: 'accent',
  removed: 'neutral',
  rejected: 'neutral',
  unrejected: 'accent',
  kev_added: 'critical',
  kev_removed: 'neutral',
  kev_updated: 'neutral',
  eu_kev_added: 'critical',
  eu_kev_removed: 'neutral',
  ransomware_added: 'critical',
  // Its titles are those of priority_raised and published.
  became_urgent: undefined,
  priority_raised: 'high',
  priority_lowered: 'good',
  exploit_added: 'high',
  maturity_raised: 'high',
  epss_jump: 'high',
  severity_band_changed: 'accent',
  score_changed: 'accent',
  patch_added: 'good',
  notice_added: 'accent',
  affected_changed: 'neutral',
  cwe_changed: 'neutral',
  status_changed: 'neutral',
  epss_model_changed: 'neutral',
  epss_released: undefined,
  advisory_published: 'accent',
  advisory_changed: 'neutral',
  advisory_withdrawn: 'neutral',
  rules_changed: undefined,
  updated: 'neutral',
}

interface ChangeTitle {
  readonly type: ChangeType
  readonly words: string
  readonly tone: Tone
}

/** Lists the titles of a change's types, most important first. */
export function listTitles({ types }: Pick<Change, 'types'>): readonly ChangeTitle[] {
  // The cast is safe: the keys of the table are the types.
  const names = (Object.keys(TONES) as ChangeType[]).filter((type) => types.includes(type) && !isImplied(type, types))
  return names.flatMap((type) => {
    const tone = TONES[type]
    return tone === undefined ? [] : [{ type, words: capitalise(TYPES_WORDS[type]), tone }]
  })
}

/** A different severity always implies a different score, and a rejection always implies a different status. */
function isImplied(type: ChangeType, types: readonly ChangeType[]): boolean {
  if (type === 'score_changed') return types.includes('severity_band_changed')
  return type === 'status_changed' && (types.includes('rejected') || types.includes('unrejected'))
}

export interface ValueChange {
  readonly label: string
  /** Undefined for a new CVE, because it had no value before. */
  readonly old: string | undefined
  readonly new: string
}

type DiffMember = keyof Change['diff']

/** Labels and formatting of the values that the change log keeps. */
const VALUES: Readonly<Record<DiffMember, readonly [label: string, format: (value: unknown) => string]>> = {
  severity: ['Base score', describeScore],
  status: ["NVD's status", describeText],
  'priority.level': ['Priority', describeLevel],
  'exploits.maturity': ['Exploit maturity', describeMaturityValue],
  'enrichment.exploit_flag': ['Evidence of an exploit', describeFlag],
  'enrichment.patch_available': ['Fix named', describeFlag],
  'enrichment.cwe_list': ['Weaknesses', describeList],
  'acsc.count': ['ACSC notices', describeText],
  'kev.dateAdded': ['In KEV since', (value) => (value === null ? 'not listed' : describeText(value))],
  'kev.dueDate': ['KEV due date', describeText],
  'kev.knownRansomware': ['Used by ransomware', (value) => (value === true ? 'known' : 'not known')],
  'eu_kev.listed': ['In EU KEV', describeFlag],
  'epss.score': ['EPSS', describeProbability],
  'epss.date': ['EPSS release', describeText],
  'epss.model_version': ['EPSS model', describeText],
  'advisory.id': ['Advisory', describeText],
  'rules.resolver_version': ['Rules of the service', describeText],
  'rules.policy_version': ['Priority policy', describeText],
  'loaded.cves': ['CVEs at the first load', describeText],
  'loaded.kev': ['KEV entries at the first load', describeText],
  'loaded.eu_kev': ['EU KEV entries at the first load', describeText],
  'loaded.epss': ['EPSS scores at the first load', describeText],
}

/** Lists the old and new values of a change. */
export function listValueChanges({ types, diff }: Pick<Change, 'types' | 'diff'>): readonly ValueChange[] {
  const isNew = types.includes('published')
  // The cast is safe: the keys of the table are the members.
  return (Object.keys(VALUES) as DiffMember[]).flatMap((member): readonly ValueChange[] => {
    const values = diff[member]
    if (!values || (isNew && values.new === null)) return []
    const [label, format] = VALUES[member]
    const [old, current] = [format(values.old), format(values.new)]
    if (isNew) return [{ label, old: undefined, new: current }]
    // The texts can be equal: ransomware use is "not known" without a KEV entry and in an entry that reports none.
    return old === current ? [] : [{ label, old, new: current }]
  })
}

/** Labels of the record members; those whose old and new values are shown are left out. */
const MEMBERS: Readonly<Record<Exclude<Change['fields'][number], 'cve_id'>, string>> = {
  published: 'day of publication',
  modified: 'day of the last change',
  description: 'description',
  severity: 'base score',
  status: "NVD's status",
  tags: 'tags',
  cvss: 'CVSS vectors',
  cpe: 'affected products',
  configurations: 'configurations',
  references: 'references',
  kev: 'KEV entry',
  epss: 'EPSS score',
  acsc: 'notices',
  attack: 'techniques',
  exploits: 'exploit evidence',
  enrichment: 'facts about attacks, exploits and fixes',
  enrichment_status: 'enrichment status',
  priority: 'facts of the priority',
  source_tag: 'leading source',
  aliases: 'other ids',
  events: 'events',
  timeline: 'timeline',
  epss_trend: 'EPSS scores of the last weeks',
  detail: 'detail record',
  affected: 'affected versions',
  search: 'values that only searches use',
  sources: 'statements of sources',
  fixes: 'fixed versions',
  remediations: 'advice of publishers',
}

const FREQUENT: readonly (keyof typeof MEMBERS)[] = [
  'sources',
  'modified',
  'enrichment',
  'enrichment_status',
  'priority',
]

/** Lists the labels of changed members that are not among the shown values. */
export function listOtherMembers({ fields, diff }: Pick<Change, 'fields' | 'diff'>): readonly string[] {
  const shown = new Set(Object.keys(diff).map((member) => member.split('.')[0]))
  // The cast is safe: the keys of the table are members.
  const names = (Object.keys(MEMBERS) as (keyof typeof MEMBERS)[]).filter((name) => fields.includes(name))
  const named = names.filter((name) => !shown.has(name))
  // Nearly every change also affects these members. They are named only if nothing else changed.
  const others = named.filter((name) => !FREQUENT.includes(name))
  return (others.length > 0 || shown.size > 0 ? others : named).map((name) => MEMBERS[name])
}

/** Explains why a change is no news about the CVE; undefined if it is. */
export function describeCause(cause: Change['cause']): string | undefined {
  if (cause === 'rules') return 'by new rules of the service; no source changed'
  if (cause === 'epss_model') return 'first week of a new EPSS model'
  if (cause === 'source') return 'a source was read completely for the first time, in a new way, or in bulk'
  return cause === 'reload' ? 'published again by an operator' : undefined
}

function describeText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function describeFlag(value: unknown): string {
  return value === true ? 'yes' : 'no'
}

const MAX_LISTED = 6

function describeList(value: unknown): string {
  const items = Array.isArray(value) ? value.map(String) : []
  if (items.length === 0) return 'none'
  const more = items.length - MAX_LISTED
  return [...items.slice(0, MAX_LISTED), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

function describeScore(value: unknown): string {
  return typeof value === 'number' ? `${formatScore(value)} ${toSeverityLevel(value)}` : 'none'
}

function describeProbability(value: unknown): string {
  return typeof value === 'number' ? formatProbability(value) : 'none'
}

function describeLevel(value: unknown): string {
  const [level, words] = Object.entries(PRIORITY_WORDS).find(([each]) => each === value) ?? []
  return level === undefined ? 'none' : `${level} ${words}`
}

export function describeMaturityValue(value: unknown): string {
  const [, words] = Object.entries(EXPLOIT_MATURITY_WORDS).find(([each]) => each === value) ?? []
  return words ?? describeText(value)
}

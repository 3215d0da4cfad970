// The sentences of an event, from the facts of the change alone.
import type { Diff, DiffMember } from '../change/change.ts'
import type { WatchKind } from './kinds.ts'

export interface EventFacts {
  readonly on: readonly WatchKind[]
  readonly enteredBy: readonly string[]
  readonly diff: Diff
  /** The names of the first products of the record. */
  readonly products: readonly { readonly vendor: string; readonly product: string }[]
  readonly productCount: number
  readonly level: string | null
}

/** Returns for example "fortinet fortios: CISA lists it as a known exploited vulnerability since 2026-11-16." */
export function summarizeEvent(facts: EventFacts): string {
  const sentences = [...new Set(facts.on.flatMap((kind) => SENTENCES[kind](facts)))]
  const level =
    facts.diff['priority.level'] === undefined && facts.level !== null ? [`The level is ${facts.level}.`] : []
  return `${nameProducts(facts)}${[...sentences, ...level].join(' ')}`
}

function nameProducts({ products, productCount }: EventFacts): string {
  const [first] = products
  if (first === undefined) return ''
  const others = productCount - 1
  const rest = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'product' : 'products'}`
  return `${first.vendor} ${first.product}${rest}: `
}

type Describe = (facts: EventFacts) => readonly string[]

const say =
  (...sentences: readonly string[]): Describe =>
  () =>
    sentences

/** "The base score went from 7.5 to 9.8." Nothing if the change has no such difference. */
const compare =
  (member: DiffMember, subject: string): Describe =>
  ({ diff: { [member]: values } }) => {
    if (values === undefined) return []
    const [from, to] = [format(values.old), format(values.new)]
    if (from === undefined) return to === undefined ? [] : [`${subject} is ${to}; it had none before.`]
    return [to === undefined ? `${subject} was ${from}; it has none now.` : `${subject} went from ${from} to ${to}.`]
  }

function format(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) return value.join(', ') || undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

const describeLevel = compare('priority.level', 'The level')
const describeScore = compare('severity', 'The base score')
const describeStatus = compare('status', "The status of NVD's analysis")
const describeEpss = compare('epss.score', 'The EPSS score')

function describeMaturity({ diff: { 'exploits.maturity': maturity } }: EventFacts): readonly string[] {
  if (maturity?.new === 'ransomware') return ['A source reports that ransomware campaigns use it.']
  if (maturity?.new === 'active') return ['A source reports that it is exploited.']
  return maturity === undefined ? [] : [`The exploits are now of the maturity ${format(maturity.new) ?? 'none'}.`]
}

function describeKev({ diff: { 'kev.dateAdded': added } }: EventFacts): readonly string[] {
  const day = format(added?.new)
  return day === undefined || added?.old !== null
    ? []
    : [`CISA lists it as a known exploited vulnerability since ${day}.`]
}

function describeExploited(facts: EventFacts): readonly string[] {
  const listed = facts.diff['eu_kev.listed']?.new === true ? ['ENISA lists it in EU KEV.'] : []
  const catalogs = [...describeKev(facts), ...listed]
  return catalogs.length > 0 ? catalogs : describeMaturity(facts)
}

function describeEntry({ enteredBy }: EventFacts): readonly string[] {
  if (enteredBy.includes('published')) return ['It is new in the catalog.']
  return enteredBy.length === 0 ? ['It entered the search.'] : [`It entered the search by ${enteredBy.join(', ')}.`]
}

const SENTENCES: Readonly<Record<WatchKind, Describe>> = {
  entered: describeEntry,
  left: say('It is no longer in the search.'),
  exploited: describeExploited,
  epss_rise: describeEpss,
  epss_fall: describeEpss,
  affected_changed: say('The affected products or versions changed.'),
  became_urgent: describeLevel,
  cwe_changed: compare('enrichment.cwe_list', 'The list of weaknesses'),
  eu_kev_added: say('ENISA lists it in EU KEV.'),
  eu_kev_removed: say('ENISA no longer lists it in EU KEV.'),
  exploit_added: say('There is public evidence of an exploit.'),
  kev_added: describeKev,
  kev_removed: say('CISA no longer lists it in KEV.'),
  kev_updated: say('Its KEV entry changed.'),
  maturity_raised: describeMaturity,
  notice_added: say('A further ACSC notice names it.'),
  patch_added: say('A source names a fix.'),
  priority_lowered: describeLevel,
  priority_raised: describeLevel,
  ransomware_added: say('KEV says that ransomware campaigns use it.'),
  rejected: say('It was rejected.'),
  score_changed: describeScore,
  severity_band_changed: describeScore,
  status_changed: describeStatus,
  unrejected: say('Its rejection was withdrawn.'),
  updated: say('Another part of its record changed.'),
}

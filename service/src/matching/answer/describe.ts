import type { Component } from '../../domain/component/component.ts'
import type { DistributionState } from '../../domain/match-words.ts'
import { RULES, toLeadingName } from '../../domain/source/provider-names.ts'
import { type StoredRow, stripDerived } from '../../record/affected-row.ts'
import type { Hit } from '../judge/judge.ts'

/** Empty if the source names no version. */
interface ServedRange {
  readonly from_version?: string
  readonly after_version?: string
  readonly before_version?: string
  readonly through_version?: string
  readonly listed_versions?: readonly string[]
}

const MAX_VERSIONS = 5

export function renderRange(row: StoredRow, component: Component): ServedRange {
  if (row.versions !== null) return { listed_versions: chooseVersions(row.versions, component) }
  const { low, isLowIncluded, high, isHighIncluded } = row
  return {
    ...(low !== null && (isLowIncluded ? { from_version: low } : { after_version: low })),
    ...(high !== null && (isHighIncluded ? { through_version: high } : { before_version: high })),
  }
}

/** Puts the component's own version first, if the list contains it. */
function chooseVersions(versions: readonly string[], { version }: Component): readonly string[] {
  const text = version?.text
  const chosen = versions.filter((each) => each === text)
  for (const each of versions) {
    if (chosen.length >= MAX_VERSIONS) break
    if (each !== text) chosen.push(each)
  }
  return chosen.slice(0, MAX_VERSIONS)
}

/** Returns for example "NVD: apache http_server from 2.4.0 before 2.4.60; 2.4.59 is inside." */
export function describeReason({ row, doubt }: Pick<Hit, 'row' | 'doubt'>, component: Component): string {
  if (row.source === RULES) return describeConclusion(row, component)
  const sentence = describeStatement(row, component.version?.text ?? '', doubt)
  return [sentence, describeState(row)].filter((each) => each !== '').join(' ')
}

function describeStatement(row: StoredRow, version: string, doubt: Hit['doubt']): string {
  const { statedOn, known, versions, target } = row
  const who = `${toLeadingName(stripDerived(row.source))}${statedOn ? `, ${statedOn}` : ''}`
  const name = `${row.vendor} ${row.product}${describeStreams(row)}`
  if (row.isVague) return `${who}: ${name}, without a usable version.`
  if (doubt === 'newer')
    return `${who}: ${name} is open in ${known}, the newest version that it then knew${target === '' ? '' : ` in ${target}`}; ${version} is newer.`
  const end = doubt === 'stream' ? `, but it is not known whether it is of ${describeStream(row)}.` : '.'
  if (versions !== null) return `${who}: ${name} ${version} is one of the listed versions${end}`
  const range = describeRange(row)
  return `${who}: ${name}${range === '' ? ', all versions' : ` ${range}`}; ${version} is inside${end}`
}

function describeStreams({ streams }: StoredRow): string {
  return streams && streams.length > 0 ? ` of ${streams.join(' and ')}` : ''
}

function describeStream({ streams }: StoredRow): string {
  return streams && streams.length > 0 ? 'this module stream' : 'the same module stream'
}

function describeState({ source, state, urgency }: StoredRow): string {
  const who = toLeadingName(stripDerived(source))
  const said = state ? STATES[state] : undefined
  const sentences = [
    ...(said === undefined ? [] : [`${who} ${said}.`]),
    ...(urgency ? [`${who} calls the urgency "${urgency}".`] : []),
  ]
  return sentences.join(' ')
}

const STATES: Readonly<Record<DistributionState, string>> = {
  under_investigation: 'is still investigating',
  fix_pending: 'has no fix yet',
  fix_deferred: 'has deferred the fix',
  no_dsa: 'will publish no advisory for it',
  postponed: 'has postponed the fix',
  ignored: 'has decided to leave it unfixed',
  will_not_fix: 'will not fix it',
  out_of_support: 'does not support the product any more',
}

function describeConclusion(row: StoredRow, component: Component): string {
  const name = `${row.vendor} ${row.product}`
  if (row.isVague) return `${CONCLUDED} ${name} may be affected in versions that no source lists.`
  return `${CONCLUDED} ${name} ${component.version?.text ?? ''} is affected itself, although a source calls it fixed.`
}

const CONCLUDED = 'This service concludes from contradicting sources that'

function describeRange({ low, isLowIncluded, high, isHighIncluded }: StoredRow): string {
  const start = low === null ? '' : `${isLowIncluded ? 'from' : 'after'} ${low}`
  const end = high === null ? '' : `${isHighIncluded ? 'through' : 'before'} ${high}`
  return [start, end].filter((each) => each !== '').join(' ')
}

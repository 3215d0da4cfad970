import type { Component } from '../../domain/component/component.ts'
import { RULES, toLeadingName } from '../../domain/source/provider-names.ts'
import { type RequiredRange, type StoredRow, stripDerived, toRequiredRange } from '../../record/affected-row.ts'

/** Empty if the source names no version. */
export interface ServedRange extends RequiredRange {
  readonly versions?: readonly string[]
}

const MAX_VERSIONS = 5

export function renderRange(row: StoredRow, component: Component): ServedRange {
  if (row.versions !== null) return { versions: chooseVersions(row.versions, component) }
  return toRequiredRange(row)
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
export function describeReason(row: StoredRow, component: Component): string {
  const who = toLeadingName(stripDerived(row.source))
  const name = `${row.vendor} ${row.product}`
  if (row.source === RULES) return describeConclusion(row, component)
  if (row.isVague) return `${who}: ${name}, without a usable version.`
  const version = component.version?.text ?? ''
  if (row.versions !== null) return `${who}: ${name} ${version} is one of the listed versions.`
  const range = describeRange(row)
  return `${who}: ${name}${range === '' ? ', all versions' : ` ${range}`}; ${version} is inside.`
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

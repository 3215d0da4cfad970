import type { ComponentVersion } from '../../domain/component/component.ts'
import { isInside } from '../../domain/version/range.ts'
import { SCHEMES, type SchemeName } from '../../domain/version/schemes.ts'
import type { Requirement } from '../../record/affected-row.ts'
import {
  LISTED_KINDS,
  NO_TEXT,
  PLAIN,
  type PreparedRow,
  type VersionProbe,
  WITH_UPDATE,
  WITHOUT_UPDATE,
} from './product-rows.ts'
import { type Order, type TextProbe, UNORDERED, type VersionTexts } from './version-texts.ts'

/** `vague`: the row gives no usable version. `unknown`: the component has no version, or it cannot be compared. */
export type Placement = 'inside' | 'outside' | 'unknown' | 'vague'

/** `probe` is undefined for a component without a version. */
export function placeRow(prepared: PreparedRow, probe: VersionProbe | undefined): Placement {
  const { row, low, high, listed } = prepared
  if (row.isVague) return 'vague'
  if (probe === undefined || row.scheme === 'commit') return 'unknown'
  if (listed !== undefined) return placeInList(listed, probe, row.scheme)
  const rank = prepared.ranks === undefined ? -1 : probe.whole.rank(row.scheme)
  if (prepared.ranks !== undefined && rank !== -1)
    return rank >= prepared.ranks.first && rank <= prepared.ranks.last ? 'inside' : 'outside'
  const isAfterStart =
    low === NO_TEXT || isOnSide(orderOrEqual(probe.whole, probe.texts, row.scheme, low), 1, row.isLowIncluded)
  if (isAfterStart === false) return 'outside'
  const isBeforeEnd =
    high === NO_TEXT || isOnSide(orderOrEqual(probe.whole, probe.texts, row.scheme, high), -1, row.isHighIncluded)
  if (isBeforeEnd === false) return 'outside'
  return isAfterStart === undefined || isBeforeEnd === undefined ? 'unknown' : 'inside'
}

/** Equal texts are equal versions even if the scheme cannot read them. */
function orderOrEqual(probe: TextProbe, texts: VersionTexts, scheme: SchemeName, index: number): Order {
  const order = probe.order(scheme, index)
  return order === UNORDERED && texts.get(index) === probe.text ? 0 : order
}

function isOnSide(order: Order, side: -1 | 1, isIncluded: boolean): boolean | undefined {
  if (order === UNORDERED) return undefined
  return order === side || (order === 0 && isIncluded)
}

/** If the component's version can be read, it differs from every listed version that cannot. */
function placeInList(listed: Int32Array, probe: VersionProbe, scheme: SchemeName): Placement {
  let mayBeUpdate = false
  for (const code of listed) {
    const isListed = isListedVersion(code, probe, scheme)
    if (isListed === true) return 'inside'
    mayBeUpdate ||= isListed === undefined
  }
  if (mayBeUpdate) return 'unknown'
  return probe.whole.canRead(scheme) ? 'outside' : 'unknown'
}

/**
 * Returns undefined if the listed version is an update that the component may have. A listed version without an update
 * includes all its updates.
 */
export function isListedVersion(code: number, probe: VersionProbe, scheme: SchemeName): boolean | undefined {
  const { version, whole, base, texts } = probe
  const kind = code % LISTED_KINDS
  const index = (code - kind) / LISTED_KINDS
  const mayEqual = kind !== WITHOUT_UPDATE || version.update === null || version.update === '-'
  if (mayEqual && orderOrEqual(kind === WITH_UPDATE ? whole : base, texts, scheme, index) === 0) return true
  if (kind === PLAIN || version.update !== null) return false
  const text = texts.get(index)
  return text.startsWith(probe.prefix) || (kind === WITHOUT_UPDATE && text === version.base) ? undefined : false
}

const NO_UPDATE = ' -'

function isListed(listed: string, { text, base, update }: ComponentVersion, scheme: SchemeName): boolean {
  if (listed.endsWith(NO_UPDATE))
    return (update === null || update === '-') && isEqual(listed.slice(0, -NO_UPDATE.length), base, scheme)
  return isEqual(listed, listed.includes(' ') ? text : base, scheme)
}

function isEqual(a: string, b: string, scheme: SchemeName): boolean {
  return a === b || SCHEMES[scheme].compare(a, b) === 0
}

/** A condition that names no versions accepts every version. */
export function meetsVersions({ versions, ranges }: Requirement, version: ComponentVersion | null): boolean {
  if (versions === undefined && ranges === undefined) return true
  if (version === null) return false
  if (versions?.some((each) => isListed(each, version, 'generic'))) return true
  return (ranges ?? []).some(({ from, after, through, before }) => {
    const range = {
      low: from ?? after,
      lowIncluded: from !== undefined,
      high: through ?? before,
      highIncluded: through !== undefined,
    }
    return isInside(range, version.text, 'generic') === 'inside'
  })
}

// Decides how far a statement about a distribution's package reaches: which builds, which module stream, and up to which
// version.
import type { Component } from '../../domain/component/component.ts'
import { isOfModule, readStreamOfVersion } from '../../domain/component/rpm-stream.ts'
import type { StoredRow } from '../../record/affected-row.ts'
import { NO_TEXT, type PreparedRow, type VersionProbe } from '../versions/product-rows.ts'

/**
 * Why a statement may not reach the component. `newer`: the component's version is newer than those that the source
 * knew. `stream`: the module stream of the component or of the statement is not known.
 */
export type Doubt = 'newer' | 'stream'

/** A distribution's statements say nothing about a package that a third party built. */
export function concernsBuilder({ thirdParty, vendor }: Component, row: Pick<StoredRow, 'vendor'>): boolean {
  return thirdParty === undefined || row.vendor !== vendor
}

/** A statement about another stream says nothing about the component. */
export function concernsStream(component: Component, row: StoredRow): boolean {
  return compareStreams(component, row) !== 'other'
}

export function findDoubt(
  { row, known }: PreparedRow,
  component: Component,
  probe: VersionProbe | undefined,
): Doubt | undefined {
  if (hasUnknownStream(component, row)) return 'stream'
  if (known === NO_TEXT || probe === undefined || row.scheme === 'commit' || row.high !== null) return undefined
  const order = probe.whole.order(row.scheme, known)
  return order === -1 || order === 0 ? undefined : 'newer'
}

export function hasUnknownStream(component: Component, row: StoredRow): boolean {
  return compareStreams(component, row) === 'unknown'
}

function compareStreams(component: Component, row: StoredRow): 'same' | 'other' | 'unknown' {
  if (component.kind !== 'purl' || !row.vendor.startsWith('rpm/')) return 'same'
  const own = component.stream
  const stated = readRowStreams(row)
  if (stated === undefined) return own === undefined || own.kind === 'plain' ? 'same' : 'unknown'
  if (stated === 'plain') return own === undefined || own.kind === 'plain' ? 'same' : 'other'
  if (own?.kind === 'plain') return 'other'
  if (own?.kind !== 'stream' || stated.length === 0) return 'unknown'
  return stated.includes(own.name) ? 'same' : 'other'
}

/** Returns undefined if the source does not show whether the package is in a module. */
function readRowStreams({ streams, fixed, high, low }: StoredRow): readonly string[] | 'plain' | undefined {
  if (streams) return streams
  const version = fixed ?? high ?? low
  if (version === null) return undefined
  if (isOfModule(version)) return []
  return readStreamOfVersion(version) === undefined ? undefined : 'plain'
}

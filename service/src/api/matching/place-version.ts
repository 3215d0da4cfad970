// Compares the version of a component with the versions of a row.
import { isInside, type VersionRange } from '../../domain/version/range.ts'
import { SCHEMES, type SchemeName } from '../../domain/version/schemes.ts'
import type { AffectedRow, Requirement } from './affected-row.ts'
import type { ComponentVersion } from './component.ts'

/**
 * `vague` if the row gives no usable version, and `unknown` if the component has no version or the order of its version
 * and an end of the range is not known.
 */
export type Placement = 'inside' | 'outside' | 'unknown' | 'vague'

type Versions = Pick<AffectedRow, 'is_vague' | 'scheme' | 'versions' | 'low' | 'low_in' | 'high' | 'high_in'>

export function placeVersion(row: Versions, version: ComponentVersion | null): Placement {
  if (row.is_vague) return 'vague'
  if (version === null || row.scheme === 'commit') return 'unknown'
  if (row.versions !== null) return placeInList(row.versions, version, row.scheme)
  return isInside(toRange(row), version.text, row.scheme)
}

function toRange({ low, low_in, high, high_in }: Versions): VersionRange {
  return {
    low: low ?? undefined,
    lowIncluded: low_in === true,
    high: high ?? undefined,
    highIncluded: high_in === true,
  }
}

/** A version of the list that cannot be read is not the component's version, if that one can be read. */
function placeInList(versions: readonly string[], version: ComponentVersion, scheme: SchemeName): Placement {
  if (versions.some((each) => isListed(each, version, scheme))) return 'inside'
  // The component may have one of the listed updates.
  if (version.update === null && versions.some((each) => each.startsWith(`${version.base} `))) return 'unknown'
  return SCHEMES[scheme].compare(version.text, version.text) === undefined ? 'unknown' : 'outside'
}

const NO_UPDATE = ' -'

/**
 * In a list, an update follows its version after a blank: `11.1.2 h1`, or `11.1.2 -` for the release without an update.
 * A version without any of them stands for all its updates.
 */
function isListed(listed: string, { text, base, update }: ComponentVersion, scheme: SchemeName): boolean {
  if (listed.endsWith(NO_UPDATE))
    return (update === null || update === '-') && isEqual(listed.slice(0, -NO_UPDATE.length), base, scheme)
  return isEqual(listed, listed.includes(' ') ? text : base, scheme)
}

function isEqual(a: string, b: string, scheme: SchemeName): boolean {
  return a === b || SCHEMES[scheme].compare(a, b) === 0
}

/** Returns whether the version is one that a condition asks for. A condition without versions accepts every version. */
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

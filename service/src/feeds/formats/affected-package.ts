// Affected versions of a package, in the notations that package advisories use.
import { isOfModule } from '../../domain/component/rpm-stream.ts'
import { buildPurl } from '../../domain/source/ecosystems.ts'
import type { VendorProduct } from '../../domain/source/vendor-record.ts'

export type Bounds = Pick<VendorProduct, 'introduced' | 'fixed' | 'last_affected'>

export const UNBOUNDED: Bounds = { introduced: null, fixed: null, last_affected: null }

/** Versions that mean "before every version": `0` in OSV, and `0.0.0-0`, the lowest semantic version, in RustSec. */
const BEFORE_ALL_VERSIONS: readonly string[] = ['0', '0.0.0-0']

export function parseIntroduced(version: string): string | null {
  return BEFORE_ALL_VERSIONS.includes(version) ? null : version
}

/** Parses a version range such as `>= 1.0, < 1.2`. Returns undefined if the text has a different syntax. */
export function parseRange(text: string): Bounds | undefined {
  let bounds = UNBOUNDED
  for (const part of text.split(',')) {
    const [, operator, operand = ''] = /^(>=|<=|[<>=])([^<>=]+)$/.exec(part.trim()) ?? []
    const version = operand.trim()
    if (operator === undefined || version === '') return undefined
    bounds = { ...bounds, ...parseComparator(operator, version) }
  }
  return bounds
}

/** `> 1.0` is stored like `>= 1.0`, because VendorProduct has no exclusive lower bound. */
function parseComparator(operator: string, version: string): Partial<Bounds> {
  if (operator === '<') return { fixed: version }
  if (operator === '<=') return { last_affected: version }
  if (operator === '=') return { introduced: version, last_affected: version }
  return { introduced: parseIntroduced(version) }
}

interface NamedPackage {
  readonly ecosystem: string
  readonly name: string
  /** Used only for an ecosystem without a known purl type. */
  readonly purl?: string | null | undefined
}

/** `titleStreams`: the module streams that the advisory's title names. */
export function toAffectedProduct(
  { ecosystem, name, purl }: NamedPackage,
  bounds: Bounds,
  titleStreams: readonly string[] = [],
): VendorProduct {
  return {
    vendor: ecosystem,
    product: name,
    status: 'affected',
    cpe: null,
    purl: buildPurl(ecosystem, name) ?? purl ?? null,
    ...bounds,
    ...(bounds.fixed !== null && isOfModule(bounds.fixed) && { streams: titleStreams }),
  }
}

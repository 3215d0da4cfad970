// Compares the upper limits that providers give for the same product.
import { ANY, unescapeLimit } from '../../domain/cpe/cpe-value.ts'
import { RULES } from '../../domain/source/provider-names.ts'
import { isCommitHash } from '../../domain/version/version-form.ts'
import { compareVersions } from '../../domain/version/version-order.ts'
import type { CpeMatch, Provider } from '../model/claim.ts'
import type { CpeCandidate } from '../model/resolved.ts'
import { parseCpeCached } from '../sources/fields/parse-cpe.ts'
import { listMatches } from '../sources/fields/read-configurations.ts'

interface UpperLimit {
  readonly version: string
  readonly isIncluded: boolean
}

/** Limits by vendor and product; null if any version is affected, or if the limits cannot be compared. */
type Limits = ReadonlyMap<string, UpperLimit | null>

export interface DifferentLimits {
  /** Vendor and product, as in a CPE name. */
  readonly product: string
  readonly limits: readonly [LimitBy, LimitBy]
}

export interface LimitBy extends UpperLimit {
  readonly by: Provider
}

/** Lists the products about whose last affected version two providers contradict each other, each product once. */
export function listDifferentLimits(candidates: readonly CpeCandidate[]): readonly DifferentLimits[] {
  const first = candidates.filter(
    ({ by }, index) => by !== RULES && candidates.findIndex((each) => each.by === by) === index,
  )
  if (first.length < 2) return []
  const read = first.map((each) => ({ by: each.by, limits: readLimits(each) }))
  const found = read.flatMap((some, index) => read.slice(index + 1).flatMap((other) => compareLimits(some, other)))
  return found.filter(({ product }, index) => found.findIndex((each) => each.product === product) === index)
}

interface ProviderLimits {
  readonly by: Provider
  readonly limits: Limits
}

function compareLimits(some: ProviderLimits, other: ProviderLimits): readonly DifferentLimits[] {
  return [...some.limits].flatMap(([product, limit]) => {
    const contrary = other.limits.get(product)
    if (!limit || !contrary || !isContrary(limit, contrary)) return []
    return {
      product,
      limits: [
        { ...limit, by: some.by },
        { ...contrary, by: other.by },
      ] as const,
    }
  })
}

function readLimits({ configurations }: CpeCandidate): Limits {
  const limits = new Map<string, UpperLimit | null>()
  for (const match of listMatches(configurations)) {
    if (!match.vulnerable) continue
    const limit = readLimit(match)
    if (limit === undefined) continue
    const { vendor = '', product = '' } = parseCpeCached(match.criteria) ?? {}
    const key = `${vendor}:${product}`
    const known = limits.get(key)
    limits.set(key, known === undefined ? limit : findHigher(known, limit))
  }
  return limits
}

/** Returns undefined for a single version, which has no limit. */
function readLimit({ criteria, versionEndExcluding, versionEndIncluding }: CpeMatch): UpperLimit | null | undefined {
  const version = versionEndExcluding ?? versionEndIncluding
  if (version === undefined) return parseCpeCached(criteria)?.version === ANY ? null : undefined
  return isCommitHash(version)
    ? null
    : { version: unescapeLimit(version), isIncluded: versionEndExcluding === undefined }
}

function findHigher(a: UpperLimit | null, b: UpperLimit | null): UpperLimit | null {
  const order = a && b ? compareVersions(a.version, b.version) : undefined
  if (order === undefined) return null
  if (order === 0) return a?.isIncluded ? a : b
  return order > 0 ? a : b
}

/**
 * An included end agrees with a later excluded one, which can be the next version: `<= 2.3.1` and `< 2.3.2` usually
 * mean the same.
 */
function isContrary(a: UpperLimit, b: UpperLimit): boolean {
  const order = compareVersions(a.version, b.version)
  if (order === undefined) return false
  if (a.isIncluded === b.isIncluded) return order !== 0
  return a.isIncluded ? order >= 0 : order <= 0
}

// Reads the ranges and single versions that sources list as affected, to compare them with the fixed versions that
// others name.
import { readEdition } from '../../../domain/cpe/cpe.ts'
import { unescapeCpeValue, unescapeLimit } from '../../../domain/cpe/cpe-value.ts'
import type { Affected, Claim, ClaimSource, CpeMatch, Provider } from '../../model/claim.ts'
import { parseCpeCached } from '../../sources/fields/parse-cpe.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { findTime } from '../provenance.ts'
import { toVersionLimits } from '../versions/version-ranges.ts'
import { listLastOfMatch } from './affected-ends.ts'
import { readEntryEdition } from './entry-edition.ts'
import { isRedistributed } from './fix-statements.ts'

export interface AffectedSpan {
  readonly source: ClaimSource
  readonly by: Provider
  readonly time: string | null
  readonly vendor: string
  readonly product: string
  readonly packageUrl: string | null
  readonly packageName?: string
  /** Target software of the CPE name. */
  readonly platform?: string
  readonly edition?: string
  /** Null for the first version. */
  readonly start: string | null
  /** The last affected version, or the only one, or the first one after the range. */
  readonly end: string
  readonly isEndAffected: boolean
  /** False for a range of a configuration, which can be about one platform only. */
  readonly isOfEntry: boolean
  /** Only the first version of a range. Other sources may call it fixed in an older branch. */
  readonly isStartOnly?: true
}

type Limits = Pick<AffectedSpan, 'start' | 'end' | 'isEndAffected' | 'isStartOnly'>

export function readAffectedSpans(claim: Claim): readonly AffectedSpan[] {
  const { source, configurations, configurationsBy, affected } = claim
  const stated = { source, time: findTime(claim) }
  return [
    ...listMatches(configurations).flatMap((match) =>
      listLimitsOfMatch(match).map((limits) => ({
        ...stated,
        ...readName(match),
        ...limits,
        by: configurationsBy,
        isOfEntry: false,
      })),
    ),
    ...affected
      .filter((each) => !isRedistributed(each, source))
      .flatMap((each) => {
        const { by, vendor, product, packageUrl, packageName } = each
        const about = { ...stated, by, vendor, product, packageUrl, ...(packageName !== undefined && { packageName }) }
        const scope = { ...readEntryEdition(each), isOfEntry: true }
        const limits = [...listLimitsOfProduct(each), ...listStarts(each)]
        return limits.map((found) => ({ ...about, ...scope, ...found }))
      }),
  ]
}

function readName({ criteria }: CpeMatch) {
  const name = parseCpeCached(criteria)
  const platform = name && unescapeCpeValue(name.targetSoftware)
  const [vendor = '', product = ''] = name ? [name.vendor, name.product].map(unescapeCpeValue) : []
  const edition = (name && readEdition(name)) ?? undefined
  const scope = { ...(platform !== undefined && { platform }), ...(edition !== undefined && { edition }) }
  return { vendor, product, packageUrl: null, ...scope }
}

function listLimitsOfMatch(match: CpeMatch): readonly Limits[] {
  const { vulnerable, inverted, versionStartIncluding, versionStartExcluding, versionEndExcluding } = match
  if (!vulnerable || inverted) return []
  const first = versionStartIncluding ?? versionStartExcluding
  const start = first === undefined ? null : unescapeLimit(first)
  if (versionEndExcluding !== undefined)
    return [{ start, end: unescapeLimit(versionEndExcluding), isEndAffected: false }]
  const isSingle = match.versionEndIncluding === undefined
  const ends = listLastOfMatch(match).filter((each) => /\d/.test(each))
  return ends.map((end) => ({ start: isSingle ? end : start, end, isEndAffected: true }))
}

/**
 * A product with a change of status inside a range is left out, and so is one without a vendor: there, CNAs often list
 * fixed versions.
 */
function listLimitsOfProduct(affected: Affected): readonly Limits[] {
  if (affected.vendor === '' || affected.ranges.some(({ fixedAt }) => fixedAt !== undefined)) return []
  return toVersionLimits(affected).flatMap(({ version, between, isUnknown, isDerived }) => {
    if (isUnknown || isDerived) return []
    if (version !== undefined) return [{ start: version, end: version, isEndAffected: true }]
    const { versionStartIncluding: start = null, versionEndIncluding, versionEndExcluding } = between ?? {}
    const end = versionEndIncluding ?? versionEndExcluding
    return end === undefined ? [] : [{ start, end, isEndAffected: versionEndIncluding !== undefined }]
  })
}

/** A start is affected whatever the range says about its end. */
function listStarts(affected: Affected): readonly Limits[] {
  return toVersionLimits(affected).flatMap(({ between }) => {
    const start = between?.versionStartIncluding
    return start === undefined ? [] : [{ start, end: start, isEndAffected: true, isStartOnly: true }]
  })
}

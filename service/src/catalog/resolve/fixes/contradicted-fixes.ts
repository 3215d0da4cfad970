// Finds wrong fixes: some CNAs write `< 6.4` although 6.4 is affected, and NVD's analysts sometimes read "2.4 and
// prior" as "before 2.4".
import type { AffectedRange, Claim, CpeMatch, Provider } from '../../model/claim.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { readFix } from '../../sources/fields/read-fix.ts'
import { listFixStatements } from '../../sources/prose/find-fix-statement.ts'
import { listLastOfMatch, listLastOfProduct, toVersionKey } from './affected-ends.ts'

interface Statements {
  readonly affected: Set<string>
  readonly fixed: Set<string>
}

/**
 * Removes fixes that are certainly wrong: a description names the version as affected, no description names it as
 * fixed, and either another provider lists it as affected and nowhere as fixed, or a description names another version
 * as fixed. The range of an affected product then includes its end; CPE configurations stay as their provider wrote
 * them.
 */
export function dropContradictedFixes(claims: readonly Claim[]): readonly Claim[] {
  const fixed = new Set(claims.flatMap(listFixedVersions).map(toVersionKey))
  if (fixed.size === 0) return claims
  const texts = [...new Set(claims.flatMap(({ description }) => description?.toLowerCase() ?? []))]
  const named = [...fixed].filter((version) => texts.some((text) => text.includes(version)))
  if (named.length === 0) return claims
  const stated = collectStatements(claims)
  const contradicted = new Set(
    [...stated].flatMap(([by, statements]) => listContradicted(by, statements.fixed, stated)),
  )
  const namedFixes = new Set(texts.flatMap(listFixStatements).map(({ version }) => toVersionKey(version)))
  const wrong = new Set(
    named.filter(
      (version) =>
        !namedFixes.has(version) &&
        (namedFixes.size > 0 || contradicted.has(version)) &&
        texts.some((text) => namesAsAffected(text, version)),
    ),
  )
  return wrong.size === 0 ? claims : claims.map((claim) => correctClaim(claim, wrong))
}

/** Allows a cheap check first: most CVEs have no fixed version that a text names. */
function listFixedVersions({ configurations, affected }: Claim): readonly string[] {
  return [
    ...listMatches(configurations).flatMap(readFixedEnd),
    ...affected.flatMap(({ ranges }) => ranges.flatMap(listFixed)),
  ]
}

function readFixedEnd({ vulnerable, versionEndExcluding }: CpeMatch): readonly string[] {
  return vulnerable && versionEndExcluding !== undefined ? [versionEndExcluding] : []
}

function collectStatements(claims: readonly Claim[]): ReadonlyMap<Provider, Statements> {
  const stated = new Map<Provider, Statements>()
  for (const { configurations, configurationsBy, affected } of claims) {
    for (const match of listMatches(configurations))
      addStatements(stated, configurationsBy, readFixedEnd(match), listLastOfMatch(match))
    for (const product of affected)
      addStatements(stated, product.by, product.ranges.flatMap(listFixed), listLastOfProduct(product))
  }
  return stated
}

function addStatements(
  stated: Map<Provider, Statements>,
  by: Provider,
  fixed: readonly string[],
  affected: readonly string[],
): void {
  if (fixed.length === 0 && affected.length === 0) return
  const known = stated.get(by) ?? { affected: new Set(), fixed: new Set() }
  stated.set(by, known)
  for (const each of fixed) known.fixed.add(toVersionKey(each))
  for (const each of affected) known.affected.add(toVersionKey(each))
}

function listFixed({ isAffected, version, lessThan, fixedAt }: AffectedRange): readonly string[] {
  return (isAffected ? [lessThan, fixedAt ?? null] : [version]).filter((each) => each !== null)
}

function listContradicted(
  by: Provider,
  fixed: ReadonlySet<string>,
  stated: ReadonlyMap<Provider, Statements>,
): readonly string[] {
  const others = [...stated].filter(([other]) => other !== by).map(([, statements]) => statements)
  return [...fixed].filter((version) =>
    others.some((other) => other.affected.has(version) && !other.fixed.has(version)),
  )
}

function correctClaim(claim: Claim, wrong: ReadonlySet<string>): Claim {
  const isWrong = (version: string) => wrong.has(toVersionKey(version))
  const affected = claim.affected.map((product) => ({
    ...product,
    ranges: product.ranges.map((range) => includeEnd(range, isWrong)),
  }))
  const corrected = { ...claim, affected, affectedEnds: wrong }
  const { fix, fixBy } = readFix(corrected, isWrong)
  return claim.fix === null ? corrected : { ...corrected, fix, ...(fixBy !== undefined && { fixBy }) }
}

function includeEnd(range: AffectedRange, isWrong: (version: string) => boolean): AffectedRange {
  const { isAffected, lessThan, fixedAt } = range
  if (!isAffected || lessThan === null || !isWrong(lessThan) || fixedAt !== undefined) return range
  return { ...range, lessThan: null, lessThanOrEqual: lessThan }
}

const OLDER_TOO = /^,? (?:and|or)(?: all)? (?:prior|below|earlier|before|older|previous|lower)\b/i
const LAST_OF_RANGE =
  /(?:<=|≤|=<|\bthrough|\bup to(?: and including)?|\bversions? [\w.]{1,30} ?[-–]|\d ?[-–]) ?(?:versions? )?v?$/i
// regex-bound: at most CONTEXT_LENGTH (120) characters come before the version
const LIST = /(?:\bv?\d[\w.]{0,30}(?:,? and |,? or |, ))+v?$/i
const LIST_TITLE = /\bversions? ?v?$/i
/** Words before a version or a list of versions that call them fixed. */
const FIX_BEFORE =
  /\b(?:before|prior|earlier|than|to|since|starting|resolved|addressed)\b|\b(?:fix|patch|upgrad|updat|releas)/i
/** Words after a list that say what the versions contain: `Versions 3.5.0 and 2.11.6 patch the issue`. */
const FIX_AFTER = /^[^.;]{0,80}\b(?:patch|fix|resolv|address|contain|includ|correct|remed|mitigat|releas)/i
const CONTEXT_LENGTH = 120

/**
 * True for `2.4 and prior`, `<= 2.4` or `versions 2.3, 2.4`, if the version is nowhere called fixed. `text` is in lower
 * case.
 */
function namesAsAffected(text: string, version: string): boolean {
  const found = new Set(listPlaces(text, version).map(classifyPlace))
  return found.has('affected') && !found.has('fixed')
}

interface Place {
  readonly before: string
  readonly after: string
}

function listPlaces(text: string, version: string): readonly Place[] {
  const places: Place[] = []
  for (let at = text.indexOf(version); at >= 0; at = text.indexOf(version, at + 1)) {
    const end = at + version.length
    const place = {
      before: text.slice(Math.max(0, at - CONTEXT_LENGTH), at),
      after: text.slice(end, end + CONTEXT_LENGTH),
    }
    if (isWholeVersion(place)) places.push(place)
  }
  return places
}

/** False for 2.4 in 12.4 or 2.4.1. */
function isWholeVersion({ before, after }: Place): boolean {
  return !/[\w.]$/.test(before.replace(/\bv$/, '')) && !/^(?:[\w-]|\.\w)/.test(after)
}

function readLastClause(text: string): string {
  return text.split(/[,;.]/).at(-1) ?? ''
}

function classifyPlace({ before, after }: Place): 'affected' | 'fixed' | undefined {
  if (OLDER_TOO.test(after) || LAST_OF_RANGE.test(before)) return 'affected'
  const title = before.replace(LIST, '')
  if (FIX_BEFORE.test(readLastClause(title.replace(LIST_TITLE, '')))) return 'fixed'
  if (!LIST_TITLE.test(title)) return undefined
  return FIX_AFTER.test(after) ? 'fixed' : 'affected'
}

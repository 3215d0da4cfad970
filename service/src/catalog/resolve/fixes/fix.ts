// Chooses the evidence that a fix exists (decision C16).
import type { Claim, Provider } from '../../model/claim.ts'
import type { Conclusion } from '../../model/conclusion.ts'
import { describeEvidence, type FixEvidence, type FixStatement } from '../../model/fix-evidence.ts'
import type { Attributed, Chosen } from '../../model/resolved.ts'
import type { SourceData } from '../../model/source-data.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { type IsDoubted, readFix } from '../../sources/fields/read-fix.ts'
import { CISA_KEV } from '../../sources/kev.ts'
import { EU_KEV } from '../../sources/kev-names.ts'
import { findFixStatement } from '../../sources/prose/find-fix-statement.ts'
import { listSolutionStatements } from '../../sources/prose/find-solution-statements.ts'
import { createDoubt } from '../conclusions/conclusions.ts'
import { choose, FIX, orderClaims } from '../precedence.ts'
import { attribute, findTimes } from '../provenance.ts'
import { listTagged } from '../references.ts'
import { REJECTED } from '../status.ts'
import { listLastOfMatch, listLastOfProduct, toVersionKey } from './affected-ends.ts'

/**
 * Prefers a source that names a fixed version, else a reference with the tag Patch, else a KEV entry that requires
 * updates, else an EU KEV entry with the day of a patch, else prose, which takes longer to read and is less certain.
 * Versions that are affected according to a conclusion are no evidence.
 */
export function resolveFix(
  claims: readonly Claim[],
  { kev, euKev }: Pick<SourceData, 'kev' | 'euKev'>,
  conclusions: readonly Conclusion[],
): Chosen<FixEvidence> | null {
  const named = listNamed(replaceDoubted(claims, conclusions))
  const listed = [...named, ...listPatchLinks(claims), ...listRequiredUpdates(kev), ...listPatches(euKev)]
  return choose(listed) ?? choose(listStatements(claims))
}

/** Lists the evidence that names a version which is affected according to a conclusion. */
export function listDoubtedFixes(claims: readonly Claim[], conclusions: readonly Conclusion[]): Evidence {
  const isDoubted = createDoubt(conclusions)
  return isDoubted === undefined ? [] : listNamed(claims.filter((each) => namesDoubted(each, isDoubted)))
}

/** Another version that the same source names takes the place of a doubted one. */
function replaceDoubted(claims: readonly Claim[], conclusions: readonly Conclusion[]): readonly Claim[] {
  const isDoubted = createDoubt(conclusions)
  if (isDoubted === undefined) return claims
  return claims.map((claim) => {
    if (!namesDoubted(claim, isDoubted)) return claim
    const { fix, fixBy } = readFix(claim, isDoubted)
    return { ...claim, fix, ...(fixBy !== undefined && { fixBy }) }
  })
}

function namesDoubted({ fix, fixBy, provider }: Claim, isDoubted: IsDoubted): boolean {
  return fix?.kind === 'version' && isDoubted(fix.version, fixBy ?? provider)
}

type Evidence = readonly Attributed<FixEvidence>[]

/** NVD repeats a CNA's statements under the CNA's name; such evidence has the time of the CNA's own record. */
function listNamed(claims: readonly Claim[]): Evidence {
  const named = new Map<string, Attributed<FixEvidence>>()
  for (const claim of orderClaims(claims, FIX)) {
    if (claim.fix === null) continue
    const stated = attribute(claim.fix, claim, claim.fixBy)
    const key = `${stated.by}\n${describeEvidence(claim.fix)}`
    if (!named.has(key) || claim.source === 'cve') named.set(key, stated)
  }
  return [...named.values()]
}

function listPatchLinks(claims: readonly Claim[]): Evidence {
  const [patch] = listTagged(claims, 'Patch')
  return patch === undefined ? [] : [attribute({ kind: 'patch-link', url: patch.url }, patch.claim, patch.by)]
}

/**
 * Other required actions say nothing about a fix: since 2026-06-11 all of them mention the title of a directive,
 * "Prioritizing Security Updates Based on Risk".
 */
const REQUIRES_UPDATES = /^\s*apply updates\b/i

function listRequiredUpdates(kev: SourceData['kev']): Evidence {
  if (kev === null || kev.removedAt !== null || !REQUIRES_UPDATES.test(kev.requiredAction)) return []
  return [{ value: { kind: 'required-update' }, by: CISA_KEV, time: kev.dateAdded }]
}

/** ENISA names a day, not the fixed version. */
function listPatches(euKev: SourceData['euKev']): Evidence {
  if (euKev === null || euKev.removedAt !== null || euKev.patchedSince === null) return []
  return [{ value: { kind: 'patch-day', day: euKev.patchedSince }, by: EU_KEV, time: euKev.dateListed }]
}

/**
 * Lists one statement per solution text or description. A statement is dropped if a source lists its version as
 * affected, as for about 1,400 CVEs: a CNA's solution can name the fixed versions of several products, and one of them
 * can be an affected version of another product.
 */
function listStatements(claims: readonly Claim[]): Evidence {
  const texts = orderClaims(claims, FIX).flatMap(listTexts)
  if (texts.every(({ statements }) => statements.length === 0)) return []
  const affected = new Set(claims.flatMap(listAffectedVersions).map(toVersionKey))
  const times = findTimes(claims, ({ provider, solutions = [] }) => [{ by: provider }, ...solutions])
  return texts.flatMap(({ kind, statements, by }) => {
    const statement = statements.find(({ version }) => !affected.has(toVersionKey(version)))
    return statement === undefined ? [] : [{ value: { kind, ...statement }, by, time: times.get(by) ?? null }]
  })
}

interface StatementsOfText {
  readonly kind: 'prose' | 'solution'
  readonly statements: readonly FixStatement[]
  readonly by: Provider
}

/** The description of a rejected record says why the CVE was rejected. */
function listTexts({ source, solutions = [], description, provider, status }: Claim): readonly StatementsOfText[] {
  const solved = solutions.map(({ text, by }) => ({
    kind: 'solution' as const,
    // Vendors' comments in NVD's record are not solutions.
    statements: [...findFirst(text), ...(source === 'cve' ? listSolutionStatements(text) : [])],
    by,
  }))
  if (status === REJECTED || description === null) return solved
  return [...solved, { kind: 'prose', statements: findFirst(description), by: provider }]
}

function findFirst(text: string): readonly FixStatement[] {
  const statement = findFixStatement(text)
  return statement === null ? [] : [statement]
}

/** Lists single versions and the last versions of ranges. */
function listAffectedVersions({ configurations, affected }: Claim): readonly string[] {
  return [...listMatches(configurations).flatMap(listLastOfMatch), ...affected.flatMap(listLastOfProduct)]
}

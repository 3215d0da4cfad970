// Chooses the evidence that a fix exists (decision C16).
import { remember } from '../../../domain/remember.ts'
import { compareVersions } from '../../../domain/version/version-order.ts'
import type { Claim, Provider } from '../../model/claim.ts'
import type { FixEvidence, FixStatement } from '../../model/fix-evidence.ts'
import type { Attributed, Chosen, Fix, Resolved } from '../../model/resolved.ts'
import type { SourceData } from '../../model/source-data.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { CISA_KEV } from '../../sources/kev.ts'
import { EU_KEV } from '../../sources/kev-names.ts'
import { findFixStatement } from '../../sources/prose/find-fix-statement.ts'
import { listSolutionStatements } from '../../sources/prose/find-solution-statements.ts'
import { choose, FIX, orderClaims } from '../precedence.ts'
import { attribute, findTimes } from '../provenance.ts'
import { listTagged } from '../references.ts'
import { REJECTED } from '../status.ts'
import { listLastOfMatch, listLastOfProduct, toVersionKey } from './affected-ends.ts'
import { isRedistributed } from './fix-statements.ts'
import { createNamedTest } from './own-products.ts'

/**
 * Prefers a fixed version of the product itself, else a reference with the tag Patch, else a KEV entry that requires
 * updates, else an EU KEV entry with the day of a patch, else prose, which takes longer to read and is less certain.
 * A product that contains it, such as a distribution's package, never stands for the CVE (decision E36), so it comes
 * last. Versions that are affected according to a conclusion are no evidence.
 */
export function resolveFix(
  claims: readonly Claim[],
  { kev, euKev }: Pick<SourceData, 'kev' | 'euKev'>,
  fixes: readonly Fix[],
): Chosen<FixEvidence> | null {
  const certain = fixes.filter(({ isDoubted }) => !isDoubted)
  const unlisted = listUnlisted(claims, fixes)
  const listed = [
    ...listNamed(certain.filter(isOwn)),
    ...unlisted.filter((each) => !each.isRedistributed),
    ...listPatchLinks(claims),
    ...listRequiredUpdates(kev),
    ...listPatches(euKev),
  ]
  const first = listed.length === 0 ? listStatements(claims) : listed
  const known = new Set(first.map(({ by }) => by))
  const downstream = [
    ...listNamed(
      putNamedFirst(
        claims,
        certain.filter((each) => !isOwn(each)),
      ),
    ),
    ...unlisted.filter((each) => each.isRedistributed),
  ].filter(({ by }) => !known.has(by))
  return choose([...first, ...downstream].map(({ value, by, time }) => ({ value, by, time })))
}

/** Lists the evidence that names a version which is affected according to a conclusion. */
export function listDoubtedFixes(fixes: readonly Fix[]): Evidence {
  return listNamed(fixes.filter(({ isDoubted }) => isDoubted))
}

/**
 * Lists doubted fixes with every source that names them, and rivals that the chosen version follows: its source calls
 * them affected.
 */
export function listDoubted(fixes: readonly Fix[]): Resolved['doubted'] {
  return fixes.flatMap(({ product, version, by, isDoubted, agreeing, rivals }) => [
    ...(isDoubted ? [{ by }, ...agreeing].map((each) => ({ product, version, by: each.by })) : []),
    ...rivals.flatMap((each) =>
      (compareVersions(each.version, version) ?? 0) < 0 ? { product, version: each.version, by: each.by } : [],
    ),
  ])
}

type Evidence = readonly Attributed<FixEvidence>[]

function isOwn({ rank }: Fix): boolean {
  return rank === 'own'
}

/**
 * An erratum rebuilds a whole module: the package that the CVE names comes before the others. The longest name is the
 * most specific one: a text about `Maven maven-shared-utils` also names `maven`.
 */
function putNamedFirst(claims: readonly Claim[], fixes: readonly Fix[]): readonly Fix[] {
  if (fixes.length < 2) return fixes
  const isNamed = createNamedTest(claims)
  const named = fixes.filter(isNamed).toSorted((a, b) => b.product.length - a.product.length)
  return [...named, ...fixes.filter((each) => !isNamed(each))]
}

/** Lists one version per source: that of the first fix, if the source names one there, else of the next fix. */
function listNamed(fixes: readonly Fix[]): Evidence {
  const named = new Map<Provider, Attributed<FixEvidence>>()
  for (const fix of fixes) {
    const { product, branch, version, rank } = fix
    const agreeing = fix.agreeing.map((each) => ({ ...each, version }))
    const place = {
      ...(product !== '' && { product }),
      ...(branch !== null && { branch }),
      ...(rank !== 'own' && { isDownstream: true as const }),
    }
    for (const each of [fix, ...agreeing, ...fix.rivals]) {
      const { by, time, member, version: own } = each
      const mark = each === fix && fix.isDerived ? { isDerived: true as const } : {}
      if (!named.has(by))
        named.set(by, { value: { kind: 'version', member, version: own, ...place, ...mark }, by, time })
    }
  }
  return [...named.values()]
}

/** Lists what the remaining sources state instead of a version, such as `All versions < V5.4.0`. */
function listUnlisted(claims: readonly Claim[], fixes: readonly Fix[]) {
  const listed = new Set(
    fixes.flatMap(({ by, agreeing, rivals }) => [by, ...[...agreeing, ...rivals].map((each) => each.by)]),
  )
  return orderClaims(claims, FIX).flatMap((claim) => {
    const by = claim.fixBy ?? claim.provider
    if (claim.fix === null || listed.has(by)) return []
    listed.add(by)
    const isOfPackages = claim.affected.every((each) => isRedistributed(each, claim.source))
    return [{ ...attribute(claim.fix, claim, by), isRedistributed: claim.affected.length > 0 && isOfPackages }]
  })
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
    statements: [...(findFirst(text) ?? []), ...(source === 'cve' ? listSolutionStatements(text) : [])],
    by,
  }))
  if (status === REJECTED || description === null) return solved
  return [...solved, { kind: 'prose', statements: findFirst(description) ?? [], by: provider }]
}

const MAX_TEXTS = 100

/** Several sources repeat a text. */
const findFirst = remember((text): readonly FixStatement[] => {
  const statement = findFixStatement(text)
  return statement === null ? [] : [statement]
}, MAX_TEXTS)

/** Lists single versions and the last versions of ranges. */
function listAffectedVersions({ configurations, affected }: Claim): readonly string[] {
  return [...listMatches(configurations).flatMap(listLastOfMatch), ...affected.flatMap(listLastOfProduct)]
}

// Resolves the evidence that a fix exists (decision C16).
import type { Claim, Provider } from '../../model/claim.ts'
import type { Attributed, Chosen } from '../../model/resolved.ts'
import type { SourceData } from '../../model/source-data.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { CISA_KEV } from '../../sources/kev.ts'
import { type FixStatement, findFixStatement } from '../../sources/prose/find-fix-statement.ts'
import { listSolutionStatements } from '../../sources/prose/find-solution-statements.ts'
import { choose, FIX, orderClaims } from '../precedence.ts'
import { listTagged } from '../references.ts'
import { REJECTED } from '../status.ts'
import { listLastOfMatch, listLastOfProduct, toVersionKey } from './affected-ends.ts'

/**
 * Chooses the evidence that a fix exists: a source that names a fixed version, else a reference with the tag Patch, else
 * a KEV entry that requires updates, else an EU KEV entry with the day of a patch, else a statement in prose. Prose is
 * read only if there is no other evidence, because it takes longer and is less certain.
 */
export function resolveFix(
  claims: readonly Claim[],
  { kev, euKev }: Pick<SourceData, 'kev' | 'euKev'>,
): Chosen<string> | null {
  const named = orderClaims(claims, FIX).flatMap(({ fix, fixBy, provider }) =>
    fix === null ? [] : [{ value: fix, by: fixBy ?? provider }],
  )
  const patch = findPatch(claims)
  const listed = [...named, ...(patch ? [patch] : []), ...listRequiredUpdates(kev), ...listPatches(euKev)]
  return choose(dropRepeated(listed)) ?? choose(listStatements(claims))
}

/** Returns whether the record of a source contains the evidence. */
export function statesFix(claim: Claim, { value, by }: Attributed<string>): boolean {
  if (value.startsWith(PATCH))
    return listTagged([claim], 'Patch').some((each) => each.by === by && PATCH + each.url === value)
  if (by === CISA_KEV) return claim.provider === by
  if (IN_TEXT.test(value)) return claim.provider === by || (claim.solutions ?? []).some((each) => each.by === by)
  return claim.fix === value && (claim.fixBy ?? claim.provider) === by
}

/** NVD repeats what a CNA states, under the name of the CNA. */
function dropRepeated(listed: readonly Attributed<string>[]): readonly Attributed<string>[] {
  return [...new Map(listed.map((each) => [`${each.by}\n${each.value}`, each])).values()]
}

/** Start of the evidence of a reference with the tag Patch. */
const PATCH = 'Patch '
/** End of the evidence of a text. */
const IN_TEXT = /\((?:prose|solution)\)$/

function findPatch(claims: readonly Claim[]): Attributed<string> | undefined {
  const [patch] = listTagged(claims, 'Patch')
  return patch && { value: PATCH + patch.url, by: patch.by }
}

/** Provider of the statements of ENISA's catalog EU KEV. */
export const EU_KEV = 'eu-kev'

/**
 * Matches a required action that begins with "Apply updates". Other required actions say nothing about a fix: since
 * 2026-06-11 every required action mentions the title of a directive, "Prioritizing Security Updates Based on Risk".
 */
const REQUIRES_UPDATES = /^\s*apply updates\b/i

function listRequiredUpdates(kev: SourceData['kev']): readonly Attributed<string>[] {
  if (kev === null || kev.removedAt !== null || !REQUIRES_UPDATES.test(kev.requiredAction)) return []
  return [{ value: 'required action: Apply updates', by: CISA_KEV }]
}

/** ENISA names the day since which a patch exists, not the fixed version. */
function listPatches(euKev: SourceData['euKev']): readonly Attributed<string>[] {
  if (euKev === null || euKev.removedAt !== null || euKev.patchedSince === null) return []
  return [{ value: `patchedSince ${euKev.patchedSince}`, by: EU_KEV }]
}

/**
 * Lists the statements about a fix in solutions and descriptions, one per text. A statement is dropped if a source lists
 * its version as affected, which is so for about 1,400 CVEs. Solutions of a CNA can name the fixed versions of several
 * products; the version of the first can be an affected version of the second.
 */
function listStatements(claims: readonly Claim[]): readonly Attributed<string>[] {
  const texts = orderClaims(claims, FIX).flatMap(listTexts)
  if (texts.every(({ statements }) => statements.length === 0)) return []
  const affected = new Set(claims.flatMap(listAffectedVersions).map(toVersionKey))
  return texts.flatMap(({ kind, statements, by }) => {
    const statement = statements.find(({ version }) => !affected.has(toVersionKey(version)))
    return statement === undefined ? [] : [{ value: `${statement.phrase} ${statement.version} (${kind})`, by }]
  })
}

interface StatementsOfText {
  /** Kind of the text, by which the evidence ends: a description, or a text about the solution. */
  readonly kind: 'prose' | 'solution'
  readonly statements: readonly FixStatement[]
  readonly by: Provider
}

/** The description of a rejected record says why the CVE was rejected. */
function listTexts({ source, solutions = [], description, provider, status }: Claim): readonly StatementsOfText[] {
  const solved = solutions.map(({ text, by }) => ({
    kind: 'solution' as const,
    // NVD's record holds comments of vendors, which are no solutions.
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

/** Lists the versions that a source names as affected: single versions and the last versions of ranges. */
function listAffectedVersions({ configurations, affected }: Claim): readonly string[] {
  return [...listMatches(configurations).flatMap(listLastOfMatch), ...affected.flatMap(listLastOfProduct)]
}

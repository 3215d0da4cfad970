// Finds versions that a source calls fixed although they are affected: some CNAs write `< 6.4` although 6.4 is affected,
// and advisories sometimes turn "2.4 and prior" into "before 2.4".
import type { AffectedRange, Claim, CpeMatch, Provider } from '../../model/claim.ts'
import type { AffectedVersion } from '../../model/conclusion.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { listFixStatements } from '../../sources/prose/find-fix-statement.ts'
import { listLastOfMatch, listLastOfProduct, toVersionKey } from '../fixes/affected-ends.ts'
import { isNamedAsAffected } from './named-as-affected.ts'

interface Statements {
  readonly affected: Set<string>
  readonly fixed: Set<string>
}

type StatementsByProvider = ReadonlyMap<Provider, Statements>

interface Description {
  /** In lower case. */
  readonly text: string
  readonly by: Provider
}

/**
 * A version is affected if a description names it as affected, no description names it as fixed, and either another
 * provider lists it as affected and nowhere as fixed, or a description names another version as fixed.
 */
export function findAffectedFixes(claims: readonly Claim[]): readonly AffectedVersion[] {
  const fixed = new Set(claims.flatMap(listFixedVersions).map(toVersionKey))
  if (fixed.size === 0) return []
  const descriptions = listDescriptions(claims)
  const named = [...fixed].filter((version) => descriptions.some(({ text }) => text.includes(version)))
  if (named.length === 0) return []
  const stated = collectStatements(claims)
  const fixedInProse = new Set(
    descriptions.flatMap(({ text }) => listFixStatements(text)).map(({ version }) => toVersionKey(version)),
  )
  return named
    .filter((version) => !fixedInProse.has(version))
    .flatMap((version) => conclude(version, stated, descriptions, fixedInProse.size > 0) ?? [])
}

function conclude(
  version: string,
  stated: StatementsByProvider,
  descriptions: readonly Description[],
  hasOtherFix: boolean,
): AffectedVersion | undefined {
  const against = listProviders(stated, ({ fixed }) => fixed.has(version))
  const listedBy = listProviders(stated, ({ affected, fixed }) => affected.has(version) && !fixed.has(version))
  if (against.length === 0 || (listedBy.length === 0 && !hasOtherFix)) return undefined
  const describedBy = descriptions.filter(({ text }) => text.includes(version))
  const isNamed = isNamedAsAffected(
    describedBy.map(({ text }) => text),
    version,
    listedBy.length > 0,
  )
  return isNamed
    ? { kind: 'affected', version, against, listedBy, describedBy: describedBy.map(({ by }) => by) }
    : undefined
}

function listProviders(stated: StatementsByProvider, says: (statements: Statements) => boolean): readonly Provider[] {
  return [...stated].filter(([, statements]) => says(statements)).map(([by]) => by)
}

/** Several sources can repeat a text; it counts for the first of them. */
function listDescriptions(claims: readonly Claim[]): readonly Description[] {
  const byText = new Map<string, Description>()
  for (const { description, provider } of claims) {
    const text = description?.toLowerCase()
    if (text !== undefined && !byText.has(text)) byText.set(text, { text, by: provider })
  }
  return [...byText.values()]
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

function collectStatements(claims: readonly Claim[]): StatementsByProvider {
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

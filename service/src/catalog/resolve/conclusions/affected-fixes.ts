// Finds versions that a source calls fixed although they are affected: some CNAs write `< 6.4` although 6.4 is affected,
// and advisories sometimes turn "2.4 and prior" into "before 2.4".
import { unescapeLimit } from '../../../domain/cpe/cpe-value.ts'
import type { AffectedRange, Claim, CpeMatch, Provider } from '../../model/claim.ts'
import type { AffectedVersion } from '../../model/conclusion.ts'
import { listFixedMatches } from '../../sources/fields/fixed-matches.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { listFixStatements } from '../../sources/prose/find-fix-statement.ts'
import { listLastOfMatch, listLastOfProduct, toVersionKey } from '../fixes/affected-ends.ts'
import { listFixedInSolutions } from '../fixes/fixed-in-texts.ts'
import { toNameKey } from '../products/product-name-keys.ts'
import { isNamedAsAffected } from './named-as-affected.ts'
import { readProduct } from './stated-products.ts'

/** Products (`toNameKey`) by version. */
interface Statements {
  readonly affected: Map<string, Set<string>>
  readonly fixed: Map<string, Set<string>>
  readonly products: Set<string>
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
  const fixedInSolutions = new Set(claims.flatMap(listFixedInSolutions))
  return named
    .filter((version) => !fixedInProse.has(version) && !fixedInSolutions.has(version))
    .flatMap((version) => conclude(version, stated, descriptions, fixedInProse.size > 0) ?? [])
}

function conclude(
  version: string,
  stated: StatementsByProvider,
  descriptions: readonly Description[],
  hasOtherFix: boolean,
): AffectedVersion | undefined {
  const against = listProviders(stated, ({ fixed }) => fixed.has(version))
  const products = new Set(against.flatMap((by) => [...(stated.get(by)?.fixed.get(version) ?? [])]))
  const listedBy = listProviders(stated, (each) => !each.fixed.has(version) && isListed(version, products, each))
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

/** A version of another product counts only if the provider names none of the products: it may use other names. */
function isListed(version: string, products: ReadonlySet<string>, stated: Statements): boolean {
  const affected = stated.affected.get(version)
  if (affected === undefined) return false
  const isAmong = (names: ReadonlySet<string>) => [...products].some((each) => names.has(each))
  return isAmong(affected) || !isAmong(stated.products)
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
  return vulnerable && versionEndExcluding !== undefined ? [unescapeLimit(versionEndExcluding)] : []
}

function collectStatements(claims: readonly Claim[]): StatementsByProvider {
  const stated = new Map<Provider, Statements>()
  for (const { configurations, configurationsBy, affected, description } of claims) {
    const fixed = new Set<CpeMatch>(listFixedMatches(configurations, description))
    for (const match of listMatches(configurations).filter(({ vulnerable }) => vulnerable)) {
      const versions = { fixed: fixed.has(match) ? readFixedEnd(match) : [], affected: listLastOfMatch(match) }
      addStatements(stated, configurationsBy, readProduct(match.criteria), versions)
    }
    for (const each of affected) {
      const versions = { fixed: each.ranges.flatMap(listFixed), affected: listLastOfProduct(each) }
      addStatements(stated, each.by, each.product, versions)
    }
  }
  return stated
}

function addStatements(
  stated: Map<Provider, Statements>,
  by: Provider,
  product: string,
  versions: Readonly<Record<'fixed' | 'affected', readonly string[]>>,
): void {
  const known = stated.get(by) ?? { affected: new Map(), fixed: new Map(), products: new Set() }
  stated.set(by, known)
  const key = toNameKey(product)
  known.products.add(key)
  for (const member of ['fixed', 'affected'] as const)
    for (const each of versions[member].map(toVersionKey))
      known[member].set(each, (known[member].get(each) ?? new Set()).add(key))
}

function listFixed({ isAffected, version, lessThan, fixedAt }: AffectedRange): readonly string[] {
  return (isAffected ? [lessThan, fixedAt ?? null] : [version]).filter((each) => each !== null)
}

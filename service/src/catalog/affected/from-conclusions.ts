// Creates rows of the source `rules` from the service's conclusions, beside the rows of the sources that they contradict.
import { formatCpe } from '../../domain/cpe/cpe.ts'
import { ANY } from '../../domain/cpe/cpe-value.ts'
import { RULES } from '../../domain/source/provider-names.ts'
import { type AffectedRow, stripDerived, UNLIMITED } from '../../record/affected-row.ts'
import type { Affected } from '../model/claim.ts'
import type { AffectedVersion, Conclusion, UnaffectedVersions } from '../model/conclusion.ts'
import type { ProductNames } from '../model/source-data.ts'
import { toVersionKey } from '../resolve/fixes/affected-ends.ts'
import { deriveMatches, listProductCriteria, toCpeMatches } from '../resolve/products/cpe-matches.ts'
import { parseCpeCached } from '../sources/fields/parse-cpe.ts'
import { collectFromCandidate } from './from-configurations.ts'
import { readCriteria } from './read-criteria.ts'

/** `rows`: the rows of the sources. */
export function collectFromConclusions(
  conclusions: readonly Conclusion[],
  rows: readonly AffectedRow[],
  productNames?: ProductNames,
): readonly AffectedRow[] {
  return conclusions.flatMap((each) =>
    each.kind === 'affected' ? concludeFromRows(each, rows, productNames) : collectUnaffected(each, productNames),
  )
}

/** Names the version in a row of its own, for each row that ends before it. */
function concludeFromRows(
  { version, against, products }: AffectedVersion,
  rows: readonly AffectedRow[],
  productNames?: ProductNames,
): readonly AffectedRow[] {
  const names = products && new Set(products.flatMap((each) => listNames(each, productNames)))
  const contradicted = rows.filter(
    (row) =>
      endsBefore(row, version) &&
      against.includes(stripDerived(row.source)) &&
      (names === undefined || names.has(toName(row))),
  )
  return contradicted.map((row) => ({
    ...row,
    ...UNLIMITED,
    versions: row.high === null ? null : [row.high],
    isVague: false,
    fixed: null,
    source: RULES,
  }))
}

function endsBefore({ isAffected, high, isHighIncluded, scheme }: AffectedRow, version: string): boolean {
  return isAffected && scheme !== 'commit' && high !== null && !isHighIncluded && toVersionKey(high) === version
}

function listNames(product: Affected, productNames?: ProductNames): readonly string[] {
  const criteria = product.cpes.length > 0 ? product.cpes : listProductCriteria(product, productNames)
  return criteria.flatMap((each) => readCriteria(each) ?? []).map(toName)
}

function toName({ vendor, product }: Pick<AffectedRow, 'vendor' | 'product'>): string {
  return `${vendor}\n${product}`
}

/**
 * The conclusion is about the ranges, so a version in a CPE name of the product does not count. A row without versions
 * follows if other versions may be affected.
 */
function collectUnaffected(
  { product, mayAffectOthers }: UnaffectedVersions,
  productNames?: ProductNames,
): readonly AffectedRow[] {
  const open = { ...product, cpes: product.cpes.flatMap(dropVersion) }
  const { matches } = product.cpes.length > 0 ? toCpeMatches([open]) : deriveMatches([product], productNames)
  const nodes = [{ operator: 'OR', negate: false, matches } as const]
  const configurations = [{ operator: 'OR', negate: false, nodes } as const]
  const rows = collectFromCandidate({ by: RULES, isDerived: false, configurations })
  const named = rows.filter(({ isVague }) => !isVague)
  const unaffected = named.map((row) => ({ ...row, isAffected: false, fixed: null, source: RULES }))
  const others = mayAffectOthers ? named.map(toVagueRow) : []
  return [...unaffected, ...others]
}

function dropVersion(cpe: string): readonly string[] {
  const name = parseCpeCached(cpe)
  return name === undefined ? [] : [formatCpe({ ...name, version: ANY, update: ANY })]
}

function toVagueRow(row: AffectedRow): AffectedRow {
  return { ...row, ...UNLIMITED, versions: null, fixed: null, isVague: true, source: RULES }
}

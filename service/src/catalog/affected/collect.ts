import { type AffectedRow, stripDerived } from '../../record/affected-row.ts'
import type { Resolved } from '../model/resolved.ts'
import type { ProductNames, SourceData } from '../model/source-data.ts'
import { toVersionKey } from '../resolve/fixes/affected-ends.ts'
import { dropDistributions, listProviderCandidates } from '../resolve/products/cpe.ts'
import { toNameKey } from '../resolve/products/product-name-keys.ts'
import { REJECTED } from '../resolve/status.ts'
import { collapse } from './collapse.ts'
import { collectFromConclusions } from './from-conclusions.ts'
import { collectFromCandidate } from './from-configurations.ts'
import { collectFromKev } from './from-kev.ts'
import { collectFromDebian, collectFromPackages } from './from-packages.ts'
import { collectFromStatements } from './from-statements.ts'

type Stated = Pick<Resolved, 'cpeCandidates' | 'claims' | 'status' | 'conclusions' | 'doubted'>

/** A rejected CVE is not a vulnerability, so it has no rows (decision E9). */
export function collectAffected(
  { debian, kev, euKev }: Pick<SourceData, 'debian' | 'kev' | 'euKev'>,
  { cpeCandidates, claims, status, conclusions, doubted }: Stated,
  productNames?: ProductNames,
): readonly AffectedRow[] {
  if (status.value === REJECTED) return []
  const candidates = listProviderCandidates(cpeCandidates).map((each) => dropDistributions(each, claims, productNames))
  const described = new Map(claims.map(({ source, description }) => [source, description]))
  const rows = [
    ...candidates.flatMap((each) => collectFromCandidate(each, described.get(each.source))),
    ...claims.flatMap(collectFromPackages),
    ...claims.flatMap((claim) => collectFromStatements(claim, productNames)),
    ...collectFromDebian(debian),
  ]
  const stated = doubted.length === 0 ? rows : rows.map((each) => dropDoubted(each, doubted))
  return collapse([
    ...stated,
    ...collectFromConclusions(conclusions, stated, productNames),
    ...collectFromKev({ kev, euKev }, stated),
  ])
}

/** The record shows a doubted fix with what contradicts it. A match would recommend it, so its row names no fix. */
function dropDoubted(row: AffectedRow, doubted: Resolved['doubted']): AffectedRow {
  const { fixed, source } = row
  if (fixed === null) return row
  const isDoubted = doubted.some(
    ({ version, by, product }) =>
      by === stripDerived(source) &&
      toVersionKey(version) === toVersionKey(fixed) &&
      toNameKey(product).endsWith(toNameKey(row.product)),
  )
  return isDoubted ? { ...row, fixed: null } : row
}

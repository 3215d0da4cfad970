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
import { collectFromCsaf } from './from-csaf.ts'
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
    ...claims.flatMap((claim) => collectFromCsaf(claim, productNames)),
    ...collectFromDebian(debian),
  ]
  const stated = dropDoubted(rows, doubted)
  return collapse([
    ...stated,
    ...collectFromConclusions(conclusions, stated, productNames),
    ...collectFromKev({ kev, euKev }, stated),
  ])
}

/** The record shows a doubted fix with what contradicts it. A match would recommend it, so its row names no fix. */
function dropDoubted(rows: readonly AffectedRow[], doubted: Resolved['doubted']): readonly AffectedRow[] {
  if (doubted.length === 0) return rows
  const products = Map.groupBy(doubted, ({ version, by }) => `${by} ${toVersionKey(version)}`)
  return rows.map((row) => {
    const { fixed, source, product } = row
    const stated = fixed === null ? undefined : products.get(`${stripDerived(source)} ${toVersionKey(fixed)}`)
    const isDoubted = stated?.some((each) => toNameKey(each.product).endsWith(toNameKey(product))) ?? false
    return isDoubted ? { ...row, fixed: null } : row
  })
}

import type { AffectedRow } from '../../record/affected-row.ts'
import type { Resolved } from '../model/resolved.ts'
import type { ProductNames, SourceData } from '../model/source-data.ts'
import { dropDistributions, listProviderCandidates } from '../resolve/products/cpe.ts'
import { REJECTED } from '../resolve/status.ts'
import { collapse } from './collapse.ts'
import { collectFromConclusions } from './from-conclusions.ts'
import { collectFromCandidate } from './from-configurations.ts'
import { collectFromKev } from './from-kev.ts'
import { collectFromDebian, collectFromPackages } from './from-packages.ts'
import { collectFromStatements } from './from-statements.ts'

/** A rejected CVE is not a vulnerability, so it has no rows (decision E9). */
export function collectAffected(
  { debian, kev, euKev }: Pick<SourceData, 'debian' | 'kev' | 'euKev'>,
  { cpeCandidates, claims, status, conclusions }: Pick<Resolved, 'cpeCandidates' | 'claims' | 'status' | 'conclusions'>,
  productNames?: ProductNames,
): readonly AffectedRow[] {
  if (status.value === REJECTED) return []
  const candidates = listProviderCandidates(cpeCandidates).map((each) => dropDistributions(each, claims, productNames))
  const stated = [
    ...candidates.flatMap(collectFromCandidate),
    ...claims.flatMap(collectFromPackages),
    ...claims.flatMap((claim) => collectFromStatements(claim, productNames)),
    ...collectFromDebian(debian),
  ]
  return collapse([
    ...stated,
    ...collectFromConclusions(conclusions, stated, productNames),
    ...collectFromKev({ kev, euKev }, stated),
  ])
}

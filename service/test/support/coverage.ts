// Coverage for tests that are not about it.
import { SOURCE_IDS } from '../../src/domain/source/sources.ts'
import { judgeCoverage } from '../../src/matching/coverage/coverage.ts'
import type { DataSetState } from '../../src/matching/coverage/data-sets.ts'

const NOW = new Date('2026-08-22T00:00:00Z')

/** A data set that is complete and as new as possible. */
export const completeSet = (name: string, at = NOW): DataSetState => ({
  name,
  lastSuccessAt: at,
  staleAfterSeconds: 60,
  upstreamAt: at,
  asOfBasis: 'released',
  indexCount: 1,
  unheldCount: 0,
})

/** Every source is complete and current. */
export const { findCoverage: findFullCoverage } = judgeCoverage(
  SOURCE_IDS.map((id) => completeSet(id)),
  NOW,
)

/** SQL that makes data sets complete and as new as `at`. */
export function claimComplete(ids: readonly string[], at: Date): string {
  const names = ids.map((id) => `'${id}'`).join(', ')
  return `
    update catalog.dataset
       set table_count = 1, index_count = 1, unheld_count = 0, last_success_at = '${at.toISOString()}',
           upstream_at = '${at.toISOString()}', as_of_basis = 'released'
     where name in (${names})
  `
}

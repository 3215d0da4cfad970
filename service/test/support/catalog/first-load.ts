// Most tests are about a catalog in service, so their databases begin after the first load (ADR 0030).
import { runStatements } from '../run-statements.ts'

/** So many records were learnt from that no test teaches all names again. */
export const endFirstLoad = (url: string) =>
  runStatements(
    url,
    `update catalog.first_load
        set finished_at = '2026-01-01T00:00:00Z', learnt_from = '{"nvd": 1000000000, "cve": 1000000000}'
      where finished_at is null`,
  )

/** Makes an empty database one that `vis-server migrate` has just created. */
export const beginFirstLoad = (url: string) =>
  runStatements(url, `update catalog.first_load set finished_at = null, learnt_from = '{}'`)

// Benchmark section batch: compares batch calls (for 50 CVEs each) with baseline P, the same SQL statement without
// HTTP.
import { select } from '../../../src/api/cve-record/selection.ts'
import { readBatch } from '../../../src/api/endpoints/batch-cves/query.ts'
import { requireCveKey } from '../../support/catalog/cve-builder.ts'
import { buildPostRequest } from '../load/connection.ts'
import { computeRatio } from '../load/measure-in-turns.ts'
import { captureStatement } from '../search/capture-statement.ts'
import { CALLER_COUNT, FEW_ACCOUNTS, measureSides, type Section, summariseSides } from '../section.ts'

const BATCH_SIZE = 50

export const batch: Section = async (bench) => {
  const { setup, ids } = bench
  const server = await setup.serve()
  const batches = Array.from({ length: Math.floor(ids.length / BATCH_SIZE) }, (_, at) =>
    ids.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  )
  const queries = await setup.startBareQueries({ batch: await Promise.all(batches.map(captureBatchStatement)) })
  const requests = batches.map((cve_ids, index) =>
    buildPostRequest('/api/v1/cve/batch', setup.callers[index % FEW_ACCOUNTS]?.key ?? '', JSON.stringify({ cve_ids })),
  )
  const turns = await measureSides(
    bench,
    [{ name: 'batch of 50', servers: [server], requests }],
    [{ name: 'P', pids: [queries.pid], run: (ms) => queries.run({ name: 'batch', callers: CALLER_COUNT, ms }) }],
  )
  await Promise.all([server.stop(), queries.stop()])
  return {
    measured: [
      { figure: 'batch', ratio: computeRatio(turns, (turn) => turn('batch of 50').perSecond / turn('P').perSecond) },
    ],
    sides: summariseSides('batch of 50', turns),
  }
}

function captureBatchStatement(ids: readonly string[]) {
  const query = { keys: ids.map(requireCveKey), selection: select('batch', {}), sort: undefined, severity: undefined }
  return captureStatement((db) => readBatch(db, query))
}

// Benchmark section batch: compares batch calls (for 50 CVEs each) with baseline P, the same SQL statement without
// HTTP. One server answers from memory, the other one, without a cache, from the database.
import { readDefaultBatch } from '../../../service/src/api/endpoints/batch-cves/query.ts'
import { requireCveKey } from '../../../service/test/support/catalog/cve-builder.ts'
import { buildPostRequest } from '../../../service/test/support/load/connection.ts'
import { captureStatement } from '../../../service/test/support/search/capture-statement.ts'
import { computeRatio } from '../load/measure-in-turns.ts'
import { CALLER_COUNT, FEW_ACCOUNTS, measureSides, type Section, summariseSides } from '../section.ts'

const BATCH_SIZE = 50
const FROM_MEMORY = 'batch of 50, from memory'
const FROM_DATABASE = 'batch of 50, from the database'

export const batch: Section = async (bench) => {
  const { setup, ids } = bench
  const servers = [await setup.serve(), await setup.serve({ CVE_CACHE_MB: '0' })] as const
  const batches = Array.from({ length: Math.floor(ids.length / BATCH_SIZE) }, (_, at) =>
    ids.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  )
  const queries = await setup.startBareQueries({ batch: await Promise.all(batches.map(captureBatchStatement)) })
  const requests = batches.map((cve_ids, index) =>
    buildPostRequest('/api/v1/cve/batch', setup.callers[index % FEW_ACCOUNTS]?.key ?? '', JSON.stringify({ cve_ids })),
  )
  const turns = await measureSides(
    bench,
    [
      { name: FROM_MEMORY, servers: [servers[0]], requests },
      { name: FROM_DATABASE, servers: [servers[1]], requests },
    ],
    [{ name: 'P', pids: [queries.pid], run: (ms) => queries.run({ name: 'batch', callers: CALLER_COUNT, ms }) }],
  )
  await Promise.all([...servers, queries].map((each) => each.stop()))
  const compareWithStatement = (side: string) =>
    computeRatio(turns, (turn) => turn(side).perSecond / turn('P').perSecond)
  return {
    measured: [
      { figure: 'batch', ratio: compareWithStatement(FROM_MEMORY) },
      { figure: 'batchFromDatabase', ratio: compareWithStatement(FROM_DATABASE) },
    ],
    sides: summariseSides('batch of 50', turns),
  }
}

function captureBatchStatement(ids: readonly string[]) {
  return captureStatement((db) => readDefaultBatch(db, ids.map(requireCveKey)))
}

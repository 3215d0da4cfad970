// Fifty CVEs in one call, against the statement alone.
import { select } from '../../../src/api/cve-record/selection.ts'
import { readBatch } from '../../../src/api/endpoints/batch-cves/query.ts'
import { postText } from '../load/connection.ts'
import { ratioOf, takeTurns } from '../load/turns.ts'
import { CALLERS, crowdOf, httpSide, type Section, sidesOf } from '../section.ts'
import { statementOf } from '../statement.ts'
import { keyOf } from './get-cve.ts'

const SIZE = 50

export const batch: Section = async ({ world, pace, ids }) => {
  const server = await world.serve()
  const batches = Array.from({ length: Math.floor(ids.length / SIZE) }, (_, at) =>
    ids.slice(at * SIZE, (at + 1) * SIZE),
  )
  const queries = await world.bareQueries({ batch: await Promise.all(batches.map(batchStatement)) })
  const crowd = await crowdOf(server.port)
  const requests = batches.map((cve_ids, index) =>
    postText('/api/v1/cve/batch', world.callers[index % world.callers.length]?.key ?? '', JSON.stringify({ cve_ids })),
  )
  const turns = await takeTurns(
    [
      { name: 'P', pids: [queries.pid], run: (ms) => queries.run({ what: 'batch', callers: CALLERS, ms }) },
      httpSide('batch of 50', [server.pid], crowd, requests),
    ],
    pace,
    world.shared,
  )
  crowd.close()
  await Promise.all([server.stop(), queries.stop()])
  return {
    measured: [{ figure: 'batch', ratio: ratioOf(turns, (of) => of('batch of 50').perSecond / of('P').perSecond) }],
    sides: sidesOf('batch of 50', turns),
  }
}

function batchStatement(ids: readonly string[]) {
  const wanted = { keys: ids.map(keyOf), selection: select('batch', {}), sort: undefined, severity: undefined }
  return statementOf((db) => readBatch(db, wanted))
}

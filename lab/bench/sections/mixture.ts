// Benchmark section mixture: measures the memory of an API process after single reads, searches, batches and other
// calls.

import { buildGetRequest, buildPostRequest } from '../../../service/test/support/load/connection.ts'
import { readResidentMegabytes } from '../../../service/test/support/load/cpu.ts'
import { SEARCH_MIX } from '../../../service/test/support/search/search-mix.ts'
import { addCallers } from '../callers.ts'
import { toRatio } from '../figures.ts'
import { openCallerPool } from '../load/caller-pool.ts'
import { CALLER_COUNT, type Section } from '../section.ts'
import { buildRequests } from './get-cve.ts'

/** Reads more CVEs than fit into the record cache, with and without gzip, and then calls the other endpoints. */
export const mixture: Section = async ({ setup, ids, manyIds, isQuick }) => {
  const callers = await addCallers(setup.accountsUrl, 1, 'enterprise')
  const key = callers[0]?.key ?? ''
  const server = await setup.serve()
  const callerPool = await openCallerPool([server.port], CALLER_COUNT)
  const ms = isQuick ? 1000 : 15_000
  const searches = SEARCH_MIX.filter(({ after }) => !after).map(({ query }) =>
    buildGetRequest(`/api/v1/cves?${query}`, key),
  )
  const batches = ids.map((_, at) =>
    buildPostRequest(
      '/api/v1/cve/batch',
      key,
      JSON.stringify({ cve_ids: ids.slice(at, at + 50), include: ['enrichment'] }),
    ),
  )
  const others = ['/api/v1/kev?limit=100', '/api/v1/cves/recent?days=30&limit=100', '/api/v1/stats', '/api/v1/usage']
  const details = ids.map((id) => buildGetRequest(`/api/v1/cve/${id}/detail`, key))
  const requestLists = [
    buildRequests({ ids: manyIds, callers }),
    buildRequests({ ids: manyIds, callers }, 'Accept-Encoding: gzip\r\n'),
    searches,
    batches,
    details,
    others.map((path) => buildGetRequest(path, key)),
  ]
  let calls = 0
  for (const requests of requestLists) {
    const result = await callerPool.run(requests, ms)
    calls += result.calls
    // The server may shed some of many concurrent expensive searches, so refused searches are reported but do not fail
    // the benchmark.
    if (result.failures > 0) process.stdout.write(`  ${result.failures} of ${result.calls} calls were refused\n`)
  }
  callerPool.close()
  const megabytes = readResidentMegabytes(server.pid)
  await server.stop()
  return {
    measured: [{ figure: 'memory', ratio: toRatio(megabytes) }],
    notes: [
      `After ${calls.toLocaleString('en')} calls of all kinds, the API process used ${megabytes.toFixed(0)} MB of memory`,
    ],
  }
}

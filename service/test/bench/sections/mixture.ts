// A process that has answered everything: how much memory it holds afterwards.
import { single } from '../figures.ts'
import { postText, requestText } from '../load/connection.ts'
import { residentMegabytes } from '../load/cpu.ts'
import { SEARCH_MIX } from '../search-mix.ts'
import { crowdOf, type Section } from '../section.ts'
import { requestsFor } from './get-cve.ts'

/** First so many records that the cache is full and turns over, in both encodings; then everything else. */
export const mixture: Section = async ({ world, ids, manyIds, isQuick }) => {
  const callers = await world.addCallers(world.url, 1, 'enterprise')
  const key = callers[0]?.key ?? ''
  const server = await world.serve()
  const crowd = await crowdOf(server.port)
  const ms = isQuick ? 1000 : 15_000
  const searches = SEARCH_MIX.filter(({ after }) => !after).map(({ query }) =>
    requestText(`/api/v1/cves?${query}`, key),
  )
  const batches = ids.map((_, at) =>
    postText('/api/v1/cve/batch', key, JSON.stringify({ cve_ids: ids.slice(at, at + 50), include: ['enrichment'] })),
  )
  const others = ['/api/v1/kev?limit=100', '/api/v1/cves/recent?days=30&limit=100', '/api/v1/stats', '/api/v1/usage']
  const details = ids.map((id) => requestText(`/api/v1/cve/${id}/detail`, key))
  const all = [
    requestsFor({ ids: manyIds, callers }),
    requestsFor({ ids: manyIds, callers }, 'Accept-Encoding: gzip\r\n'),
    searches,
    batches,
    details,
    others.map((path) => requestText(path, key)),
  ]
  let calls = 0
  for (const requests of all) {
    const slice = await crowd.ask(requests, ms)
    calls += slice.calls
    // A crowd of hard searches may be shed; how many were is told.
    if (slice.failures > 0) process.stdout.write(`  ${slice.failures} of ${slice.calls} calls were refused\n`)
  }
  crowd.close()
  const megabytes = residentMegabytes(server.pid)
  await server.stop()
  return {
    measured: [{ figure: 'memory', ratio: single(megabytes) }],
    remarks: [`memory after ${calls.toLocaleString('en')} calls of all kinds: ${megabytes.toFixed(0)} MB`],
  }
}

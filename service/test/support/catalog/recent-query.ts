import { recentCves } from '../../../src/api/endpoints/recent-cves/endpoint.ts'
import type { Query } from '../../../src/api/endpoints/recent-cves/parameters.ts'
import { readInput } from '../../../src/contract/read-input.ts'

/** Parses the query text of a request for recent CVEs. */
export function parseRecentQuery(query: string): Query {
  const input = readInput(recentCves, { path: {}, query, body: undefined })
  // The type cast is safe: the input was validated with the parameters of the endpoint.
  return input.query as Query
}

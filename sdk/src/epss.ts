// The calls for EPSS scores over time.
import { getEpssSeries, listEpssMovers } from './endpoints.ts'
import type { CallOptions } from './options.ts'
import type { EpssMoverPage, Listing } from './paginate.ts'
import type { EpssMover, EpssMoverFilters, EpssSeries, EpssWindow } from './records.ts'
import type { Send } from './request.ts'

/** Methods of {@link Client} for EPSS scores over time. */
export interface EpssCalls {
  /**
   * Returns the EPSS scores of a CVE over time, by default for the last 90 days, and LEV. Costs `PRICES.getEpssSeries`
   * credits.
   *
   * ```ts
   * const { series, missing_days, lev } = await client.epssSeries('CVE-2021-44228', { from: '2026-01-01' })
   * console.log(series.at(-1)?.score, missing_days.length, lev?.score)
   * ```
   */
  epssSeries(id: string, window?: EpssWindow & CallOptions): Promise<EpssSeries>

  /**
   * Lists the CVEs whose EPSS score moved most within 1, 7 or 30 days. Costs `PRICES.listEpssMovers` credits per page.
   *
   * ```ts
   * for await (const { cve_id, earlier, later } of client.epssMovers({ days: 7, min_delta: 0.1 }))
   *   console.log(cve_id, earlier.score, later.score)
   * ```
   */
  epssMovers(filters?: EpssMoverFilters & CallOptions): Listing<EpssMover, EpssMoverPage>
}

export function createEpssCalls(send: Send): EpssCalls {
  return {
    epssSeries: (id, window = {}) => getEpssSeries(send, id, window),
    epssMovers: (filters = {}) => listEpssMovers(send, filters),
  }
}

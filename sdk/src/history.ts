// The calls that return what was known on a given day.

import { cvePath, listPages, toPage } from './endpoints.ts'
import type { components } from './generated/openapi.ts'
import type { CallOptions } from './options.ts'
import type { HistoryPage, Listing, Page } from './paginate.ts'
import type { Change, CveAsOf, HistoryFilters, KevHistoryEntry, KevHistoryFilters } from './records.ts'
import type { Send } from './request.ts'

type Schemas = components['schemas']

/** Methods of {@link Client} for the history of CVEs and of KEV. */
export interface HistoryCalls {
  /**
   * Lists the changes of one CVE, newest first. Costs `PRICES.listCveHistory` credits per page.
   *
   * ```ts
   * for await (const { at, types } of client.cveHistory('CVE-2021-44228')) console.log(at, types.join())
   * ```
   */
  cveHistory(id: string, filters?: HistoryFilters & CallOptions): Listing<Change, HistoryPage>

  /**
   * Returns the record of a CVE as the service served it at the end of a day (`YYYY-MM-DD`, UTC). Costs
   * `PRICES.getCveAsOf` credits. For a day before `complete_since` it is reconstructed: `unknown` names the members that
   * are not known for that day. A {@link VisError} with the code `GONE` means that nothing is known about that day.
   *
   * ```ts
   * const { record, unknown } = await client.cveAsOf('CVE-2021-44228', '2026-08-21')
   * console.log(record.kev?.dateAdded ?? (unknown.includes('kev') ? 'not known' : 'not listed'))
   * ```
   */
  cveAsOf(id: string, day: string, options?: CallOptions): Promise<CveAsOf>

  /**
   * Lists every entry that is or was in CISA's KEV catalog, with its changes, newest additions first. Costs
   * `PRICES.listKevHistory` credits per page.
   *
   * ```ts
   * for await (const { cve_id, removed_at } of client.kevHistory({ removed: true })) console.log(cve_id, removed_at)
   * ```
   */
  kevHistory(filters?: KevHistoryFilters & CallOptions): Listing<KevHistoryEntry>
}

export function createHistoryCalls(send: Send): HistoryCalls {
  return {
    cveHistory: (id, filters = {}) =>
      listPages<Schemas['CveHistory'], HistoryPage>({
        send,
        path: `${cvePath(id)}/history`,
        filters,
        convert: ({ changes, earlier_events: earlier, pagination, complete_since }) => ({
          ...toPage(changes, pagination),
          earlier,
          completeSince: complete_since ?? undefined,
        }),
      }),
    cveAsOf: async (id, day, { signal } = {}) => {
      const path = `${cvePath(id)}/as-of/${encodeURIComponent(day)}`
      const { data } = await send<CveAsOf>({ method: 'GET', path, signal })
      return data
    },
    kevHistory: (filters = {}) =>
      listPages<Schemas['KevHistory'], Page<KevHistoryEntry>>({
        send,
        path: 'api/v1/kev/history',
        filters,
        convert: ({ entries, pagination }) => toPage(entries, pagination),
      }),
  }
}

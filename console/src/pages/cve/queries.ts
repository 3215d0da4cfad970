import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'

/** The detail record, which has the products as its source names them. Not every CVE has one. */
export const detailQuery = (id: string) =>
  queryOptions({
    queryKey: ['cve-detail', id],
    queryFn: async ({ signal }) => {
      const detail = await client.detail(id, { signal })
      return detail.kind === 'full' ? detail.record : null
    },
  })

/** EPSS scores of a CVE, for the last 90 days or since a given day. */
export const epssQuery = (id: string, from: string | undefined) =>
  queryOptions({
    queryKey: ['cve-epss', id, from],
    queryFn: ({ signal }) => client.epssSeries(id, { ...(from === undefined ? {} : { from }), signal }),
  })

/** Number of changes per page. Most CVEs have fewer in a year. */
const MAX_CHANGES = 20

export const changesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['cve-changes', id],
    queryFn: ({ pageParam, signal }) =>
      client
        .cveHistory(id, { limit: MAX_CHANGES, ...(pageParam === undefined ? {} : { after: pageParam }), signal })
        .page(),
    // The cast sets the type of the cursor; undefined is the first page, with the newest change.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ hasMore, nextCursor }) => (hasMore ? nextCursor : undefined),
  })

/** The record as of the end of a day. */
export const asOfQuery = (id: string, day: string) =>
  queryOptions({ queryKey: ['cve-as-of', id, day], queryFn: ({ signal }) => client.cveAsOf(id, day, { signal }) })

// Reads a list record by record or page by page. Each page is fetched only when it is needed.
import type {
  Change,
  EarlierEvent,
  EpssMover,
  EpssMovers,
  ExploitEvidence,
  ExploitSummary,
  SearchedComponent,
  UnknownName,
} from './records.ts'

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Maximum number of items per page. */
  readonly limit: number
  readonly hasMore: boolean
  /** Cursor of the next page. To continue later, pass it as `after` with the same filters. */
  readonly nextCursor: string | undefined
  /** Number of items on all pages: exact up to 1,000, above that an estimate. */
  readonly totalEstimate: number | undefined
}

/** A page of {@link Client.search}. */
export interface SearchPage<Item> extends Page<Item> {
  /**
   * What is known about the component in the filter `cpe` or `purl`; undefined without these filters. An empty list
   * alone does not mean that the component is not affected.
   */
  readonly component: SearchedComponent | undefined
  /**
   * Names in the filters `product` and `product_vendor` that no CVE has, with similar names; empty if every name is
   * known, and on all pages but the first.
   */
  readonly unknownNames: readonly UnknownName[]
}

/** A page of {@link Client.recent}. */
export interface RecentPage<Item> extends SearchPage<Item> {
  /** Time span that the list covers, as text such as `24 hours`. */
  readonly lookbackPeriod: string
  /** Exact number of CVEs on all pages. */
  readonly totalFound: number
}

/** A page of {@link Client.exploits}. */
export interface ExploitPage extends Page<ExploitEvidence> {
  /** Exploit maturity, and the number of items of evidence on all pages. It is the same on every page. */
  readonly summary: ExploitSummary
}

/** A page of {@link Client.cveHistory}. */
export interface HistoryPage extends Page<Change> {
  /** Time since which the service has recorded every change in upstream data; undefined if it has no change. */
  readonly completeSince: string | undefined
  /** Events before that time, from the histories that upstreams keep; only on the last page. */
  readonly earlier: readonly EarlierEvent[]
}

/** A page of {@link Client.epssMovers}. */
export interface EpssMoverPage extends Page<EpssMover> {
  /** The days that are compared. If `comparable` is false, `not_comparable_reason` says why. */
  readonly window: EpssMovers['window']
}

/**
 * A list of records. The client fetches a page only when you read its records. Each page is one call, which costs
 * credits. After you leave the loop, no further page is fetched.
 *
 * ```ts
 * for await (const cve of client.search({ kev: true })) console.log(cve.cve_id)
 * for await (const page of client.search({ kev: true }).pages()) console.log(page.items.length)
 * const { items } = await client.search({ kev: true }).page()
 * ```
 */
export interface Listing<Item, ItemPage extends Page<Item> = Page<Item>> extends AsyncIterable<Item> {
  /** Reads the list page by page. */
  pages(): AsyncGenerator<ItemPage, void, undefined>
  /** Fetches the first page only. */
  page(): Promise<ItemPage>
}

export function createListing<Item, ItemPage extends Page<Item>>(
  fetchPage: (after: string | undefined) => Promise<ItemPage>,
  start: string | undefined,
): Listing<Item, ItemPage> {
  async function* pages() {
    let after = start
    do {
      const page = await fetchPage(after)
      yield page
      after = page.hasMore ? page.nextCursor : undefined
    } while (after !== undefined)
  }
  return {
    pages,
    page: () => fetchPage(start),
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items
    },
  }
}

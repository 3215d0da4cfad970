// A list that is longer than a page: read record by record or page by page, each page when it is needed and no earlier.

/** One answer of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** How many items a page may hold. */
  readonly limit: number
  readonly hasMore: boolean
  /** Pass it as `after`, with the same filters, to carry on from here at another time. */
  readonly nextCursor: string | undefined
  /** How many items all pages hold: exact up to 10,000, an estimate above. */
  readonly totalEstimate: number | undefined
}

/** A page of {@link Client.recent}. */
export interface RecentPage<Item> extends Page<Item> {
  /** How far it looks back, in words: `24 hours`. */
  readonly lookbackPeriod: string
  /** How many CVEs all pages hold, exactly. */
  readonly totalFound: number
}

/**
 * Nothing is asked for until it is read. Every page is a call and costs credits: leave the loop, and no further one is made.
 *
 * ```ts
 * for await (const cve of client.search({ kev: true })) console.log(cve.cve_id)
 * for await (const page of client.search({ kev: true }).pages()) console.log(page.items.length)
 * const { items } = await client.search({ kev: true }).page()
 * ```
 */
export interface Listing<Item, PageOf extends Page<Item> = Page<Item>> extends AsyncIterable<Item> {
  /** Page by page. */
  pages(): AsyncGenerator<PageOf, void, undefined>
  /** The first page alone. */
  page(): Promise<PageOf>
}

export function listing<Item, PageOf extends Page<Item>>(
  fetchPage: (after: string | undefined) => Promise<PageOf>,
  start: string | undefined,
): Listing<Item, PageOf> {
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

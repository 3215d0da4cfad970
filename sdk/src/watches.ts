// Watches, and the events that they tell.
import type { components, operations } from './generated/openapi.ts'
import type { CallOptions } from './options.ts'
import { createListing, type Listing, type Page } from './paginate.ts'
import type { Send } from './request.ts'
import { sleep } from './retry.ts'

type Schemas = components['schemas']

/** A shared view that tells what happens to the CVEs in its search. */
export type Watch = Schemas['Watch']

/** A word of `on`: a kind of event for which a watch is asked, such as `entered` or `exploited`. */
export type WatchKind = Schemas['WatchKind']

/** A watch, and names in its query that no CVE has, with similar ones. */
export type DescribedWatch = Schemas['OneWatch']

/** A page of watches, what the plan allows, and how far watches were judged. */
export type WatchPage = Schemas['WatchList']

/** Name, query and words of a watch to create. */
export type NewWatch = operations['createWatch']['requestBody']['content']['application/json']

/** What to change of a watch, with the revision that was read. */
export type WatchUpdate = operations['changeWatch']['requestBody']['content']['application/json']

/** The watch that was removed. */
export type RemovedWatch = Schemas['RemovedWatch']['removed_watch']

/** Filters of the list of watches. */
export type WatchFilters = Omit<NonNullable<operations['listWatches']['parameters']['query']>, 'after'>

/** An event: a change of a CVE for which a watch was asked. `nr` numbers the events of the account. */
export type WatchEvent = Schemas['Event']

/** A part of the events of the account. */
export type EventPage = Schemas['EventList']

/** The secret addresses of a feed, shown once. */
export type FeedAddresses = Schemas['FeedAddresses']

/** Query, words and days of a preview. */
export type PreviewedQuery = operations['previewWatch']['requestBody']['content']['application/json']

/** The events that a watch would have had in the last days, and how many of the days were examined. */
export type WatchPreview = Schemas['WatchPreview']

/** For each change of a CVE whether a watch told it, or why not. */
export type WatchExplanation = Schemas['WatchExplanation']

/** Where a part of the events begins, which it has, and how long to wait for one. */
export type EventFilters = NonNullable<operations['listEvents']['parameters']['query']>

/** Methods of a {@link Client} for watches and their events. They need a key with the scope `watch`. */
export interface WatchMethods {
  /**
   * Lists the watches of the account, newest first. Free of charge.
   *
   * ```ts
   * for await (const { name, state, daily_events } of client.watches()) console.log(name, state, daily_events)
   * ```
   */
  watches(filters?: WatchFilters & CallOptions): Listing<Watch>

  /** Returns the first watches with what the plan allows and how far watches were judged. Free of charge. */
  watchPage(filters?: WatchFilters & { readonly after?: string } & CallOptions): Promise<WatchPage>

  /** Returns one watch, with the number of CVEs in its search now. Free of charge. */
  watch(id: string, options?: CallOptions): Promise<DescribedWatch>

  /**
   * Watches a search, or a shared view. Free of charge.
   *
   * ```ts
   * const { watch } = await client.createWatch({
   *   name: 'Edge devices',
   *   query: { product_vendor: ['fortinet', 'citrix'], priority: ['P0', 'P1', 'P2'] },
   *   on: ['entered', 'exploited'],
   * })
   * console.log(watch.id, watch.matching_now)
   * ```
   */
  createWatch(watch: NewWatch, options?: CallOptions): Promise<DescribedWatch>

  /**
   * Changes what the update names. Rejects with a {@link VisError} with code `CONFLICT` if the watch has another revision.
   * Free of charge.
   */
  changeWatch(id: string, update: WatchUpdate, options?: CallOptions): Promise<DescribedWatch>

  /**
   * Returns what a watch would have told in the last days. Costs `PRICES.previewWatch` credits.
   *
   * ```ts
   * const { expected_total, judged_days: days } = await client.previewWatch({ query: { priority: ['P0', 'P1'] } })
   * console.log(`${expected_total} events in ${days.length} days`)
   * ```
   */
  previewWatch(query: PreviewedQuery, options?: CallOptions): Promise<WatchPreview>

  /** Explains what a watch told about a CVE in the last 30 days, or why not. Costs `PRICES.explainWatch` credits. */
  explainWatch(id: string, cveId: string, options?: CallOptions): Promise<WatchExplanation>

  /** Makes the feed of a watch, and returns its secret addresses, which are shown once. Free of charge. */
  createFeed(id: string, options?: CallOptions): Promise<FeedAddresses>

  /** Gives the feed of a watch other addresses; those before end within seconds. Free of charge. */
  rotateFeed(id: string, options?: CallOptions): Promise<FeedAddresses>

  /** Ends the feed of a watch. Free of charge. */
  removeFeed(id: string, options?: CallOptions): Promise<void>

  /** Silences a watch until a day or time; without one, ends the silence. Free of charge. */
  snoozeWatch(id: string, until: string | undefined, options?: CallOptions): Promise<DescribedWatch>

  /** Ends a watch, and removes its view unless `keep_view` is true. Free of charge. */
  removeWatch(
    id: string,
    options?: { readonly revision?: number; readonly keep_view?: boolean } & CallOptions,
  ): Promise<RemovedWatch>

  /**
   * Returns a part of the events: the oldest first after `since`, or the newest first with `before`. Free of charge.
   *
   * ```ts
   * const { watch_events: events } = await client.events({ before: 'now', limit: 20 })
   * for (const { recorded_at, summary } of events) console.log(recorded_at, summary)
   * ```
   */
  events(filters: EventFilters & CallOptions): Promise<EventPage>

  /**
   * Follows the events forever: yields each page with events and waits for the next one. Store a page's `next_since` after
   * you have processed the page, and continue from it after a restart. Free of charge.
   *
   * ```ts
   * for await (const { watch_events: events, next_since } of client.followEvents('now'))
   *   console.log(events.map(({ summary }) => summary), next_since)
   * ```
   */
  followEvents(
    since: string,
    filters?: Pick<EventFilters, 'watch' | 'on' | 'limit'> & CallOptions,
  ): AsyncIterable<EventPage>
}

const WATCHES = 'api/v1/watches'
const EVENTS = 'api/v1/events'

const pathOf = (id: string) => `${WATCHES}/${encodeURIComponent(id)}`

export function createWatchMethods(send: Send): WatchMethods {
  const get = async <Data>(path: string, { signal, ...query }: (WatchFilters | EventFilters) & CallOptions) =>
    (await send<Data>({ method: 'GET', path, query, signal })).data
  // A change is not retried after a failure, because it may have been made.
  const post = async <Data>(path: string, body: unknown, { signal }: { readonly signal?: AbortSignal | undefined }) =>
    (await send<Data>({ method: 'POST', path, body, signal, isChange: true })).data
  return {
    watches: (filters = {}) => listWatches(send, filters),
    watchPage: (filters = {}) => get(WATCHES, filters),
    watch: (id, options = {}) => get(pathOf(id), options),
    createWatch: (watch, options = {}) => post(WATCHES, watch, options),
    changeWatch: (id, update, options = {}) => post(pathOf(id), update, options),
    previewWatch: async (query, options = {}) =>
      (await post<Schemas['PreviewedWatch']>(`${WATCHES}/preview`, query, options)).preview,
    explainWatch: async (id, cveId, options = {}) =>
      (await post<Schemas['ExplainedWatch']>(`${pathOf(id)}/explain`, { cve_id: cveId }, options)).explanation,
    createFeed: async (id, options = {}) =>
      (await post<Schemas['CreatedFeed']>(`${pathOf(id)}/feed`, {}, options)).feed_addresses,
    rotateFeed: async (id, options = {}) =>
      (await post<Schemas['RotatedFeed']>(`${pathOf(id)}/feed/rotate`, {}, options)).feed_addresses,
    removeFeed: async (id, options = {}) => {
      await post(`${pathOf(id)}/feed/remove`, {}, options)
    },
    snoozeWatch: (id, until, options = {}) => post(`${pathOf(id)}/snooze`, { until }, options),
    removeWatch: async (id, { signal, ...body } = {}) =>
      (await post<Schemas['RemovedWatch']>(`${pathOf(id)}/remove`, body, { signal })).removed_watch,
    events: (filters) => get(EVENTS, filters),
    followEvents: (since, filters = {}) => followEvents(send, since, filters),
  }
}

function listWatches(send: Send, { signal, ...filters }: WatchFilters & CallOptions): Listing<Watch> {
  const fetchPage = async (after: string | undefined): Promise<Page<Watch>> => {
    const query = { ...filters, after }
    const { data } = await send<WatchPage>({ method: 'GET', path: WATCHES, query, signal })
    const { limit, hasMore, nextCursor, totalEstimate } = data.pagination
    return { items: data.watches, limit, hasMore, nextCursor, totalEstimate }
  }
  return createListing(fetchPage, undefined)
}

/** Maximum time that a call can wait at the service. */
const MAX_WAIT_SECONDS = 25

const NUMBER = /^\d+$/

/** Pause after an empty answer that did not wait, which a busy node gives. */
const PAUSE_MS = 1000

async function* followEvents(
  send: Send,
  since: string,
  { signal, ...filters }: Pick<EventFilters, 'watch' | 'on' | 'limit'> & CallOptions,
): AsyncGenerator<EventPage, never, undefined> {
  let position = since
  for (;;) {
    const sentAt = performance.now()
    const query = { ...filters, since: position, wait: MAX_WAIT_SECONDS }
    const { data: page } = await send<EventPage>({ method: 'GET', path: EVENTS, query, signal })
    if (page.watch_events.length > 0) yield page
    const couldWait = NUMBER.test(position) && page.watch_events.length === 0
    if (couldWait && performance.now() - sentAt < PAUSE_MS) await sleep(PAUSE_MS, signal)
    position = page.next_since
  }
}

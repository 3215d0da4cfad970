// Saved searches of the account and of the signed-in member.
import type { components, operations } from './generated/openapi.ts'
import type { CallOptions } from './options.ts'
import type { SearchFilters } from './records.ts'
import type { Send } from './request.ts'

type Schemas = components['schemas']

/** A saved search. `search` is the query string of `GET /api/v1/cves` for today. */
export type View = Schemas['View']

/** The views that the caller can see, and what the caller may do with them. */
export type ViewList = Schemas['ViewList']

/** Name, query, columns and place of a view to save. */
export type NewView = operations['createView']['requestBody']['content']['application/json']

/** A changed view, with the revision that was read. */
export type ViewUpdate = operations['changeView']['requestBody']['content']['application/json']

/** How far the signed-in member has read the change log and the events; empty for a key. */
export type OwnMember = Schemas['OwnMember']

/** A position of the change log, and the number of an event, that the signed-in member has seen. */
export type SeenMarks = operations['markSeen']['requestBody']['content']['application/json']

/** Filters and order of an export. */
export type ExportFilters = Omit<SearchFilters, 'limit' | 'after' | 'fields' | 'include'>

/** Methods of a {@link Client} for saved searches, and for the export of a search. */
export interface ViewMethods {
  /**
   * Lists the views: built-in, shared and own ones. Without the scope `watch`, a key sees the built-in ones only. Free of
   * charge.
   *
   * ```ts
   * const { views } = await client.views()
   * for (const { name, search } of views) console.log(name, search)
   * ```
   */
  views(options?: CallOptions): Promise<ViewList>

  /** Returns one view. Free of charge. */
  view(id: string, options?: CallOptions): Promise<View>

  /**
   * Saves a view. A key saves shared ones. Needs a key with the scope `watch`. Free of charge.
   *
   * ```ts
   * await client.createView({ name: 'Fortinet in KEV', query: 'product_vendor=fortinet&kev_added_after=today-30d' })
   * ```
   */
  createView(view: NewView, options?: CallOptions): Promise<View>

  /**
   * Changes a view. Rejects with a {@link VisError} with code `CONFLICT` if it has another revision. Needs a key with the
   * scope `watch`. Free of charge.
   */
  changeView(id: string, view: ViewUpdate, options?: CallOptions): Promise<View>

  /** Removes a view. Needs a key with the scope `watch`. Free of charge. */
  removeView(id: string, options?: { readonly revision?: number } & CallOptions): Promise<View>

  /**
   * Returns all CVEs of a search as the bytes of a CSV file. Costs `PRICES.exportCves` credits for each 100 rows. A large
   * export takes minutes: create the client with a longer `timeoutMs`.
   */
  exportCves(filters?: ExportFilters & CallOptions): Promise<Uint8Array<ArrayBuffer>>

  /** Returns the signed-in member and how far the member has read the change log; empty for a key. Free of charge. */
  ownMember(options?: CallOptions): Promise<OwnMember>

  /**
   * Moves the signed-in member's position in the change log forward, or in the events, or both. Rejects for a key. Free of
   * charge.
   *
   * ```ts
   * await client.markSeen({ events: 412 })
   * ```
   */
  markSeen(seen: string | SeenMarks, options?: CallOptions): Promise<OwnMember>
}

const VIEWS = 'api/v1/views'

const pathOf = (id: string) => `${VIEWS}/${encodeURIComponent(id)}`

export function createViewMethods(send: Send): ViewMethods {
  const get = async <Data>(path: string, { signal }: CallOptions) =>
    (await send<Data>({ method: 'GET', path, signal })).data
  // A change is not retried after a failure, because it may have been made.
  const post = async <Data>(path: string, body: unknown, { signal }: CallOptions) =>
    (await send<Data>({ method: 'POST', path, body, signal, isChange: true })).data
  return {
    views: (options = {}) => get(VIEWS, options),
    view: async (id, options = {}) => (await get<Schemas['OneView']>(pathOf(id), options)).view,
    createView: async (view, options = {}) => (await post<Schemas['CreatedView']>(VIEWS, view, options)).view,
    changeView: async (id, view, options = {}) => (await post<Schemas['ChangedView']>(pathOf(id), view, options)).view,
    removeView: async (id, { revision, ...options } = {}) =>
      (await post<Schemas['RemovedView']>(`${pathOf(id)}/remove`, { revision }, options)).view,
    exportCves: async ({ signal, ...query } = {}) =>
      (await send<Uint8Array<ArrayBuffer>>({ method: 'GET', path: 'api/v1/cves/export', query, signal, isFile: true }))
        .data,
    ownMember: (options = {}) => get('api/v1/members/me', options),
    markSeen: (seen, options = {}) =>
      post('api/v1/members/me/seen', typeof seen === 'string' ? { position: seen } : seen, options),
  }
}

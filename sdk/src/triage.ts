// The calls for triage: what an account decided about CVEs.
import type { components, operations } from './generated/openapi.ts'
import type { CallOptions } from './options.ts'
import { createListing, type Listing, type Page } from './paginate.ts'
import type { Send } from './request.ts'

type Schemas = components['schemas']

/** What the account decided about a CVE in a scope. */
export type TriageEntry = Schemas['TriageEntry']

/** The entries of one CVE, and all revisions of them. */
export type CveTriage = Schemas['CveTriage']

/** Filters of the list, with the names and meaning of `GET /api/v1/triage`. */
export type TriageFilters = NonNullable<operations['listTriage']['parameters']['query']>

/** A state to set, with the names and meaning of `POST /api/v1/triage`. */
export type NewTriageState = operations['setTriage']['requestBody']['content']['application/json']

/** An entry, and the revision that a change replaces. */
export type TriageEntryName = operations['removeTriage']['requestBody']['content']['application/json']

/** Up to 500 changes. */
export type TriageChanges = operations['bulkTriage']['requestBody']['content']['application/json']

/** The outcome of each change. */
export type ChangedTriage = Schemas['TriageChanges']

/** The entries as an OpenVEX document, and what OpenVEX has no member for. */
export type ExportedTriage = Schemas['ExportedTriage']

/** What an import made, kept and left out. */
export type ImportedTriage = Schemas['ImportedTriage']

/** Methods of a {@link Client} for triage. All are free of charge and need a key with the scope `triage`. */
export interface TriageMethods {
  /**
   * Lists what the account decided about CVEs, the newest entry first.
   *
   * ```ts
   * for await (const { cve_id, scope, reopened_by } of client.triage({ effect: ['reopened'] }))
   *   console.log(cve_id, scope, reopened_by)
   * ```
   */
  triage(filters?: TriageFilters & CallOptions): Listing<TriageEntry>

  /** Returns the entries of one CVE in all scopes, and their history. */
  cveTriage(cveId: string, options?: CallOptions): Promise<CveTriage>

  /**
   * Sets a state, or replaces the revision that it names. Rejects with a {@link VisError} with code `CONFLICT` if the entry
   * has another revision; `details.current` is the entry as it is now.
   *
   * ```ts
   * await client.setTriage({
   *   cve_id: 'CVE-2021-23337',
   *   scope: 'pkg:npm/lodash',
   *   version_range: '<4.17.21',
   *   state: 'not_affected',
   *   justification: 'vulnerable_code_not_in_execute_path',
   * })
   * ```
   */
  setTriage(state: NewTriageState, options?: CallOptions): Promise<TriageEntry>

  /** Makes up to 500 changes, each judged alone. */
  changeTriage(changes: TriageChanges, options?: CallOptions): Promise<ChangedTriage>

  /** Withdraws an entry; its revisions stay in the history. */
  removeTriage(entry: TriageEntryName, options?: CallOptions): Promise<void>

  /** Returns all entries as an OpenVEX document. */
  exportTriage(options?: CallOptions): Promise<ExportedTriage>

  /** Makes entries of an OpenVEX document. Entries that say something else are kept unless `replace` is true. */
  importTriage(
    document: Readonly<Record<string, unknown>>,
    options?: { readonly replace?: boolean } & CallOptions,
  ): Promise<ImportedTriage>
}

const TRIAGE = 'api/v1/triage'

export function createTriageMethods(send: Send): TriageMethods {
  /** A change is not repeated after a failure, because it may have been made. */
  const change = async <Data>(path: string, body: unknown, signal: AbortSignal | undefined): Promise<Data> =>
    (await send<Data>({ method: 'POST', path, body, signal, isChange: true })).data
  const get = async <Data>(path: string, signal: AbortSignal | undefined): Promise<Data> =>
    (await send<Data>({ method: 'GET', path, signal })).data
  return {
    triage: (filters = {}) => listTriage(send, filters),
    cveTriage: (cveId, { signal } = {}) => get(`${TRIAGE}/cve/${encodeURIComponent(cveId)}`, signal),
    setTriage: async (state, { signal } = {}) =>
      (await change<Schemas['SetTriage']>(TRIAGE, state, signal)).triage_entry,
    changeTriage: (changes, { signal } = {}) => change(`${TRIAGE}/bulk`, changes, signal),
    removeTriage: async (entry, { signal } = {}) => {
      await change(`${TRIAGE}/remove`, entry, signal)
    },
    exportTriage: ({ signal } = {}) => get(`${TRIAGE}/openvex`, signal),
    importTriage: (document, { signal, replace } = {}) =>
      change(`${TRIAGE}/openvex`, { document, ...(replace !== undefined && { replace }) }, signal),
  }
}

function listTriage(send: Send, { signal, after, ...filters }: TriageFilters & CallOptions): Listing<TriageEntry> {
  const fetchPage = async (position: string | undefined): Promise<Page<TriageEntry>> => {
    const query = { ...filters, after: position }
    const { data } = await send<Schemas['TriageList']>({ method: 'GET', path: TRIAGE, query, signal })
    const { limit, hasMore, nextCursor, totalEstimate } = data.pagination
    return { items: data.triage_entries, limit, hasMore, nextCursor, totalEstimate }
  }
  return createListing(fetchPage, after)
}

// The dependencies that an endpoint receives in addition to its input.
import type { IssuedKey } from '../accounts/keys/api-key.ts'
import type { Caller } from '../accounts/keys/find-caller.ts'
import type { InboxWaits } from '../accounts/watches/inbox-waits.ts'
import type { Cursors } from '../contract/cursor.ts'
import { createEndpointFactory, type Endpoint, type StoredFile } from '../contract/endpoint.ts'
import type { Loading } from '../contract/response/loading.ts'
import type { FeedFormat } from '../contract/watches/feed.ts'
import type { Database } from '../database/postgres.ts'
import type { BatchRecords } from '../record/cache/batch-cache.ts'
import type { Records } from '../record/cache/record-cache.ts'
import type { ChangeWindow } from '../record/change-log/window.ts'
import type { ColumnsThread } from '../search/facets/thread/client.ts'
import type { Documents, ScanDocument } from './documents/documents.ts'

/** Dependencies that all requests share. */
export interface SharedServices {
  /** The catalog database, or the replica that DATABASE_READ_URL names. */
  readonly db: Database
  /**
   * The same database, for small checks. All requests share one connection, so statements are coalesced (coalesce.ts).
   */
  readonly checks: Database
  /** Answers from what is already known, without querying the accounts database. */
  readonly isAccountsReachable: () => boolean
  readonly accounts: Database
  /** Creates a random API key, which becomes valid once its digest is stored. */
  readonly issueKey: () => IssuedKey
  readonly invitations: Invitations
  readonly cursors: Cursors
  /** The contracts of all endpoints, for the endpoint that describes parameters. */
  readonly endpoints: readonly Pick<ServedEndpoint, 'path' | 'tag' | 'parameters'>[]
  /** Reads single CVEs from the cache or the database. */
  readonly records: Records
  readonly batchRecords: BatchRecords
  /** May be called only once the call has the document thread. */
  readonly scanDocument: ScanDocument
  /** Called before the charge. Throws if the document cannot be scanned. */
  readonly readDocument: Documents['read']
  /** Throws 400 if the estimated work exceeds what one call may cause. */
  readonly estimateMatch: Documents['estimate']
  /** May be called only once the call has the thread that `estimateMatch` chose. */
  readonly matchComponents: Documents['match']
  /** Finds the CVEs that may affect the component given as a search filter. */
  readonly findCves: Documents['findCves']
  readonly changes: ChangeWindow
  /** Calls wait here for events of their account. */
  readonly inbox: InboxWaits
  readonly feeds: Feeds
  /** The address of this server, for links in answers; null if it is not known. */
  readonly publicUrl: string | null
  /** Counts facets over the columns in memory. Returns undefined if only the database can count them. */
  readonly countInMemory: ColumnsThread['count']
  /** The last known progress of the first load; undefined once it is finished. */
  readonly loading: () => Loading | undefined
}

export interface Services extends SharedServices {
  /** The time of the request, used for the whole response. */
  readonly now: Date
  /** Undefined on public endpoints. */
  readonly caller: Caller | undefined
  /** The call is free, whatever the endpoint's price. */
  readonly isFree: boolean
  /**
   * Aborts when no one is waiting for the answer. `db` follows it; work in threads or slices must end soon after it.
   */
  readonly signal: AbortSignal
}

/** Feeds of watches, as feed readers see them. */
export interface Feeds {
  /** Undefined if there is no feed with this token, or no longer. */
  read(token: string, format: FeedFormat): Promise<StoredFile | undefined>
}

/** How people receive links to join an account. */
export interface Invitations {
  /** Returns false if this server does not send mail; the caller must then pass on the link. */
  readonly areMailed: () => Promise<boolean>
  /** Returns the console page on which a person uses a token. */
  readonly buildLink: (token: string) => string
}

export const defineEndpoint = createEndpointFactory<Services>()

export type ServedEndpoint = Endpoint<Services>

export function requireCaller({ caller }: Services): Caller {
  if (!caller) throw new Error("A public endpoint has no caller: set access to 'key'.")
  return caller
}

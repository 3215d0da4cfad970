// The dependencies that an endpoint receives in addition to its input.
import type { IssuedKey } from '../accounts/keys/api-key.ts'
import type { Caller } from '../accounts/keys/find-caller.ts'
import type { Cursors } from '../contract/cursor.ts'
import { createEndpointFactory, type Endpoint } from '../contract/endpoint.ts'
import type { Database } from '../database/postgres.ts'
import type { BatchRecords } from '../record/cache/batch-cache.ts'
import type { Records } from '../record/cache/record-cache.ts'
import type { ChangeWindow } from '../record/change-log/window.ts'
import type { Documents, ScanDocument } from './documents/documents.ts'

/** Dependencies that are the same for all requests. */
export interface SharedServices {
  /** Connection to the catalog database, or to a replica of it if the setting DATABASE_READ_URL names one. */
  readonly db: Database
  /**
   * Connection to the same database as `db` for small checks. Concurrent requests share its one connection, so each
   * statement must be run once for all of them (coalesce.ts).
   */
  readonly checks: Database
  /** Returns false while the node cannot connect to the accounts database, without querying that database. */
  readonly isAccountsReachable: () => boolean
  /** Connection to the accounts database. */
  readonly accounts: Database
  /** Creates a random API key for the environment of the service. It is valid once its digest is stored. */
  readonly issueKey: () => IssuedKey
  readonly invitations: Invitations
  readonly cursors: Cursors
  /** The contracts of all endpoints, for the endpoint that describes parameters. */
  readonly endpoints: readonly Pick<ServedEndpoint, 'path' | 'tag' | 'parameters'>[]
  /** Reads single CVEs from the cache or from the database. */
  readonly records: Records
  /** Records of batches that are in memory. */
  readonly batchRecords: BatchRecords
  /** Scans a document in the thread that reads documents. The call must have its turn to use the thread. */
  readonly scanDocument: ScanDocument
  /** Reads a document before the call is charged. Throws if it cannot be scanned. */
  readonly readDocument: Documents['read']
  /** Estimates the work of a call that matches components. Throws 400 if it is more than one call may cause. */
  readonly estimateMatch: Documents['estimate']
  /** Matches components in a thread. The call must have its turn to use the thread, which `estimateMatch` chose. */
  readonly matchComponents: Documents['match']
  /** Finds the CVEs of the component by which a search is filtered, in a thread. */
  readonly findCves: Documents['findCves']
  /** The newest changes of the catalog. */
  readonly changes: ChangeWindow
}

export interface Services extends SharedServices {
  /** The time of the request. All parts of the response are computed for this time. */
  readonly now: Date
  /** The account and API key of the request; undefined on public endpoints. */
  readonly caller: Caller | undefined
  /** True for a call that costs nothing, whatever the price of its endpoint is. */
  readonly isFree: boolean
  /**
   * Aborts when nobody waits for the answer any longer. `db` follows it by itself; work in other threads or in slices must
   * end soon after it.
   */
  readonly signal: AbortSignal
}

/** How people receive the links with which they join an account. */
export interface Invitations {
  /** False if this server sends no mail: the caller hands over the link then. */
  readonly areMailed: () => Promise<boolean>
  /** Returns the address of the console at which a person uses a token. */
  readonly buildLink: (token: string) => string
}

export const defineEndpoint = createEndpointFactory<Services>()

export type ServedEndpoint = Endpoint<Services>

export function requireCaller({ caller }: Services): Caller {
  if (!caller) throw new Error("A public endpoint has no caller: set access to 'key'.")
  return caller
}

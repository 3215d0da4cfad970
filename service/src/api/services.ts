// The dependencies that an endpoint receives besides its input.
import type { Caller } from '../accounts/find-caller.ts'
import { createEndpointFactory, type Endpoint } from '../contract/endpoint.ts'
import type { Database } from '../database/postgres.ts'
import type { Cursors } from './cursor.ts'
import type { Records } from './cve-record/cache.ts'

export interface Services {
  /** Database of the catalog, on the nearest replica. */
  readonly db: Database
  /** Database of the accounts. */
  readonly accounts: Database
  readonly cursors: Cursors
  /** Single CVEs, from the cache or the database. */
  readonly records: Records
  /** The time of the request. All parts of the response use the same time. */
  readonly now: Date
  /** The account and key of the request; undefined on public endpoints. */
  readonly caller: Caller | undefined
}

export const defineEndpoint = createEndpointFactory<Services>()

export type ServedEndpoint = Endpoint<Services>

export function requireCaller({ caller }: Services): Caller {
  if (!caller) throw new Error("A public endpoint has no caller: set access to 'key'.")
  return caller
}

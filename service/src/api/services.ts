// What an endpoint is given besides its input.
import type { Caller } from '../accounts/find-caller.ts'
import { type Endpoint, endpointsGiven } from '../contract/endpoint.ts'
import type { Database } from '../database/postgres.ts'
import type { Cursors } from './cursor.ts'
import type { Records } from './cve-record/cache.ts'

export interface Services {
  /** The catalog, from the nearest replica. */
  readonly db: Database
  /** The accounts' own database. */
  readonly accounts: Database
  readonly cursors: Cursors
  /** Single CVEs, some of them remembered. */
  readonly records: Records
  /** The time of this request, the same for everything it does. */
  readonly now: Date
  /** Absent on public endpoints. */
  readonly caller: Caller | undefined
}

export const defineEndpoint = endpointsGiven<Services>()

export type ServedEndpoint = Endpoint<Services>

export function callerOf({ caller }: Services): Caller {
  if (!caller) throw new Error('a public endpoint has no caller')
  return caller
}

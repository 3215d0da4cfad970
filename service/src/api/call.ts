// What an endpoint is given besides its input.
import { type Endpoint, endpointsGiven } from '../contract/endpoint.ts'
import type { Database } from '../database/postgres.ts'

export interface Services {
  /** The catalog, from the nearest replica. */
  readonly db: Database
  /** The time of this request, the same for everything it does. */
  readonly now: Date
}

export const defineEndpoint = endpointsGiven<Services>()

export type ServedEndpoint = Endpoint<Services>

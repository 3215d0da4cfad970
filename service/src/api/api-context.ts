// The dependencies of the request flow, and the context of one request.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CallerCache } from '../accounts/keys/caller-cache.ts'
import type { Caller } from '../accounts/keys/find-caller.ts'
import type { AnyInput } from '../contract/endpoint.ts'
import type { Database } from '../database/postgres.ts'
import type { Clock } from '../domain/clock.ts'
import type { OriginRules } from './admission/allow-origin.ts'
import type { Credits } from './admission/charge.ts'
import type { DatabaseTurns } from './admission/database-turns/turns.ts'
import type { ConcurrencyLimit } from './admission/limit-concurrency.ts'
import type { RateRule } from './admission/limit-rate.ts'
import type { WaitLimit } from './admission/limit-waits.ts'
import type { ProcessorShare } from './admission/share-processor.ts'
import type { UnsentBytes } from './admission/unsent-bytes.ts'
import type { AnswerContext } from './answer.ts'
import type { Documents } from './documents/documents.ts'
import type { ReadRateWatch } from './large-answers/read-rate.ts'
import type { ServedEndpoint, SharedServices } from './services.ts'

/** Reason why a call with a valid API key is refused. */
export type KeyUseRefusal = 'address' | 'scope'

export interface ApiContext {
  readonly accounts: Database
  readonly callers: CallerCache
  readonly origins: OriginRules
  readonly rate: RateRule
  readonly concurrency: ConcurrencyLimit
  readonly waits: WaitLimit
  readonly processor: ProcessorShare
  /** Turns to use the connections of the catalog database and of the accounts database. */
  readonly turns: { readonly catalog: DatabaseTurns; readonly accounts: DatabaseTurns }
  readonly documents: Documents
  readonly countRefusedKey: (reason: KeyUseRefusal) => void
  readonly unsent: UnsentBytes
  readonly readRate: ReadRateWatch
  readonly credits: Credits
  readonly services: SharedServices
  /** Returns a database whose statements are cancelled when the signal aborts. */
  readonly bind: Readonly<Record<'catalog' | 'accounts', (signal: AbortSignal) => Database>>
  readonly clock: Clock
}

/** The endpoint, the Fastify request and reply, and the API context of one request. */
export interface RequestContext extends AnswerContext {
  readonly api: ApiContext
}

/** The caller of an admitted request, and whether the request costs credits. */
export interface AdmittedCall {
  readonly caller: Caller
  /** True for a call that costs nothing, whatever the price of its endpoint is. */
  readonly isFree: boolean
}

/**
 * A way to call the endpoints: with an API key under /api/v1, or with a session of the console under /console/api/v1. The
 * endpoints and the rest of the request flow are the same.
 */
export interface Admission {
  /** Path before the path of each endpoint. */
  readonly prefix: '' | '/console'
  /** Called first for every request: sets headers of the response, or refuses the request. */
  open(request: FastifyRequest, reply: FastifyReply, isPublic: boolean, api: ApiContext): void
  /** Sets the headers of the response to an OPTIONS request. */
  answerOptions(request: FastifyRequest, reply: FastifyReply, api: ApiContext): Promise<void>
  /** Label of the endpoint's requests in metrics and in the log. */
  nameEndpoint(endpoint: ServedEndpoint): string
  /** Identifies the caller and counts the call in the caller's rate limit. Throws if the call is refused. */
  admit(context: RequestContext): Promise<AdmittedCall>
  /** Counts an admitted call whose count depends on its input. Throws if the call is refused. */
  countInput?(context: RequestContext, input: AnyInput, call: AdmittedCall): Promise<void>
  /** Changes the headers of a response that is ready to be sent. */
  prepareResponse?(reply: FastifyReply): void
}

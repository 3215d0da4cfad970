// Dependencies of request handling.
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

/** Why a valid API key is refused. */
export type KeyUseRefusal = 'address' | 'scope'

export interface ApiContext {
  readonly accounts: Database
  readonly callers: CallerCache
  readonly origins: OriginRules
  readonly rate: RateRule
  readonly concurrency: ConcurrencyLimit
  readonly waits: WaitLimit
  readonly processor: ProcessorShare
  readonly turns: { readonly catalog: DatabaseTurns; readonly accounts: DatabaseTurns }
  readonly documents: Documents
  readonly countRefusedKey: (reason: KeyUseRefusal) => void
  readonly unsent: UnsentBytes
  readonly readRate: ReadRateWatch
  readonly credits: Credits
  readonly services: SharedServices
  /** Statements are cancelled when the signal aborts. */
  readonly bind: Readonly<Record<'catalog' | 'accounts', (signal: AbortSignal) => Database>>
  readonly clock: Clock
}

export interface RequestContext extends AnswerContext {
  readonly api: ApiContext
}

export interface AdmittedCall {
  readonly caller: Caller
  /** The call is free, whatever the endpoint's price. */
  readonly isFree: boolean
}

/**
 * How endpoints are called: with an API key under /api/v1, or with a console session under /console/api/v1. The
 * endpoints and all other steps of a request are the same.
 */
export interface Admission {
  /** Prefix of each endpoint's path. */
  readonly prefix: '' | '/console'
  /** Called first: sets response headers, or refuses the request. */
  open(request: FastifyRequest, reply: FastifyReply, isPublic: boolean, api: ApiContext): void
  answerOptions(request: FastifyRequest, reply: FastifyReply, api: ApiContext): Promise<void>
  /** Label of the endpoint in metrics and logs. */
  nameEndpoint(endpoint: ServedEndpoint): string
  /** Identifies the caller and counts the call towards its rate limit. Throws if the call is refused. */
  admit(context: RequestContext): Promise<AdmittedCall>
  /** Counts a call if the number to count depends on its input. Throws if the call is refused. */
  countInput?(context: RequestContext, input: AnyInput, call: AdmittedCall): Promise<void>
  /** Changes headers just before they are sent. */
  prepareResponse?(reply: FastifyReply): void
}

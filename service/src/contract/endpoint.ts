// Defines what an endpoint is: an object with the whole contract of one path and method, and the function that answers
// a request.
import type { TSchema } from 'typebox'
import type { Plan } from '../domain/account/plan.ts'
import type { Role } from '../domain/account/role.ts'
import type { Scope } from '../domain/account/scope.ts'
import type { BodyFields, BodyOf } from './request/body.ts'
import type { Parameters, ValuesOf } from './request/parameters.ts'
import type { ErrorCode } from './response/errors.ts'
import type { Tag } from './tags.ts'

interface Input<Path, Query, Body> {
  readonly path: Path
  readonly query: Query
  readonly body: Body
  /** The body of a request to an endpoint with `documentBody`. */
  readonly document?: SentDocument
}

/** A body as it was sent. It is not parsed before the endpoint answers. */
export interface SentDocument {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly isGzip: boolean
}

export type AnyInput = Input<
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>
>

/** A condition on several parameters, such as "severity_min must not exceed severity_max". */
export interface Rule<In> {
  /** Names of the parameters that `check` reads. The error response names the first of these parameters. */
  readonly parameters: readonly [string, ...string[]]
  /** Returns the end of the error message "<parameter> …" if the input breaks the rule, otherwise undefined. */
  check(input: In): string | undefined
}

/** The cacheable bytes of a response body: everything before `meta`, which differs from response to response. */
export interface Rendered {
  readonly etag: string
  readonly plain: Buffer
  gzipped(): Promise<GzipPrefix>
}

/** A gzip stream without its last block. Any text can be appended as the last block (see api/gzip.ts). */
export interface GzipPrefix {
  readonly bytes: Buffer
  /** CRC-32 checksum of the bytes before compression. */
  readonly checksum: number
  /** Number of bytes before compression. */
  readonly length: number
}

/**
 * A text, whole or in chunks. The chunks of a large text are encoded, hashed, compressed and sent one after the other,
 * so that the response does not delay other requests.
 */
export type PiecedText = string | readonly string[]

/** A response body that is sent as it is stored, outside the envelope and without compression. */
export interface StoredFile {
  readonly mediaType: string
  /** A strong ETag: identical bytes always have the same one. */
  readonly etag: string
  readonly bytes: number
  /** Reads the bytes; called only if the client needs them. */
  read(): Promise<Buffer[]>
}

/** A response body of unknown length outside the envelope, which is read and sent part by part. */
interface TextStream<Services> {
  readonly mediaType: string
  /** Returns the next part, or undefined at the end. Each part is read in a turn of its own, with fresh services. */
  next(services: Services): Promise<string | undefined>
}

/** The data of a response: a value to render, finished JSON text, cached bytes, or a file or stream instead of an envelope. */
type Data<Services> =
  | { readonly data: unknown }
  | { readonly json: PiecedText }
  | { readonly rendered: Rendered }
  | { readonly file: StoredFile }
  | { readonly stream: TextStream<Services> }

type Answer<Services> = Data<Services> & {
  /** The text from which the ETag is computed, if `data` has members that must not change the ETag (decision B13). */
  readonly etagSource?: PiecedText
  /** Members of the response body in addition to `data` and `meta`. */
  readonly topLevel?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** True for a response without the data that the caller asked for; its credits are refunded (decision A9). */
  readonly isRefunded?: boolean
}

/**
 * An example request and the service's real response. service/test/spec/documentation/examples.test.ts sends the
 * request again, compares the response, and can rewrite the example.
 */
export interface Example {
  /** Method and target of the example request, such as `GET /api/v1/kev?limit=2`. */
  readonly request: string
  readonly body?: unknown
  readonly answer: unknown
  /** The members or positions that the example keeps from a long object or list, by path, such as `data.levels`. */
  readonly only?: Readonly<Record<string, readonly string[]>>
}

/**
 * The type of database work that a call causes. Calls share the database connections by account and type of work. A
 * call has the type `none` if it does no database work or if all callers share its work.
 */
export type DatabaseWork = 'none' | 'record' | 'search' | 'batch' | 'account'

/**
 * A body that is a document from the caller. It is decompressed and parsed in another thread while the endpoint
 * answers.
 */
export interface DocumentBody {
  /**
   * Accepted media types, in lower case and without parameters. A body without a media type is read as the first one.
   */
  readonly types: readonly [string, ...string[]]
  readonly description: string
}

/** The rule for calling an endpoint through the web console. */
interface ConsoleRule<In> {
  /** The role with the fewest rights that may call the endpoint. */
  readonly minRole: Role
  /**
   * `read`: a call is free and, if the endpoint consumes the rate limit, counts towards the account's free reads.
   * `charged`: a call costs the same credits as with an API key.
   */
  readonly cost: 'read' | 'charged'
  /** Returns how many reads a call counts as; one if absent. */
  countReads?(input: In): number
}

interface EndpointContract<Services, In> {
  /**
   * Kebab-case name of the endpoint's folder. It is also the operation id in openapi.json and the label of the endpoint
   * in metrics.
   */
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** Path of the endpoint in OpenAPI syntax, such as /api/v1/cve/{cve-id}. */
  readonly path: `/${string}`
  readonly tag: Tag
  readonly summary: string
  readonly description: string
  /** A `public` endpoint needs no API key, costs no credits and allows every browser origin. */
  readonly access: 'key' | 'public'
  /** The scope that an API key needs; `read` if absent. Console sessions have roles instead (`console.minRole`). */
  readonly scope?: Scope
  /** Credits charged for one 2xx response, unless `answer` refunds it; for each unit, if the endpoint counts units. */
  readonly credits: number
  /**
   * Whether requests to the endpoint count towards the free plan's rate limit. Even if false, responses have the rate
   * limit headers (decision A11).
   */
  readonly consumesRate: boolean
  /** If absent, the console does not offer the endpoint. */
  readonly console?: ConsoleRule<In>
  /**
   * `document`: the call queues for the thread that reads documents, which has its own connection. `match`: the call
   * queues for the thread that matches components, or for both threads if the work is long.
   */
  readonly work: DatabaseWork | 'document' | 'match'
  readonly cacheControl:
    | 'no-store'
    | 'private, no-cache'
    | 'private, max-age=60'
    | 'private, max-age=300'
    | 'private, max-age=3600'
  readonly response: {
    /** Name of the response schema in the components of openapi.json. */
    readonly name: string
    readonly schema: TSchema
    /** Media type of a response that is a file instead of an envelope; `schema` then describes the file. */
    readonly mediaType?: string
    /** Schemas of the response members in addition to `data` and `meta`. */
    readonly topLevel?: Readonly<Record<string, TSchema>>
    /** Names of the endpoint's own response headers, besides those that every response has. */
    readonly headers?: readonly string[]
  }
  /** Maximum size of the request body in bytes; DEFAULT_BODY_LIMIT if absent (decision B11). */
  readonly bodyLimit?: number
  /** Present if the body is a document. The endpoint then also accepts `Content-Encoding: gzip`. */
  readonly documentBody?: DocumentBody
  /** The content of the file example.json in the endpoint's folder. */
  readonly example?: Example
  /** Error codes specific to the endpoint, besides those that every endpoint can return. */
  readonly errors: readonly ErrorCode[]
  readonly rules: readonly Rule<In>[]
  /** Returns the plan that the request requires, or undefined if it is allowed on every plan (decision A12). */
  requiredPlan?(input: In): Plan | undefined
  /**
   * Called first, before the call counts as in flight and before credits are charged. Returns a promise if the call
   * waits for new data; the promise must resolve soon after the signal aborts. A waiting call must not use a database
   * connection.
   */
  wait?(input: In, services: Services, signal: AbortSignal): Promise<void> | undefined
  /**
   * Called before credits are charged (decision A6). Throws if the request cannot succeed. Returns the response if it
   * is known without any work, such as a current response from a cache; otherwise returns undefined, and `answer` is
   * called.
   */
  answerWithoutCharge?(input: In, services: Services): Rendered | undefined
  /**
   * Returns an upper estimate of the size of the response body, for endpoints whose responses can be large. While an
   * account has many unread bytes, its calls with a large estimate wait (see api/admission/unsent-bytes.ts).
   */
  estimateBytes?(input: In): number
  /**
   * Called once a call of type `document` or `match` has its thread, before credits are charged. Throws if the call
   * cannot be answered, for example because its estimated work exceeds what one call may cause. Returns whether the
   * work is short.
   */
  prepare?(input: In, services: Services): Promise<'small' | 'large'>
  /**
   * Returns how many times the price a call costs; once if absent. Called in the call's turn, before credits are charged.
   * Throws if the call asks for too much.
   */
  countUnits?(input: In, services: Services): Promise<number>
  answer(input: In, services: Services): Promise<Answer<Services>>
}

export interface Endpoint<Services> extends EndpointContract<Services, AnyInput> {
  readonly parameters: { readonly path: Parameters; readonly query: Parameters }
  readonly body: BodyFields | undefined
}

/** Maximum size of a request body in bytes, unless the endpoint sets its own limit (decision B11). */
export const DEFAULT_BODY_LIMIT = 64 * 1024

type Definition<Services, P extends Parameters, Q extends Parameters, B extends BodyFields> = Omit<
  EndpointContract<Services, Input<ValuesOf<P>, ValuesOf<Q>, BodyOf<B>>>,
  'rules'
> & {
  readonly parameters?: { readonly path?: P; readonly query?: Q }
  readonly body?: B
  readonly rules?: readonly Rule<Input<ValuesOf<P>, ValuesOf<Q>, BodyOf<B>>>[]
}

/**
 * Returns the function `defineEndpoint` for endpoints that receive dependencies of type `Services`. TypeScript infers
 * each endpoint's input type from its parameters and body.
 */
export function createEndpointFactory<Services>() {
  return <P extends Parameters, Q extends Parameters, B extends BodyFields>(
    definition: Definition<Services, P, Q, B>,
  ): Endpoint<Services> => {
    const { parameters = {}, body, rules = [] } = definition
    const erased = {
      ...definition,
      rules,
      body,
      parameters: { path: parameters.path ?? {}, query: parameters.query ?? {} },
    }
    // TypeScript accepts the narrower input type of `answer` because methods are bivariant. This is safe, because
    // readInput builds the input from the parameters of the same endpoint.
    return erased
  }
}

// An endpoint is a value that holds the whole contract of one path and method, and the function that answers a request.
import type { TSchema } from 'typebox'
import type { Plan } from '../domain/plan.ts'
import type { BodyFields, BodyOf } from './body.ts'
import type { ErrorCode } from './errors.ts'
import type { Parameters, ValuesOf } from './parameters.ts'
import type { Tag } from './tags.ts'

interface Input<Path, Query, Body> {
  readonly path: Path
  readonly query: Query
  readonly body: Body
}

export type AnyInput = Input<
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>
>

/** A condition on several parameters, such as "severity_min must not exceed severity_max". */
export interface Rule<In> {
  /** Names of the parameters that `check` reads. The error names the first one. */
  readonly parameters: readonly [string, ...string[]]
  /** Returns the end of the message "<parameter> …" if the input breaks the rule, otherwise undefined. */
  check(input: In): string | undefined
}

/** The bytes of a response body up to `meta`, which differs from response to response. */
export interface Rendered {
  readonly etag: string
  readonly plain: Buffer
  gzipped(): Promise<GzipPrefix>
}

/** A gzip stream without its last block. Any text can be appended as the last block (see api/gzip.ts). */
export interface GzipPrefix {
  readonly bytes: Buffer
  /** CRC-32 of the uncompressed bytes. */
  readonly checksum: number
  /** Number of uncompressed bytes. */
  readonly length: number
}

/** The response data: a value to render, finished JSON text, or cached bytes. */
type Data = { readonly data: unknown } | { readonly json: string } | { readonly rendered: Rendered }

type Answer = Data & {
  /** Text to hash for the ETag instead of `data`, for responses whose data has volatile members (decision B13). */
  readonly etagSource?: string
  /** Members of the response body next to `data` and `meta`. */
  readonly topLevel?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A request and the response that the service really gave to it. service/test/spec/documentation/examples.test.ts
 * sends the request again, compares the response, and can rewrite the example.
 */
export interface Example {
  /** Method and target, such as `GET /api/v1/kev?limit=2`. */
  readonly request: string
  /** The JSON body of the request. */
  readonly body?: unknown
  readonly answer: unknown
}

interface EndpointContract<Services, In> {
  /** Kebab-case name of the endpoint's folder. Also the operation id in openapi.json and the label in metrics. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** Path in the syntax of OpenAPI, such as /api/v1/cve/{cve-id}. */
  readonly path: `/${string}`
  readonly tag: Tag
  readonly summary: string
  readonly description: string
  /** A `public` endpoint needs no key, costs nothing and allows every browser origin. */
  readonly access: 'key' | 'public'
  /** Credits charged for one 2xx response. */
  readonly credits: number
  /** False for endpoints that report the free plan's rate limit without consuming from it (decision A11). */
  readonly consumesRate: boolean
  readonly cacheControl: 'no-store' | 'private, max-age=60'
  readonly response: {
    /** Name of the schema among the components of openapi.json. */
    readonly name: string
    readonly schema: TSchema
    /** Schemas of the members next to `data` and `meta`. */
    readonly topLevel?: Readonly<Record<string, TSchema>>
    /** Names of response headers besides those that every response has. */
    readonly headers?: readonly string[]
  }
  /** The content of example.json in the endpoint's folder. */
  readonly example?: Example
  /** Error codes besides those that every endpoint can return. */
  readonly errors: readonly ErrorCode[]
  readonly rules: readonly Rule<In>[]
  /** Returns the plan that this request requires, or undefined if every plan may send it (decision A12). */
  requiredPlan?(input: In): Plan | undefined
  /**
   * Called before the charge, for answers that need no work (decision A6). Throws the error of a request that cannot
   * succeed, returns a response that is known to be current, or returns undefined so that `answer` is called.
   */
  answerWithoutCharge?(input: In, services: Services): Rendered | undefined
  answer(input: In, services: Services): Promise<Answer>
}

export interface Endpoint<Services> extends EndpointContract<Services, AnyInput> {
  readonly parameters: { readonly path: Parameters; readonly query: Parameters }
  readonly body: BodyFields | undefined
}

type Definition<Services, P extends Parameters, Q extends Parameters, B extends BodyFields> = Omit<
  EndpointContract<Services, Input<ValuesOf<P>, ValuesOf<Q>, BodyOf<B>>>,
  'rules'
> & {
  readonly parameters?: { readonly path?: P; readonly query?: Q }
  readonly body?: B
  readonly rules?: readonly Rule<Input<ValuesOf<P>, ValuesOf<Q>, BodyOf<B>>>[]
}

/**
 * Returns the function `defineEndpoint` for one type of services. TypeScript infers the types of the endpoint's input
 * from its parameters and its body.
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
    // TypeScript accepts the narrower input type of `answer` because methods are bivariant. The narrowing is safe:
    // readInput builds the input from the same parameters.
    return erased
  }
}

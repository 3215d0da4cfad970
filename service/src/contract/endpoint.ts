// An endpoint is a value: everything that is promised about one path and method, and the function that answers.
import type { TSchema } from 'typebox'
import type { Plan } from '../domain/plan.ts'
import type { BodyFields, BodyOf } from './body.ts'
import type { ErrorCode } from './errors.ts'
import type { Parameters, ValuesOf } from './parameters.ts'

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

interface Rule<In> {
  /** The parameters it reads; the first one is named when the rule is broken. */
  readonly of: readonly [string, ...string[]]
  /** Completes "<parameter> …", or nothing when the rule holds. */
  broken(input: In): string | undefined
}

/** Finished bytes: everything up to `meta`. */
export interface Rendered {
  readonly etag: string
  readonly plain: Buffer
  gzipped(): Promise<GzipBeginning>
}

/** A gzip stream without its end, which may be any text (see gzip.ts). */
export interface GzipBeginning {
  readonly bytes: Buffer
  /** Of what is compressed. */
  readonly checksum: number
  readonly length: number
}

/** A value to be rendered, JSON text that is finished already, or bytes that are kept for the next who asks. */
type Data = { readonly data: unknown } | { readonly json: string } | { readonly rendered: Rendered }

type Answer = Data & {
  /** Stands for the content of data where data has volatile members (decision B13). */
  readonly etagOf?: string
  /** Members next to data and meta. */
  readonly beside?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** A real answer: test/spec/documentation/examples.test.ts asks for it again, and renews it. */
export interface Example {
  /** As in `GET /api/v1/kev?limit=2`. */
  readonly request: string
  /** What the request carries. */
  readonly body?: unknown
  readonly answer: unknown
}

interface EndpointPromise<Services, In> {
  /** Kebab-case: the folder, the operation id and the label in metrics. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** As in OpenAPI: /api/v1/cve/{cve-id} */
  readonly path: `/${string}`
  readonly summary: string
  readonly description: string
  /** `public` needs no key, costs nothing and is open to every origin. */
  readonly access: 'key' | 'public'
  /** The price of one 2xx answer. */
  readonly credits: number
  /** Free-plan calls that do not consume from the rate window still show it (decision A11). */
  readonly consumesRate: boolean
  readonly cacheControl: 'no-store' | 'private, max-age=60'
  /** Named in the components of openapi.json. `beside` as in Answer. */
  readonly response: {
    readonly name: string
    readonly schema: TSchema
    readonly beside?: Readonly<Record<string, TSchema>>
    /** Beyond those that every answer has. */
    readonly headers?: readonly string[]
  }
  /** In example.json beside the endpoint. */
  readonly example?: Example
  /** Beyond those that every endpoint has. */
  readonly errors: readonly ErrorCode[]
  readonly rules: readonly Rule<In>[]
  /** Where not every plan may ask for this (decision A12). */
  requiredPlan?(input: In): Plan | undefined
  /**
   * What can be said without work, and so before the charge (decision A6): throws what is wrong, or gives the answer
   * that it knows to be current; then `answer` is not asked.
   */
  known?(input: In, services: Services): Rendered | undefined
  answer(input: In, services: Services): Promise<Answer>
}

export interface Endpoint<Services> extends EndpointPromise<Services, AnyInput> {
  readonly parameters: { readonly path: Parameters; readonly query: Parameters }
  readonly body: BodyFields | undefined
}

type Definition<Services, P extends Parameters, Q extends Parameters, B extends BodyFields> = Omit<
  EndpointPromise<Services, Input<ValuesOf<P>, ValuesOf<Q>, BodyOf<B>>>,
  'rules'
> & {
  readonly parameters?: { readonly path?: P; readonly query?: Q }
  readonly body?: B
  readonly rules?: readonly Rule<Input<ValuesOf<P>, ValuesOf<Q>, BodyOf<B>>>[]
}

/** `const defineEndpoint = endpointsGiven<Services>()`: the types of the input follow from the parameters. */
export function endpointsGiven<Services>() {
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
    // `answer` is a method, so its narrower input type passes: readInput builds the input from these very parameters.
    return erased
  }
}

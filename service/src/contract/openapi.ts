// Endpoints → the OpenAPI 3.1 document. Pure: the same objects that parse and answer describe themselves here.
import { type TSchema, Type } from 'typebox'
import { attributionsInMarkdown } from './attributions.ts'
import { type BodyFields, bodySchema } from './body.ts'
import type { Endpoint, Example } from './endpoint.ts'
import errorExamples from './error-examples.json' with { type: 'json' }
import { ERRORS, type ErrorCode } from './errors.ts'
import type { Parameters } from './parameters.ts'
import { errorBody, meta } from './schemas.ts'

type Described = Omit<Endpoint<never>, 'answer' | 'known' | 'requiredPlan' | 'rules'>
type Json = Record<string, unknown>

const EVERY: readonly ErrorCode[] = [
  'INVALID_PARAMETER',
  'REQUEST_TIMEOUT',
  'URI_TOO_LONG',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'QUERY_TIMEOUT',
]

export function openApiDocument(endpoints: readonly Described[]): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vulnerability Intelligence Service',
      version: '1.5.0',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The host that serves this document.' }],
    paths: paths(endpoints),
    components: {
      securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      headers: usedHeaders(endpoints),
      responses: Object.fromEntries(
        endpoints.flatMap((endpoint) => listFailures(endpoint).map(({ name, response }) => [name, response])),
      ),
      schemas: {
        Meta: meta,
        Error: errorBody,
        ...Object.fromEntries(endpoints.map(({ response }) => [response.name, response.schema])),
      },
    },
  }
}

const INTRODUCTION = [
  'The whole truth about a CVE in one call.',
  'Every answer is `{ data, meta }` or `{ error, meta }`. HEAD answers wherever GET does; OPTIONS needs no key.',
  'Only answers 2xx are charged; `x-credits` is the price of one.',
  'New here? [The guide](/docs/guide) starts with a first call and ends with recipes.',
  attributionsInMarkdown(),
].join('\n\n')

const text = (description: string) => ({ description, schema: { type: 'string' } })

const HEADERS = {
  'X-Correlation-Id': text('The same id as meta.correlationId.'),
  ETag: text('Weak; send it back in If-None-Match to get 304, free of charge.'),
  'Cache-Control': text('How long the answer may be reused.'),
  'WWW-Authenticate': text('Always ApiKey.'),
  'X-Blob-Status': {
    description: 'available: the full record; partial: the enrichment alone; missing: neither.',
    schema: { type: 'string', enum: ['available', 'partial', 'missing'] },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  'X-Rate-Limit-Remaining': {
    description: 'Free plan only: requests left in the window.',
    schema: { type: 'integer' },
  },
  'X-Rate-Limit-Reset': {
    description: 'Free plan only: end of the window, in Unix seconds.',
    schema: { type: 'integer' },
  },
}

/** A component that nothing refers to only raises questions. */
function usedHeaders(endpoints: readonly Described[]): Json {
  const text = JSON.stringify(endpoints.map((endpoint) => [successes(endpoint), listFailures(endpoint)]))
  return Object.fromEntries(Object.entries(HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`)))
}

function paths(endpoints: readonly Described[]): Json {
  const byPath: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    byPath[endpoint.path] = { ...byPath[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return byPath
}

function operation(endpoint: Described): Json {
  return {
    operationId: endpoint.name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: endpoint.summary,
    description: endpoint.description,
    'x-credits': endpoint.credits,
    security: endpoint.access === 'key' ? [{ ApiKey: [] }] : [],
    parameters: [...parameters('path', endpoint.parameters.path), ...parameters('query', endpoint.parameters.query)],
    ...(endpoint.body === undefined ? {} : { requestBody: requestBody(endpoint.body, endpoint.example) }),
    responses: { ...successes(endpoint), ...failures(endpoint) },
  }
}

function requestBody(body: BodyFields, example: Example | undefined): Json {
  const examples = example?.body === undefined ? {} : { examples: { example: { value: example.body } } }
  return { required: true, content: { 'application/json': { schema: bodySchema(body), ...examples } } }
}

function parameters(place: 'path' | 'query', described: Parameters): Json[] {
  return Object.entries(described).map(([name, parameter]) => ({
    name,
    in: place,
    required: parameter.isRequired,
    description: parameter.description,
    ...(parameter.isList ? { style: 'form', explode: false } : {}),
    schema: parameter.schema,
  }))
}

function successes({ response, access, cacheControl, example }: Described): Json {
  const shape = Type.Object(
    { ...response.beside, data: reference(response.name), meta: reference('Meta') },
    { additionalProperties: false },
  )
  const isCacheable = cacheControl !== 'no-store'
  const headers = headersNamed(
    'X-Correlation-Id',
    'Cache-Control',
    ...(isCacheable ? ['ETag'] : []),
    ...(response.headers ?? []),
    ...rateHeaders(access),
  )
  const examples = example ? { examples: { example: shown(example) } } : {}
  const ok = { description: 'Success', headers, content: { 'application/json': { schema: shape, ...examples } } }
  return { 200: ok, ...(isCacheable ? { 304: { description: 'Not modified since the ETag sent.', headers } } : {}) }
}

function shown({ request, answer }: Example): Json {
  return { summary: request, value: answer }
}

function failures(endpoint: Described): Json {
  return Object.fromEntries(
    listFailures(endpoint).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
  )
}

interface Failure {
  readonly status: number
  /** Of the component: endpoints that fail alike share one. */
  readonly name: string
  readonly response: Json
}

function listFailures(endpoint: Described): Failure[] {
  const byStatus = Map.groupBy(errorCodes(endpoint), (code) => ERRORS[code].status)
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => ({
      status,
      name: [endpoint.access, ...codes].join('.'),
      response: classifyDatabaseError(status, codes, endpoint.access),
    }))
}

function classifyDatabaseError(status: number, codes: readonly ErrorCode[], access: Described['access']): Json {
  const companion = status === 401 ? ['WWW-Authenticate'] : status === 429 || status === 503 ? ['Retry-After'] : []
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
    headers: headersNamed('X-Correlation-Id', ...companion, ...rateHeaders(access)),
    content: { 'application/json': { schema: reference('Error'), ...examplesOf(codes) } },
  }
}

/** Of the errors that a caller can do something about. */
const ERROR_EXAMPLES: Readonly<Partial<Record<ErrorCode, Example>>> = errorExamples

function examplesOf(codes: readonly ErrorCode[]): Json {
  const examples = codes.flatMap((code) => {
    const example = ERROR_EXAMPLES[code]
    return example ? [[code, shown(example)] as const] : []
  })
  return examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }
}

function errorCodes(endpoint: Described): Set<ErrorCode> {
  return new Set<ErrorCode>([
    ...EVERY,
    ...(endpoint.access === 'key' ? (['UNAUTHORIZED', 'FORBIDDEN'] as const) : []),
    ...(endpoint.consumesRate ? (['RATE_LIMIT_EXCEEDED'] as const) : []),
    ...(endpoint.credits > 0 ? (['CREDIT_LIMIT_EXCEEDED'] as const) : []),
    ...(endpoint.body ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...endpoint.errors,
  ])
}

const rateHeaders = (access: Described['access']) =>
  access === 'key' ? ['X-Rate-Limit-Remaining', 'X-Rate-Limit-Reset'] : []

function headersNamed(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function reference(name: string): TSchema {
  return Type.Unsafe({ $ref: `#/components/schemas/${name}` })
}

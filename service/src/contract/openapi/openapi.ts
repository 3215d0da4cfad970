// Builds the OpenAPI 3.1 document from the endpoints. The schemas in the document are the same objects that validate
// requests.
import { type TSchema, Type } from 'typebox'
import { COVERAGE_GAPS } from '../../domain/match-words.ts'
import { HELD_FORMS } from '../../domain/source/alias.ts'
import type { AliasForm, SourceDescriptor } from '../../domain/source/descriptor.ts'
import { ORGANISATIONS } from '../../domain/source/provider-names.ts'
import { DATA_SOURCES, SOURCE_IDS } from '../../domain/source/sources.ts'
import type { DocumentBody, Endpoint, Example } from '../endpoint.ts'
import { SCOPE_MEANINGS } from '../keys.ts'
import { SOURCE_RULES } from '../record/add-ons/sources.ts'
import { type BodyFields, buildBodySchema } from '../request/body.ts'
import type { Parameters } from '../request/parameters.ts'
import errorExamples from '../response/error-examples.json' with { type: 'json' }
import { ERRORS, type ErrorCode } from '../response/errors.ts'
import { errorBody, meta } from '../response/schemas.ts'
import { TAGS } from '../tags.ts'
import { API_VERSION } from './api-version.ts'
import { referToNamedSchemas } from './named-schemas.ts'
import { shareParameters } from './shared-parameters.ts'

type DocumentedEndpoint = Omit<Endpoint<never>, 'answer' | 'answerWithoutCharge' | 'requiredPlan' | 'rules'>
type Json = Record<string, unknown>

/** Error codes that every endpoint can return. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'INVALID_PARAMETER',
  'REQUEST_TIMEOUT',
  'URI_TOO_LONG',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'QUERY_TIMEOUT',
]

export function buildOpenApiDocument(endpoints: readonly DocumentedEndpoint[]): Json {
  const namedSchemas = new Map<string, unknown>()
  const paths = buildPaths(endpoints, namedSchemas)
  const parameters = shareParameters(paths)
  const dataSchemas = endpoints.map(({ response: { name, schema } }) => [
    name,
    referToNamedSchemas(schema, namedSchemas),
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vulnerability Intelligence Service',
      version: API_VERSION,
      description: INTRODUCTION.join('\n\n'),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The host that serves this document.' }],
    security: [{ ApiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    'x-sources': Object.fromEntries(SOURCE_IDS.map((id) => [id, nameSource(DATA_SOURCES[id])])),
    'x-advisory-ids': HELD_FORMS.map(describeForm),
    'x-coverage-gaps': COVERAGE_GAPS,
    'x-source-rules': SOURCE_RULES,
    'x-organisations': ORGANISATIONS,
    'x-scopes': SCOPE_MEANINGS,
    paths: parameters.refer(paths),
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'The API key of your account. A key in the URL is not accepted.',
        },
      },
      headers: selectUsedHeaders(endpoints),
      parameters: parameters.components,
      responses: Object.fromEntries(
        endpoints
          .flatMap((endpoint) => [...listErrorResponses(endpoint), ...listNotModified(endpoint)])
          .map(({ name, response }) => [name, response]),
      ),
      schemas: {
        Meta: meta,
        Error: errorBody,
        ...Object.fromEntries(dataSchemas),
        ...Object.fromEntries([...namedSchemas].sort(([one], [other]) => (one < other ? -1 : 1))),
      },
    },
  }
}

function nameSource({ title, providers = {} }: SourceDescriptor): Json {
  const labels = Object.entries(providers).map(([id, { label }]) => [id, label])
  return { title, providers: Object.fromEntries(labels) }
}

function describeForm({ name, issuer, pattern, example, page, isAmbiguous }: AliasForm): Json {
  return { form: name, issuer, pattern: pattern.source, example, page, ambiguous: isAmbiguous }
}

/** Markdown paragraphs about the whole API. */
export const INTRODUCTION: readonly string[] = [
  'Everything about a CVE in one call: CVSS, affected products, KEV, EPSS, ACSC notices, ATT&CK techniques and evidence of exploits, merged from several sources.',
  'Every response body is `{ data, meta }` or `{ error, meta }`, except for files such as the parts of a snapshot. HEAD works wherever GET does. OPTIONS needs no key.',
  'Only responses with a 2xx status are charged. `x-credits` is the price of one 2xx response.',
  'New here? [The guide](/docs/guide) starts with the first call and ends with recipes.',
  'The data comes from public sources. If you pass data on, keep the notices on the page [Attributions](/docs/guide/attributions).',
]

const textHeader = (description: string) => ({ description, schema: { type: 'string' } })

const HEADERS = {
  'X-Correlation-Id': textHeader('The id of this request. Equal to meta.correlationId.'),
  ETag: textHeader(
    'ETag of data (weak) or of a file (strong). Send it back in If-None-Match to get a 304 response, which is free.',
  ),
  'Cache-Control': textHeader('How long this response may be reused.'),
  'WWW-Authenticate': textHeader('Always "ApiKey".'),
  'X-Blob-Status': {
    description:
      'available: the response is the full record. partial: only the enrichment exists. missing: neither exists.',
    schema: { type: 'string', enum: ['available', 'partial', 'missing'] },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
  'X-Rate-Limit-Remaining': {
    description: 'Requests left in the current rate limit window. Free plan only.',
    schema: { type: 'integer' },
  },
  'X-Rate-Limit-Reset': {
    description: 'End of the current rate limit window, in Unix seconds. Free plan only.',
    schema: { type: 'integer' },
  },
}

/** Omits header components to which no endpoint refers, because OpenAPI linters report unused components. */
function selectUsedHeaders(endpoints: readonly DocumentedEndpoint[]): Json {
  const text = JSON.stringify(
    endpoints.map((endpoint) => [buildSuccess(endpoint, new Map()), listErrorResponses(endpoint)]),
  )
  return Object.fromEntries(Object.entries(HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`)))
}

function buildPaths(endpoints: readonly DocumentedEndpoint[], namedSchemas: Map<string, unknown>): Json {
  const byPath: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const operation = buildOperation(endpoint, namedSchemas)
    byPath[endpoint.path] = { ...byPath[endpoint.path], [endpoint.method.toLowerCase()]: operation }
  }
  return byPath
}

function buildOperation(endpoint: DocumentedEndpoint, namedSchemas: Map<string, unknown>): Json {
  return {
    operationId: endpoint.name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description,
    'x-credits': endpoint.credits,
    ...(endpoint.scope === undefined ? {} : { 'x-scope': endpoint.scope }),
    ...(endpoint.access === 'public' ? { security: [] } : {}),
    parameters: [
      ...buildParameters('path', endpoint.parameters.path),
      ...buildParameters('query', endpoint.parameters.query),
    ],
    ...(hasFields(endpoint.body) ? { requestBody: buildRequestBody(endpoint.body, endpoint.example) } : {}),
    ...(endpoint.documentBody && { requestBody: buildDocumentBody(endpoint.documentBody, endpoint.example) }),
    responses: { 200: buildSuccess(endpoint, namedSchemas), ...referToResponses(endpoint) },
  }
}

/** Returns false for an endpoint without a body and for one that accepts only an empty object. */
function hasFields(body: BodyFields | undefined): body is BodyFields {
  return body !== undefined && Object.keys(body).length > 0
}

function buildRequestBody(body: BodyFields, example: Example | undefined): Json {
  const examples = example?.body === undefined ? {} : { examples: { example: { value: example.body } } }
  return { required: true, content: { 'application/json': { schema: buildBodySchema(body), ...examples } } }
}

function buildDocumentBody({ types, description }: DocumentBody, example: Example | undefined): Json {
  const schema = { type: 'object', additionalProperties: true, description }
  const examples = example?.body === undefined ? {} : { examples: { example: { value: example.body } } }
  const content = types.map((type, index) => [type, { schema, ...(index === 0 && examples) }])
  return { required: true, content: Object.fromEntries(content) }
}

function buildParameters(location: 'path' | 'query', parameters: Parameters): Json[] {
  return Object.entries(parameters).map(([name, parameter]) => ({
    name,
    in: location,
    required: parameter.isRequired,
    description: parameter.description,
    ...(parameter.isList ? { style: 'form', explode: false } : {}),
    ...(location === 'query' ? { 'x-since': parameter.since } : {}),
    ...(parameter.label === undefined ? {} : { 'x-label': parameter.label }),
    ...(parameter.needs === undefined ? {} : { 'x-needs': parameter.needs }),
    schema: parameter.schema,
    examples: { example: { value: parameter.example, ...(parameter.isRequired ? {} : NOT_SENT_BY_DEFAULT) } },
  }))
}

/** Without this, Scalar's form for a test request in /docs would send the example of every optional parameter. */
const NOT_SENT_BY_DEFAULT = { 'x-disabled': true }

function buildSuccess(endpoint: DocumentedEndpoint, namedSchemas: Map<string, unknown>): Json {
  const { response, example } = endpoint
  const examples = example ? { examples: { example: toExampleObject(example) } } : {}
  const content =
    response.mediaType === undefined
      ? { 'application/json': { schema: buildEnvelopeSchema(response, namedSchemas), ...examples } }
      : { [response.mediaType]: { schema: referToSchema(response.name) } }
  return { description: 'Success.', headers: referToHeaders(...listSuccessHeaders(endpoint)), content }
}

function listSuccessHeaders({ response, access, cacheControl }: DocumentedEndpoint): readonly string[] {
  return [
    'X-Correlation-Id',
    'Cache-Control',
    ...(cacheControl === 'no-store' ? [] : ['ETag']),
    ...(response.headers ?? []),
    ...listRateHeaders(access),
  ]
}

/** Lists the 304 response, which only cacheable endpoints have. Endpoints with the same headers share one component. */
function listNotModified(endpoint: DocumentedEndpoint): SharedResponse[] {
  if (endpoint.cacheControl === 'no-store') return []
  const headers = listSuccessHeaders(endpoint)
  const name = [endpoint.access, 'NOT_MODIFIED', ...(endpoint.response.headers ?? [])].join('.')
  const description = 'Not modified: the ETag in If-None-Match is current. Free of charge.'
  return [{ status: 304, name, response: { description, headers: referToHeaders(...headers) } }]
}

function buildEnvelopeSchema(
  { name, topLevel }: DocumentedEndpoint['response'],
  namedSchemas: Map<string, unknown>,
): unknown {
  const shape = Type.Object(
    { ...topLevel, data: referToSchema(name), meta: referToSchema('Meta') },
    { additionalProperties: false },
  )
  return referToNamedSchemas(shape, namedSchemas)
}

function toExampleObject({ request, answer, only }: Example): Json {
  return { summary: only ? `${request} (shortened)` : request, value: answer }
}

function referToResponses(endpoint: DocumentedEndpoint): Json {
  return Object.fromEntries(
    [...listNotModified(endpoint), ...listErrorResponses(endpoint)].map(({ status, name }) => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]),
  )
}

interface SharedResponse {
  readonly status: number
  /**
   * Name of the response component in openapi.json. Endpoints share a component if they have the same access and the
   * same error codes for a status.
   */
  readonly name: string
  readonly response: Json
}

function listErrorResponses(endpoint: DocumentedEndpoint): SharedResponse[] {
  const byStatus = Map.groupBy(listErrorCodes(endpoint), (code) => ERRORS[code].status)
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => ({
      status,
      name: [endpoint.access, ...codes].join('.'),
      response: buildErrorResponse(status, codes, endpoint.access),
    }))
}

function buildErrorResponse(status: number, codes: readonly ErrorCode[], access: DocumentedEndpoint['access']): Json {
  const statusHeaders = status === 401 ? ['WWW-Authenticate'] : status === 429 || status === 503 ? ['Retry-After'] : []
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
    headers: referToHeaders('X-Correlation-Id', ...statusHeaders, ...listRateHeaders(access)),
    content: { 'application/json': { schema: referToSchema('Error'), ...collectErrorExamples(codes) } },
  }
}

/** Example error responses, only for errors that a caller can avoid or correct. */
const ERROR_EXAMPLES: Readonly<Partial<Record<ErrorCode, Example>>> = errorExamples

function collectErrorExamples(codes: readonly ErrorCode[]): Json {
  const examples = codes.flatMap((code) => {
    const example = ERROR_EXAMPLES[code]
    return example ? [[code, toExampleObject(example)] as const] : []
  })
  return examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }
}

function listErrorCodes(endpoint: DocumentedEndpoint): Set<ErrorCode> {
  return new Set<ErrorCode>([
    ...COMMON_ERRORS,
    ...(endpoint.access === 'key' ? (['UNAUTHORIZED', 'FORBIDDEN'] as const) : []),
    ...(endpoint.consumesRate ? (['RATE_LIMIT_EXCEEDED'] as const) : []),
    ...(endpoint.credits > 0 ? (['CREDIT_LIMIT_EXCEEDED'] as const) : []),
    ...(endpoint.body || endpoint.documentBody ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...endpoint.errors,
  ])
}

const listRateHeaders = (access: DocumentedEndpoint['access']) =>
  access === 'key' ? ['X-Rate-Limit-Remaining', 'X-Rate-Limit-Reset'] : []

function referToHeaders(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function referToSchema(name: string): TSchema {
  return Type.Unsafe({ $ref: `#/components/schemas/${name}` })
}

// Checks every response that a test receives against the OpenAPI document of the service.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ServedEndpoint } from '../../src/api/services.ts'
import { buildOpenApiDocument } from '../../src/contract/openapi/openapi.ts'

interface ReceivedResponse {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly json: unknown
}

export type AnswerValidator = (response: ReceivedResponse) => void

/** URL paths that serve documentation, which openapi.json does not describe. */
const DOCUMENTS = /^\/(?:(?:docs|openapi\.json)(?:\/|$)|(?:llms\.txt|favicon\.ico|\.well-known\/security\.txt)?$)/

/** Paths of the console except those of the endpoints: its pages and its session endpoints are not in openapi.json. */
const CONSOLE_PAGES = /^\/console(?:$|\/(?!api\/v1\/))/
const CONSOLE_PREFIX = /^\/console(?=\/api\/v1\/)/

type OpenApiDocument = ReturnType<typeof buildOpenApiDocument>

function createAjv(document: OpenApiDocument): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  return ajv.addSchema({ $id: 'openapi', ...document })
}

/** Creates a check of the body of an error response whose request is not known. */
export function createErrorValidator(endpoints: readonly ServedEndpoint[]): (json: unknown) => void {
  const ajv = createAjv(buildOpenApiDocument(endpoints))
  const validate = ajv.compile({ $ref: 'openapi#/components/schemas/Error' })
  return (json) => {
    if (!validate(json)) throw new Error(`${ajv.errorsText(validate.errors)}\n${JSON.stringify(json)}`)
  }
}

const validators = new WeakMap<readonly ServedEndpoint[], AnswerValidator>()

/**
 * Returns the validator for a list of endpoints. The test files of a worker process share it, because compiling the
 * schemas takes 0.2 s of processor time per file.
 */
export function createAnswerValidator(endpoints: readonly ServedEndpoint[]): AnswerValidator {
  const validator = validators.get(endpoints) ?? compileAnswerValidator(endpoints)
  validators.set(endpoints, validator)
  return validator
}

function compileAnswerValidator(endpoints: readonly ServedEndpoint[]): AnswerValidator {
  const document = buildOpenApiDocument(endpoints)
  const ajv = createAjv(document)
  const compiled = new Map<string, ValidateFunction>()
  const getValidator = (pointer: string) => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` })
    compiled.set(pointer, validate)
    return validate
  }
  return (response) => {
    checkHeaders(response)
    if ((DOCUMENTS.test(response.path) || CONSOLE_PAGES.test(response.path)) && response.status < 400) return
    const path = response.path.replace(CONSOLE_PREFIX, '')
    const pointer = findSchemaPointer(endpoints, document, { ...response, path })
    if (pointer === undefined || hasNoBody(response)) return
    const validate = getValidator(pointer)
    if (!validate(response.json)) {
      throw new Error(
        `${describeResponse(response)} does not match openapi.json: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(response.json)}`,
      )
    }
  }
}

/** Checks the headers that every response has, including errors. */
function checkHeaders(response: ReceivedResponse): void {
  const { headers, json } = response
  const meta = Object(Object(json).meta)
  const id = headers['x-correlation-id']?.toString()
  if (!id || (meta.correlationId !== undefined && meta.correlationId !== id)) {
    throw new Error(
      `${describeResponse(response)} has the correlation id ${id} in its header, but ${String(meta.correlationId)} in its body`,
    )
  }
  if (headers['x-content-type-options'] !== 'nosniff')
    throw new Error(`${describeResponse(response)} lacks X-Content-Type-Options: nosniff`)
}

function hasNoBody({ method, status }: ReceivedResponse): boolean {
  return method === 'HEAD' || status === 204 || status === 304
}

/** Returns the position of the body's schema in openapi.json, or undefined for a file. */
function findSchemaPointer(
  endpoints: readonly ServedEndpoint[],
  document: OpenApiDocument,
  response: ReceivedResponse,
): string | undefined {
  const method = response.method === 'HEAD' ? 'GET' : response.method
  // A URL path without parameters takes precedence over a path with parameters, as in the router.
  const exact = endpoints.filter((each) => each.path === response.path)
  const candidates = exact.length > 0 ? exact : endpoints.filter((each) => matchesTemplate(each.path, response.path))
  const endpoint = candidates.find((each) => each.method === method)
  if (!endpoint || response.status === 204) return '/components/schemas/Error'
  const responses = Object.keys(
    Object(Object(Object(document['paths'])[endpoint.path])[method.toLowerCase()]).responses,
  )
  if (!responses.includes(String(response.status)))
    throw new Error(`${describeResponse(response)} has a status that openapi.json does not list`)
  if (response.status >= 400) return '/components/schemas/Error'
  const { mediaType } = endpoint.response
  if (mediaType !== undefined) return checkFile(response, mediaType)
  const path = endpoint.path.replaceAll('~', '~0').replaceAll('/', '~1')
  return `/paths/${encodeURIComponent(path)}/${method.toLowerCase()}/responses/${response.status}/content/application~1json/schema`
}

/** Checks the media type of a response that is a file. Its body has no schema. */
function checkFile(response: ReceivedResponse, mediaType: string): undefined {
  const { status, headers } = response
  if (status === 200 && headers['content-type'] !== mediaType)
    throw new Error(`${describeResponse(response)} has the type ${String(headers['content-type'])}, not ${mediaType}`)
}

function matchesTemplate(template: string, path: string): boolean {
  const pattern = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+')
  return new RegExp(`^${pattern}/?$`).test(path)
}

function describeResponse({ method, path, status }: ReceivedResponse): string {
  return `${method} ${path} → ${status}`
}

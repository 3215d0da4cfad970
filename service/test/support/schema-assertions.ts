// Every answer a test receives is held against the OpenAPI document of the service that gave it.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ServedEndpoint } from '../../src/api/services.ts'
import { openApiDocument } from '../../src/contract/openapi.ts'

interface Received {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly json: unknown
}

export type Judge = (received: Received) => void

/** Paths that serve documents rather than answers. */
const DOCUMENTS = /^\/(openapi\.json|docs)(\/|$)/

export function judgeBy(endpoints: readonly ServedEndpoint[]): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', ...openApiDocument(endpoints) })
  const compiled = new Map<string, ValidateFunction>()
  const validator = (pointer: string) => {
    const made = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` })
    compiled.set(pointer, made)
    return made
  }
  return (received) => {
    judgeHeaders(received)
    if (DOCUMENTS.test(received.path) && received.status < 400) return
    const pointer = schemaPointer(endpoints, received)
    if (hasNoBody(received)) return
    const validate = validator(pointer)
    if (!validate(received.json)) {
      throw new Error(
        `${describe(received)} does not fit openapi.json: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(received.json)}`,
      )
    }
  }
}

/** What every answer has, also a refusal. */
function judgeHeaders(received: Received): void {
  const { headers, json } = received
  const meta = Object(Object(json).meta)
  const id = headers['x-correlation-id']?.toString()
  if (!id || (meta.correlationId !== undefined && meta.correlationId !== id)) {
    throw new Error(
      `${describe(received)} has the correlation id ${id} in its header and ${String(meta.correlationId)} in its body`,
    )
  }
  if (headers['x-content-type-options'] !== 'nosniff') throw new Error(`${describe(received)} lacks nosniff`)
}

function hasNoBody({ method, status }: Received): boolean {
  return method === 'HEAD' || status === 204 || status === 304
}

function schemaPointer(endpoints: readonly ServedEndpoint[], received: Received): string {
  const method = received.method === 'HEAD' ? 'GET' : received.method
  // As in the router, a path without parameters wins over one with.
  const exact = endpoints.filter((each) => each.path === received.path)
  const candidates = exact.length > 0 ? exact : endpoints.filter((each) => matches(each.path, received.path))
  const endpoint = candidates.find((each) => each.method === method)
  if (!endpoint || received.status === 204) return '/components/schemas/Error'
  const document = openApiDocument([endpoint])
  const responses = Object.keys(
    Object(Object(Object(document['paths'])[endpoint.path])[method.toLowerCase()]).responses,
  )
  if (!responses.includes(String(received.status)))
    throw new Error(`${describe(received)} is a status that openapi.json does not mention`)
  if (received.status >= 400) return '/components/schemas/Error'
  const path = endpoint.path.replaceAll('~', '~0').replaceAll('/', '~1')
  return `/paths/${encodeURIComponent(path)}/${method.toLowerCase()}/responses/${received.status}/content/application~1json/schema`
}

function matches(template: string, path: string): boolean {
  const pattern = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+')
  return new RegExp(`^${pattern}/?$`).test(path)
}

function describe({ method, path, status }: Received): string {
  return `${method} ${path} → ${status}`
}

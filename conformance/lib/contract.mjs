// The published contract of the API: prices, the words that parameters accept, and schemas, as defined in openapi.json.

import { readFileSync } from 'node:fs'
import { and, list, object, oneOf, when } from './shape.mjs'

const { paths, components } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))

export const OPERATIONS = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
)

/** Credits for one 2xx answer, by operation id. */
export const PRICES = Object.fromEntries(OPERATIONS.map((each) => [each.operationId, each['x-credits']]))

/** A part with a parameter, such as {cve-id} or {token}.atom, takes any text before its end. */
const isSamePart = (template, sent) =>
  template.startsWith('{') ? sent.endsWith(template.slice(template.indexOf('}') + 1)) : template === sent

/** Returns the operation for a request, or undefined if the contract does not have the path. */
export function findOperation(method, path) {
  const sent = path.replace(/\/$/, '').split('/')
  const isSame = (template) => {
    const parts = template.split('/')
    return parts.length === sent.length && parts.every((part, at) => isSamePart(part, sent[at]))
  }
  const wanted = method === 'HEAD' ? 'GET' : method
  const found = OPERATIONS.filter((each) => each.method === wanted && isSame(each.path))
  // A path without parameters is more specific: /cve/batch is not a CVE id.
  return found.find((each) => !each.path.includes('{')) ?? found[0]
}

/** Returns the words that a query parameter accepts. */
export function wordsOf(operationId, name) {
  const parameters = OPERATIONS.find((each) => each.operationId === operationId).parameters.map((each) =>
    each.$ref ? components.parameters[each.$ref.split('/').at(-1)] : each,
  )
  const { schema } = parameters.find((each) => each.name === name)
  return (schema.items ?? schema).enum
}

const TYPES = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  null: (value) => value === null,
  number: (value) => typeof value === 'number',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  string: (value) => typeof value === 'string',
}

/** Returns the shape that a schema describes with its types, words and members. Other keywords are not checked. */
function shapeOf(schema) {
  if (schema.$ref) return (...args) => shapeOf(components.schemas[schema.$ref.split('/').at(-1)])(...args)
  if ('const' in schema) return oneOf(schema.const)
  if (schema.enum) return oneOf(...schema.enum)
  if (!schema.type) return and()
  const types = [schema.type].flat()
  const hasType = when((value) => types.some((type) => TYPES[type](value)), types.join(' or '))
  const inner = schema.items ? list(shapeOf(schema.items)) : shapeOfMembers(schema)
  return (value, path, problems) => {
    hasType(value, path, problems)
    if (typeof value === 'object' && value !== null) inner(value, path, problems)
  }
}

function shapeOfMembers({ properties = {}, required = [] }) {
  const entries = Object.entries(properties).map(([name, schema]) => [name, shapeOf(schema)])
  const choose = (isWanted) => Object.fromEntries(entries.filter(([name]) => isWanted(name)))
  return object(
    choose((name) => required.includes(name)),
    choose((name) => !required.includes(name)),
  )
}

/** Shapes of all members that a CVE record can have. */
export const RECORD_MEMBERS = Object.fromEntries(
  Object.entries(components.schemas.CveRecord.properties).map(([name, schema]) => [name, shapeOf(schema)]),
)

// The published contract of the API: prices, and the words that parameters accept, as openapi.json states them.

import { readFileSync } from 'node:fs'

const { paths, components } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))

const OPERATIONS = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
)

/** Credits for one 2xx answer, by operation id. */
export const PRICES = Object.fromEntries(OPERATIONS.map((each) => [each.operationId, each['x-credits']]))

/** Returns the price of a request to a path below /api/v1, or 0 for a path that the contract does not have. */
export function findPrice(method, path) {
  const sent = `/api/v1${path}`.replace(/\/$/, '').split('/')
  const isSame = (template) => {
    const parts = template.split('/')
    return parts.length === sent.length && parts.every((part, at) => part.startsWith('{') || part === sent[at])
  }
  const wanted = method === 'HEAD' ? 'GET' : method
  const found = OPERATIONS.filter((each) => each.method === wanted && isSame(each.path))
  // A path without parameters is more specific: /cve/batch is not a CVE id.
  const exact = found.find((each) => !each.path.includes('{')) ?? found[0]
  return exact?.['x-credits'] ?? 0
}

/** Returns the words that a query parameter accepts. */
export function wordsOf(operationId, name) {
  const parameters = OPERATIONS.find((each) => each.operationId === operationId).parameters.map((each) =>
    each.$ref ? components.parameters[each.$ref.split('/').at(-1)] : each,
  )
  const { schema } = parameters.find((each) => each.name === name)
  return (schema.items ?? schema).enum
}

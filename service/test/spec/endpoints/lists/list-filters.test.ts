import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../../src/api/endpoints/index.ts'
import { buildOpenApiDocument } from '../../../../src/contract/openapi/openapi.ts'
import { startTestService } from '../../../support/service.ts'

const { api } = await startTestService()

// biome-ignore lint/suspicious/noExplicitAny: the test reads members of the document; openapi.json checks their shape.
type Json = any

const document: Json = JSON.parse(JSON.stringify(buildOpenApiDocument(endpoints)))

/** Describes a parameter of openapi.json as GET /api/v1/filters does. */
function describeParameter({ name, description, schema, examples, ...rest }: Json) {
  const value = schema.items ?? schema
  return {
    name,
    description,
    type: value.type ?? 'string',
    allowed: value.enum?.map(String) ?? (value.type === 'boolean' ? ['true', 'false'] : null),
    examples: [String(examples.example.value)],
    api_version: rest['x-since'],
    is_list: rest.explode === false,
    needs: rest['x-needs'] ?? null,
  }
}

const withoutEndpoints = (parameter: Json) =>
  Object.fromEntries(Object.entries(parameter).filter(([name]) => name !== 'endpoints'))

/** Returns the parameters of an operation; those that several operations share are components of the document. */
const readParameters = (operation: Json): readonly Json[] =>
  operation?.parameters.map((each: Json) =>
    each.$ref ? document.components.parameters[each.$ref.split('/').at(-1)] : each,
  ) ?? []

/** Returns the query parameters of a path in openapi.json, in the order of the document. */
const listDocumented = (path: string) =>
  readParameters(document.paths[path].get)
    .filter((each) => each.in === 'query')
    .map(describeParameter)

async function listFilters(): Promise<readonly Json[]> {
  return (await api.get('/api/v1/filters')).json.data.filters
}

describe('GET /api/v1/filters', () => {
  it('describes the parameters of every list as openapi.json does', async () => {
    const filters = await listFilters()
    const paths = new Set<string>(filters.flatMap(({ endpoints: lists }) => lists))

    expect([...paths]).toEqual(expect.arrayContaining(['/api/v1/cves', '/api/v1/cves/recent', '/api/v1/kev']))
    for (const path of paths) {
      const described = filters.filter((each) => each.endpoints.includes(path))
      const parameters = described.map(withoutEndpoints)
      expect(parameters.toSorted(compareName), path).toEqual(listDocumented(path).toSorted(compareName))
    }
  })

  it('contains every list in openapi.json that has pages', async () => {
    const described = new Set((await listFilters()).flatMap(({ endpoints: lists }) => lists))
    const paged = Object.entries<Json>(document.paths)
      .filter(([, { get }]) => readParameters(get).some(({ name }) => name === 'after'))
      .map(([path]) => path)

    expect(paged.length).toBeGreaterThan(2)
    expect(paged.filter((path) => !described.has(path))).toEqual([])
  })
})

function compareName(one: Json, other: Json): number {
  return one.name < other.name ? -1 : 1
}

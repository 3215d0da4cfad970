import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { buildOpenApiDocument } from '../../../src/contract/openapi/openapi.ts'
import { FILTER_ENTRIES } from '../../../src/search/filters/table.ts'
import { startTestService } from '../../support/service.ts'

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
    since: rest['x-since'],
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

  it('contains every list of openapi.json that has pages', async () => {
    const described = new Set((await listFilters()).flatMap(({ endpoints: lists }) => lists))
    const paged = Object.entries<Json>(document.paths)
      .filter(([, { get }]) => readParameters(get).some(({ name }) => name === 'after'))
      .map(([path]) => path)

    expect(paged.length).toBeGreaterThan(2)
    expect(paged.filter((path) => !described.has(path))).toEqual([])
  })

  it('describes every filter, once for all lists in which it has the same meaning', async () => {
    const filters = await listFilters()
    for (const [name] of FILTER_ENTRIES) {
      const entries = filters.filter((each) => each.name === name && each.endpoints.includes('/api/v1/cves'))
      expect([name, entries.length]).toEqual([name, 1])
    }
    expect(filters.find(({ name }) => name === 'cwe')).toMatchObject({
      endpoints: expect.arrayContaining(['/api/v1/cves', '/api/v1/cves/recent']),
      type: 'string',
      allowed: null,
      examples: ['CWE-79,CWE-89'],
      is_list: true,
      needs: null,
    })
    expect(filters.find(({ name }) => name === 'patched')).toMatchObject({ needs: 'include=enrichment' })
  })

  it('returns only the parameters with the given names', async () => {
    const { filters } = (await api.get('/api/v1/filters?name=cwe,limit,nothing')).json.data
    expect(new Set(filters.map(({ name }: Json) => name))).toEqual(new Set(['cwe', 'limit']))
    expect(filters.filter(({ name }: Json) => name === 'cwe')).toHaveLength(1)
  })

  it('has examples that the lists accept', async () => {
    for (const { name, endpoints: lists, examples, needs } of await listFilters()) {
      // Cursors are bound to a search, and the list of exploits needs the id of a CVE.
      if (name === 'after') continue
      for (const path of lists.filter((each: string) => !each.includes('{'))) {
        const query = new URLSearchParams({ [name]: examples[0], ...(needs && { include: 'enrichment' }) }).toString()
        const { status, json } = await api.get(`${path}?${query}`)
        // A list can require another parameter, so that only an issue of this parameter counts.
        expect([path, name, status, json.error?.parameter]).not.toEqual([path, name, 400, name])
      }
    }
  })

  it('needs a key and costs nothing', async () => {
    expect((await api.get('/api/v1/filters', { key: null })).status).toBe(401)
    const before = (await api.get('/api/v1/usage')).json.data.usage.credits_used
    await listFilters()
    expect((await api.get('/api/v1/usage')).json.data.usage.credits_used).toBe(before)
  })
})

function compareName(one: Json, other: Json): number {
  return one.name < other.name ? -1 : 1
}

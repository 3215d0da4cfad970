// The list parameters that GET /api/v1/filters shows, built from the same values that validate requests and appear in
// openapi.json.
import { type TSchema, Type } from 'typebox'
import type { Parameter, Parameters } from './request/parameters.ts'
import { closedObject, flagSchema, orNull, textSchema } from './response/schemas.ts'
import type { Tag } from './tags.ts'

const TYPES = ['boolean', 'integer', 'number', 'string'] as const

export const listParameterSchema = closedObject(
  {
    name: textSchema('Name of the query parameter.'),
    endpoints: Type.Array(Type.String({ examples: ['/api/v1/cves'] }), {
      minItems: 1,
      description: 'Paths of the lists that accept the parameter with this meaning.',
    }),
    description: textSchema('Meaning of the parameter.'),
    type: Type.Enum([...TYPES], { description: 'JSON type of a single value.' }),
    allowed: orNull(
      Type.Array(Type.String(), {
        description: 'All values that are accepted, if they can be listed; null otherwise. Letter case is often free.',
      }),
    ),
    examples: Type.Array(Type.String(), {
      minItems: 1,
      description: 'Typical values as they are written in a URL, before percent-encoding.',
    }),
    api_version: Type.String({
      pattern: '^\\d+\\.\\d+$',
      description: 'Version of the API that introduced the parameter.',
      examples: ['1.5'],
    }),
    is_list: flagSchema('Whether the parameter takes several values, separated by commas.'),
    needs: orNull(
      Type.String({
        description: 'Another parameter without which this one is rejected; null if it needs none.',
        examples: ['include=enrichment'],
      }),
    ),
  },
  'A query parameter of one or more lists.',
  'ListParameter',
)

interface DocumentedEndpoint {
  readonly path: string
  readonly tag: Tag
  readonly parameters: { readonly query: Parameters }
}

/**
 * Describes the query parameters of endpoints that return lists. A parameter that has the same meaning in several lists
 * is one entry.
 */
export function renderListParameters(endpoints: readonly DocumentedEndpoint[]) {
  const entries = endpoints
    .filter(isList)
    .flatMap(({ path, parameters: { query } }) =>
      Object.entries(query).map(([name, parameter]) => ({ path, entry: describeParameter(name, parameter) })),
    )
  return [...Map.groupBy(entries, ({ entry }) => JSON.stringify(entry)).values()].flatMap((same) => {
    const [first] = same
    return first === undefined ? [] : [{ ...first.entry, endpoints: same.map(({ path }) => path) }]
  })
}

/** Returns whether the endpoint returns a list: it has pages or is in the Search group. */
function isList({ tag, parameters: { query } }: DocumentedEndpoint): boolean {
  return 'after' in query || tag === 'Search'
}

interface ValueSchema extends TSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly items?: ValueSchema
}

function describeParameter(name: string, { schema, description, example, since, isList, needs }: Parameter<unknown>) {
  const value: ValueSchema = (isList ? (schema as ValueSchema).items : schema) ?? schema
  return {
    name,
    endpoints: [] as readonly string[],
    description,
    type: value.type ?? 'string',
    allowed: value.enum?.map(String) ?? (value.type === 'boolean' ? ['true', 'false'] : null),
    examples: [String(example)],
    api_version: since,
    is_list: isList,
    needs: needs ?? null,
  }
}

import { Type } from 'typebox'
import { listParameterSchema, renderListParameters } from '../../../contract/filters.ts'
import { list } from '../../../contract/request/parameters.ts'
import { text, withExample } from '../../../contract/request/value-types.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const listFilters = defineEndpoint({
  name: 'list-filters',
  method: 'GET',
  path: '/api/v1/filters',
  tag: 'Search',
  summary: 'List the parameters of lists',
  description:
    'Every query parameter of every list: its meaning, type, allowed values and examples, and the lists that accept it. Free of charge. Does not consume from the rate limit.',
  access: 'key',
  credits: 0,
  consumesRate: false,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'none',
  cacheControl: 'private, max-age=60',
  response: {
    name: 'ListParameters',
    schema: Type.Object(
      { filters: Type.Array(listParameterSchema, { description: 'Parameters in the order of the documentation.' }) },
      { additionalProperties: false },
    ),
  },
  example,
  errors: [],
  parameters: {
    query: {
      name: list(
        withExample(text({ maxLength: 64 }), 'cwe'),
        'Return only the parameters with these names. Default: all parameters.',
        { example: ['cwe', 'technique'] },
      ),
    },
  },
  answer: async ({ query: { name: names } }, { endpoints }) => {
    const filters = renderListParameters(endpoints)
    return { data: { filters: names === undefined ? filters : filters.filter(({ name }) => names.includes(name)) } }
  },
})

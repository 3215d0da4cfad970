import { Type } from 'typebox'
import { searchedComponentSchema } from '../../../contract/match.ts'
import { list, type Parameter, withDefault } from '../../../contract/request/parameters.ts'
import { createMissingIssue } from '../../../contract/request/validation-issue.ts'
import { integer, withExample, word } from '../../../contract/request/value-types.ts'
import { closedObject, countSchema, orNull } from '../../../contract/response/schemas.ts'
import { countFacets } from '../../../search/facets/count-facets.ts'
import { FACET_NAMES, type FacetName } from '../../../search/facets/facets.ts'
import { filterRules } from '../../../search/filters/rules.ts'
import { filterParameters } from '../../../search/filters/table.ts'
import { findRequiredPlan } from '../../../search/filters/values/source.ts'
import { resolveWords } from '../../../search/words/resolve.ts'
import { resolveComponent } from '../../component-filter.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const MAX_FACETS = 5

/** The list of facets, which is required: without facets there is nothing to count. */
function facetsParameter(): Parameter<readonly FacetName[]> {
  const names = list(word(FACET_NAMES, { anyCase: true }), `Facets to count, at most ${MAX_FACETS}.`, {
    maxItems: MAX_FACETS,
    rejectsEmpty: true,
    example: ['severity', 'cwe', 'product_vendor'],
  })
  return {
    ...names,
    isRequired: true,
    read: (name, values) => {
      const reading = names.read(name, values)
      if ('issues' in reading) return reading
      if (reading.value !== undefined) return { value: reading.value }
      return { issues: [createMissingIssue(name, `one of ${FACET_NAMES.join(', ')}`, FACET_NAMES)] }
    },
  }
}

const valueSchema = closedObject(
  {
    value: orNull(
      Type.String({
        description: 'A value of the facet, as the filter expects it; null without one.',
        examples: ['network'],
      }),
    ),
    count: countSchema('Number of CVEs with this value; exact.'),
  },
  'A value and how many CVEs have it.',
  'FacetValue',
)

const facetsSchema = closedObject(
  Object.fromEntries(FACET_NAMES.map((name) => [name, Type.Optional(Type.Array(valueSchema))])),
  'The values of each requested facet, most frequent first. If CVEs have no value of the facet, the last item has the value null and their number; facet_size does not count it.',
)

export const facetCves = defineEndpoint({
  name: 'facet-cves',
  method: 'GET',
  path: '/api/v1/cves/facets',
  tag: 'Search',
  summary: 'Count the values of a search',
  description: `How many of the CVEs that match all filters have which severity, weakness, vendor and so on. Takes the filters of GET /api/v1/cves; none of them needs include=enrichment here. All counts are exact and belong to one state of the catalog. The item with the value null counts the CVEs without a value; \`severity\` has none for a score of 0.0 either. \`year\` is the year of publication; \`product\` and \`product_vendor\` count a CVE once for each name; a filter by vendor limits \`product\` to the products of these vendors, and a filter by product limits \`product_vendor\` likewise.`,
  access: 'key',
  credits: 2,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'private, max-age=60',
  response: {
    name: 'CveFacets',
    schema: closedObject(
      {
        total: countSchema('Number of CVEs that match all filters; exact.'),
        facets: facetsSchema,
        component: Type.Optional(searchedComponentSchema),
      },
      'Counts of the values of each facet.',
    ),
  },
  example,
  errors: ['FORBIDDEN', 'QUERY_TIMEOUT'],
  parameters: {
    query: {
      facets: facetsParameter(),
      facet_size: withDefault(
        withExample(integer({ minimum: 1, maximum: 50 }), 10),
        10,
        'Maximum number of values of each facet.',
      ),
      ...filterParameters('search'),
    },
  },
  // The response contains no records, so a filter does not require an add-on.
  rules: filterRules('search').filter(({ parameters }) => !parameters.includes('include')),
  requiredPlan: ({ query }) => findRequiredPlan(query.vendor),
  answer: async ({ query: sent }, services) => {
    const { db } = services
    const { query, component } = await resolveComponent(services, sent)
    if (query.q !== undefined) await resolveWords(db, query.q)
    const { total, facets } = await countFacets(db, services.countInMemory, {
      values: query,
      facets: query.facets,
      size: query.facet_size,
      names: {
        ...(query.product_vendor && { vendor: query.product_vendor }),
        ...(query.product && { product: query.product }),
      },
    })
    return { data: { total, facets, ...(component && { component }) } }
  },
})

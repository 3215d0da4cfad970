import { Type } from 'typebox'
import { fixPlanSchema } from '../../../contract/fix-plan.ts'
import { matchedComponentSchema, matchSummarySchema } from '../../../contract/match.ts'
import { type BodyOf, objects, optionalField } from '../../../contract/request/body.ts'
import { cpeName, packageUrl } from '../../../contract/request/component-types.ts'
import { flag, integer, text, word } from '../../../contract/request/value-types.ts'
import { closedObject, instantSchema } from '../../../contract/response/schemas.ts'
import { suppressField } from '../../../contract/suppress.ts'
import { appliedTriageSchema, TRIAGE_USE_DESCRIPTION, TRIAGE_USES } from '../../../contract/triage/applied.ts'
import { CONFIDENCES } from '../../../domain/match-words.ts'
import { RATED_LEVELS } from '../../../domain/priority/policy.ts'
import { DEFAULT_CONFIDENCE } from '../../../matching/judge/confidence.ts'
import { requirePublished } from '../../cve-record/published.ts'
import { readAppliedTriage } from '../../self-service/applied-triage.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const MAX_COMPONENTS = 100
const MAX_MATCHES = 500
const DEFAULT_MATCHES = 100
const BODY_LIMIT = 256 * 1024
/** In the console, a call counts as one read per 10 components, like a batch. */
const COMPONENTS_PER_CONSOLE_READ = 10
/** Estimated maximum size of the JSON text of one match, and of a component without its matches. */
const [BYTES_PER_MATCH, BYTES_PER_COMPONENT] = [1024, 1024]
/** Most components have few matches; the average is expected to be at most this. */
const EXPECTED_MATCHES = 30

const body = {
  components: objects(
    {
      ref: optionalField(text({ maxLength: 200 }), 'Your name for the component; the response repeats it.'),
      cpe: optionalField(cpeName(), 'CPE name of a product.'),
      purl: optionalField(
        packageUrl(),
        'Package URL. Packages of distributions need the qualifier distro for a sure verdict.',
      ),
      vendor: optionalField(text({ maxLength: 128 }), 'Vendor of product, as in CPE names.'),
      product: optionalField(text({ maxLength: 128 }), 'Name of a product, as in CPE names, instead of cpe or purl.'),
      version: optionalField(text({ maxLength: 128 }), 'The version, if cpe or purl do not contain it.'),
    },
    {
      description: 'What you run. Each component has exactly one of cpe, purl and product.',
      minItems: 1,
      maxItems: MAX_COMPONENTS,
    },
  ),
  confidence_min: optionalField(
    word(CONFIDENCES),
    'Minimum confidence of listed matches. Weaker hits are counted, not listed. Default: medium.',
  ),
  priority_max: optionalField(
    word(RATED_LEVELS),
    'Least urgent level of listed matches: P2 lists P0, P1 and P2; P3 also lists hits that are unrated. Default: P4.',
  ),
  matches_per_component: optionalField(
    integer({ minimum: 1, maximum: MAX_MATCHES }),
    `Maximum number of listed matches of a component, most urgent first. Default: ${DEFAULT_MATCHES}.`,
  ),
  same_host: optionalField(
    flag(),
    'Whether the components are on one machine. If true, a platform that a CVE requires may be another component of the list. Default: true.',
  ),
  suppress: suppressField(),
  triage: optionalField(word(TRIAGE_USES), TRIAGE_USE_DESCRIPTION),
}

type Body = BodyOf<typeof body>

export const matchComponentList = defineEndpoint({
  name: 'match',
  method: 'POST',
  path: '/api/v1/match',
  tag: 'Matching',
  summary: 'Find the CVEs that affect up to 100 components',
  description:
    'Says for each component which CVEs and advisories affect its version, who says so, which versions are fixed, and which version to upgrade to. Verdicts are made by rules: the guide page /docs/guide/matching has them. A component that no complete and current database judges is not_covered, never not_affected. The price is the same for any number of components.',
  access: 'key',
  credits: 10,
  consumesRate: true,
  console: {
    minRole: 'viewer',
    cost: 'read',
    countReads: ({ body }) => Math.ceil(body.components.length / COMPONENTS_PER_CONSOLE_READ),
  },
  work: 'match',
  cacheControl: 'no-store',
  response: {
    name: 'MatchedComponents',
    schema: closedObject(
      {
        components: Type.Array(matchedComponentSchema, { description: 'The components, in the order of the request.' }),
        fix_plan: fixPlanSchema(),
        overview: matchSummarySchema,
        triage: Type.Optional(appliedTriageSchema),
        timestamp: instantSchema('The time of the response, in UTC and whole seconds.'),
      },
      'Verdicts of the components.',
    ),
  },
  example,
  errors: ['NOT_READY'],
  body,
  bodyLimit: BODY_LIMIT,
  rules: [{ parameters: ['components'], check: ({ body }) => checkNames(body.components) }],
  estimateBytes: ({ body }) => {
    const matches = Math.min(body.matches_per_component ?? DEFAULT_MATCHES, EXPECTED_MATCHES)
    return body.components.length * (BYTES_PER_COMPONENT + matches * BYTES_PER_MATCH)
  },
  prepare: async ({ body }, services) => {
    await requirePublished(services)
    return services.estimateMatch(body.components, services.signal)
  },
  answer: async ({ body }, services) => {
    const { matchComponents, now, signal } = services
    const json = await matchComponents(
      {
        components: body.components,
        confidenceMin: body.confidence_min ?? DEFAULT_CONFIDENCE,
        maxLevel: body.priority_max ?? 'P4',
        maxMatches: body.matches_per_component ?? DEFAULT_MATCHES,
        isSameHost: body.same_host ?? true,
        suppressions: body.suppress,
        triage: await readAppliedTriage(services, body.triage),
        now,
      },
      signal,
    )
    return { json }
  },
})

/** Returns the end of the error message for the first component without a name or with several names. */
function checkNames(components: Body['components']): string | undefined {
  const index = components.findIndex(
    ({ cpe, purl, product }) => [cpe, purl, product].filter((each) => each !== undefined).length !== 1,
  )
  if (index !== -1) return `must each have exactly one of cpe, purl and product; components[${index}] does not`
  const vendor = components.findIndex(({ vendor, product }) => vendor !== undefined && product === undefined)
  return vendor === -1 ? undefined : `may have vendor only beside product; components[${vendor}] does not`
}

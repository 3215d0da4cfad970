import { Type } from 'typebox'
import { cveIdSchema } from '../../../contract/record/cve-fields.ts'
import { policyVersionSchema, prioritySchema } from '../../../contract/record/priority.ts'
import {
  type BodyOf,
  object,
  objects,
  optionalField,
  optionalList,
  requiredField,
} from '../../../contract/request/body.ts'
import { cveId, integer, text, word } from '../../../contract/request/value-types.ts'
import { closedObject, countSchema, instantSchema } from '../../../contract/response/schemas.ts'
import { toCveKey } from '../../../domain/cve-id.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { CONTEXT_EXPOSURES } from '../../../domain/priority/context.ts'
import { LEVELS, POLICY_VERSION } from '../../../domain/priority/policy.ts'
import { MISSIONS } from '../../../domain/priority/ssvc.ts'
import { requirePublished } from '../../cve-record/published.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { readPriorities } from './query.ts'
import { type Ranking, rankTargets } from './rank.ts'
import { listTargets } from './targets.ts'

const MAX_IDS = 500
const BODY_LIMIT = 256 * 1024
/** In the console, a call counts as one read per 10 ids, like a batch. */
const IDS_PER_CONSOLE_READ = 10
/** Estimated maximum size of the JSON text of one ranked CVE: six sentences, and refs, which the body limit bounds. */
const BYTES_PER_CVE = 2048

const context = {
  exposure: optionalField(
    word(CONTEXT_EXPOSURES),
    'Whether the affected system can be reached from the internet (exposed) or not (internal). Default: unknown.',
  ),
  mission: optionalField(
    word(MISSIONS),
    'Effect of the affected system on your mission, an input of the SSVC decision. Default: medium.',
  ),
}

const body = {
  cve_ids: optionalList(cveId(), 'CVE ids, in any order. Duplicate ids are merged.', { maxItems: MAX_IDS }),
  context: object(context, 'What you know about the affected systems. It applies to every id.'),
  items: objects(
    {
      cve_id: requiredField(cveId(), 'CVE id.'),
      ...context,
      ref: optionalField(text({ maxLength: 100 }), 'Your name for the affected system; the response repeats it.'),
    },
    {
      description:
        'CVE ids with a context of their own. If an id has several items, the most urgent context counts, and their refs are collected.',
      minItems: 0,
      maxItems: MAX_IDS,
    },
  ),
  limit: optionalField(
    integer({ minimum: 1, maximum: MAX_IDS }),
    'Maximum number of CVEs in ranked, most urgent first. by_level always covers all ids. Default: all.',
  ),
}

type Body = BodyOf<typeof body>

export const prioritizeCves = defineEndpoint({
  name: 'prioritize',
  method: 'POST',
  path: '/api/v1/prioritize',
  tag: 'Priority',
  summary: 'Rank up to 500 CVEs by urgency',
  description:
    'Ranks the CVEs of a scan, most urgent first, with the reasons for each level. cve_ids and items have 1 to 500 entries together, and the body has at most 256 KiB. The price is the same for any number of ids. What you know about your systems moves a level by two rules only, and each move is a reason; GET /api/v1/policy has all rules. All CVEs are read at the same moment.',
  access: 'key',
  credits: 10,
  consumesRate: true,
  console: {
    minRole: 'viewer',
    cost: 'read',
    countReads: ({ body }) => Math.ceil(countEntries(body) / IDS_PER_CONSOLE_READ),
  },
  work: 'batch',
  cacheControl: 'no-store',
  response: {
    name: 'RankedCves',
    schema: Type.Object(
      {
        ranked: Type.Array(
          closedObject(
            {
              rank: Type.Integer({ minimum: 1, description: 'Position in the list; 1 is the most urgent.' }),
              cve_id: cveIdSchema(),
              refs: Type.Array(Type.String(), { description: 'The refs of the items with this id.' }),
              exposure: Type.Enum([...CONTEXT_EXPOSURES], { description: 'The exposure that was applied.' }),
              priority: prioritySchema,
            },
            'A CVE with its priority in the given context.',
            'RankedCve',
          ),
          { description: 'The CVEs, most urgent first. CVEs of equal rank are sorted by id, newest first.' },
        ),
        by_level: closedObject(
          Object.fromEntries(
            [...LEVELS, 'none'].map((level) => [
              level,
              countSchema(level === 'none' ? 'Number of CVEs without a level.' : `Number of CVEs with level ${level}.`),
            ]),
          ),
          'Number of distinct CVEs by level, with context.',
        ),
        not_found: Type.Array(cveIdSchema(), { description: 'Requested ids that have no record.' }),
        policy_version: policyVersionSchema('Version of the policy.'),
        timestamp: instantSchema('The time of the response, in UTC and whole seconds.'),
      },
      { additionalProperties: false },
    ),
  },
  example,
  errors: ['NOT_READY'],
  body,
  bodyLimit: BODY_LIMIT,
  rules: [{ parameters: ['cve_ids', 'items'], check: ({ body }) => checkCount(countEntries(body)) }],
  estimateBytes: ({ body }) => countEntries(body) * BYTES_PER_CVE,
  answer: async ({ body }, services) => {
    await requirePublished(services)
    const { db, now } = services
    const targets = listTargets(body)
    const keys = targets.map(({ cveId }) => toCveKey(cveId)).filter((key) => key !== undefined)
    const ranking = rankTargets(targets, await readPriorities(db, keys))
    return { json: renderRanking(ranking, body.limit ?? MAX_IDS, now) }
  },
})

function countEntries({ cve_ids = [], items }: Body): number {
  return cve_ids.length + items.length
}

function checkCount(count: number): string | undefined {
  if (count >= 1 && count <= MAX_IDS) return undefined
  return `and items must have 1 to ${MAX_IDS} entries together; ${count} were sent`
}

/** Renders one chunk per CVE, because 500 CVEs take several hundred kilobytes. */
function renderRanking({ ranked, counts, notFound }: Ranking, limit: number, now: Date): readonly string[] {
  const items = ranked.slice(0, limit).map(({ cveId, refs, context, priority }, index) => {
    const item = { rank: index + 1, cve_id: cveId, refs, exposure: context.exposure, priority }
    return `${index === 0 ? '' : ','}${JSON.stringify(item)}`
  })
  const rest = JSON.stringify({
    by_level: counts,
    not_found: notFound,
    policy_version: POLICY_VERSION,
    timestamp: formatInstant(now),
  })
  return ['{"ranked":[', ...items, `],${rest.slice(1)}`]
}

import {
  causeCountsSchema,
  changeCountsSchema,
  positionSchema,
  sinceType,
  untilType,
} from '../../../contract/changes.ts'
import { optional, required } from '../../../contract/request/parameters.ts'
import { closedObject, countSchema, flagSchema } from '../../../contract/response/schemas.ts'
import { CHANGE_CAUSES } from '../../../domain/change/change.ts'
import { formatPosition, isAfter, type Position } from '../../../domain/change/position.ts'
import { isTime, toAnchor } from '../../../record/change-log/since.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { countChanges, MAX_COUNTED } from './query.ts'

const NO_CHANGES = Object.fromEntries(Object.keys(CHANGE_CAUSES).map((cause) => [cause, 0]))

export const summarizeChanges = defineEndpoint({
  name: 'summarize-changes',
  method: 'GET',
  path: '/api/v1/changes/summary',
  tag: 'Changes',
  summary: 'Count changes',
  description: `The number of changes between two positions, of every cause, by type. Whoever keeps a copy can prove with it that no change is missing. One call counts at most ${MAX_COUNTED.toLocaleString('en')} changes.`,
  access: 'key',
  credits: 0.5,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'private, no-cache',
  response: {
    name: 'ChangeSummary',
    schema: closedObject(
      {
        changes_total: countSchema('Number of changes.'),
        cves_total: countSchema('Number of different CVEs among the changes.'),
        by_type: changeCountsSchema,
        by_cause: causeCountsSchema,
        until: positionSchema('Position of the last counted change.'),
        has_more: flagSchema('Whether changes before the requested end were not counted; continue with since=until.'),
      },
      'How many changes there are between two positions.',
    ),
  },
  example,
  errors: ['GONE'],
  parameters: {
    query: {
      since: required(
        sinceType(['start']),
        'Changes after this position or time are counted. start: from the oldest one that is kept.',
      ),
      until: optional(
        untilType(),
        'Changes up to this position are counted, its own included. Default: now, the newest one.',
      ),
    },
  },
  rules: [
    {
      parameters: ['since', 'until'],
      check: ({ query: { since, until } }) =>
        typeof until === 'object' && !isTime(since) && isAfter(toAnchor(since), until)
          ? 'must not be after until'
          : undefined,
    },
  ],
  answer: async ({ query: { since, until } }, { db }) => {
    const end: Position | undefined = typeof until === 'object' ? until : undefined
    const counted = await countChanges(db, since, end)
    const { changes, cves, types, causes } = counted
    return {
      data: {
        changes_total: changes,
        cves_total: cves,
        by_type: types,
        by_cause: { ...NO_CHANGES, ...causes },
        until: formatPosition(counted.until),
        has_more: counted.hasMore,
      },
    }
  },
})

import { Type } from 'typebox'
import { CHANGE_TYPE_NAMES, changeSchema, rangeMembers, sinceType } from '../../../contract/changes.ts'
import { list, optional, required, type ValuesOf, withDefault } from '../../../contract/request/parameters.ts'
import { integer, withExample, word } from '../../../contract/request/value-types.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { formatPosition } from '../../../domain/change/position.ts'
import type { ChangeType } from '../../../domain/change/types.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { RATED_LEVELS } from '../../../domain/priority/policy.ts'
import { createFilter } from '../../../record/change-log/filter.ts'
import { type ChangeRow, readPage } from '../../../record/change-log/read-log.ts'
import { renderChange, renderRange } from '../../../record/change-log/render.ts'
import { isTime, toAnchor } from '../../../record/change-log/since.ts'
import { buildFilters, normaliseFilters } from '../../../search/filters/build-filters.ts'
import { filterParameters } from '../../../search/filters/table.ts'
import { renderHead } from '../../rendered.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const MAX_WAIT_SECONDS = 25
const BYTES_PER_CHANGE = 1024

const TYPE_LABELS: Readonly<Record<ChangeType, string>> = {
  loaded: 'first load complete',
  published: 'new in the catalog',
  removed: 'removed from the catalog',
  rejected: 'rejected',
  unrejected: 'rejection withdrawn',
  kev_added: 'added to KEV',
  kev_removed: 'removed from KEV',
  kev_updated: 'KEV entry changed',
  eu_kev_added: 'added to EU KEV',
  eu_kev_removed: 'removed from EU KEV',
  ransomware_added: 'ransomware known',
  priority_raised: 'priority raised',
  priority_lowered: 'priority lowered',
  exploit_added: 'first public exploit',
  maturity_raised: 'exploit more mature',
  became_urgent: 'became urgent',
  epss_jump: 'EPSS jump',
  severity_band_changed: 'severity changed',
  score_changed: 'score changed',
  patch_added: 'fix named',
  notice_added: 'notice published',
  affected_changed: 'affected products changed',
  cwe_changed: 'weaknesses changed',
  status_changed: 'status changed',
  epss_model_changed: 'new EPSS model',
  epss_released: 'new EPSS scores',
  advisory_published: 'advisory without CVE published',
  advisory_changed: 'advisory without CVE changed',
  advisory_withdrawn: 'advisory without CVE withdrawn',
  rules_changed: 'new rules of the service',
  updated: 'record updated',
}

const query = {
  since: required(
    sinceType(),
    'Where the list begins: next_since of the last answer; a time: every change that this service published after it (recorded_at), however old the event is; start: the oldest change that is kept; now: no changes, only the newest position. A date is the start of its day in UTC.',
  ),
  types: list(
    word(CHANGE_TYPE_NAMES, { anyCase: true, labels: TYPE_LABELS }),
    'Only changes of these types. next_since moves past the others too. Changes of advisories without a CVE (advisory_published, advisory_changed, advisory_withdrawn) are listed only if types names them.',
    {
      example: ['kev_added', 'kev_removed'],
    },
  ),
  min_level: optional(
    word(RATED_LEVELS),
    'Only changes of CVEs that have this priority level now, or a more urgent one. Unrated CVEs are between P2 and P3.',
  ),
  ...filterParameters('changes'),
  cause: withDefault(
    word(['data', 'all']),
    'data',
    'data: only news from upstream. all: also what changed with the first complete run of a source, in the first week of a new EPSS model, by new rules of the service and by its operators; whoever keeps a copy needs them.',
  ),
  limit: withDefault(withExample(integer({ minimum: 1, maximum: 500 }), 100), 100, 'Maximum number of changes.'),
  wait: withDefault(
    withExample(integer({ minimum: 0, maximum: MAX_WAIT_SECONDS }), 25),
    0,
    'Seconds to wait for a change if there is none. Only a position waits: continue with next_since.',
  ),
}

type Query = ValuesOf<typeof query>

export const listChanges = defineEndpoint({
  name: 'list-changes',
  method: 'GET',
  path: '/api/v1/changes',
  tag: 'Changes',
  summary: 'List changes',
  description:
    'The changes of all CVEs after a position or a time, in the order of publication: what changed, with the old and new values of small members. One CVE has one change per publication. With wait, the call is answered as soon as there is a change; it is charged then. A call without new changes and with the ETag of an earlier empty answer in If-None-Match gets 304 and costs nothing. Filters such as product_vendor judge the current record, so changes of removed CVEs and of whole data sets do not match them. An answer with has_more and few changes has reached its time limit: continue with next_since. 410: the log no longer lists every change after this place.',
  access: 'key',
  credits: 1,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'private, no-cache',
  response: {
    name: 'ChangeList',
    schema: closedObject(
      { changes: Type.Array(changeSchema, { description: 'The changes, oldest first.' }), ...rangeMembers },
      'A part of the change log.',
    ),
  },
  example,
  errors: ['GONE'],
  parameters: { query },
  estimateBytes: ({ query: { limit } }) => limit * BYTES_PER_CHANGE,
  wait: ({ query: sent }, { changes }, signal) =>
    sent.since === 'now' || isTime(sent.since)
      ? undefined
      : changes.wait(toAnchor(sent.since), toFilter(sent), { ms: sent.wait * 1000, signal }),
  // A call that does not wait reads the database, which can be up to half a second ahead of the node's memory.
  answerWithoutCharge: ({ query: sent }, { changes }) => {
    const { newest, oldest } = changes.bounds()
    if (sent.wait === 0 || sent.since === 'now' || isTime(sent.since)) return undefined
    if (!changes.hasNothingAfter(toAnchor(sent.since), toFilter(sent))) return undefined
    const range = renderRange({ next: newest, hasMore: false, newest, oldest })
    return renderHead(JSON.stringify({ changes: [], ...range }), describe(sent, []))
  },
  answer: async ({ query: sent }, { db }) => {
    const page = await readPage(db, sent.since, toFilter(sent), sent.limit)
    const data = { changes: page.rows.map(renderChange), ...renderRange(page) }
    return { data, etagSource: sent.since === 'now' ? JSON.stringify(data) : describe(sent, page.rows) }
  },
})

const toFilter = (sent: Query) => createFilter(sent, buildFilters(sent).standaloneConditions)

/**
 * Returns the text from which the ETag is computed: the query and the listed changes. The ETag of an empty response
 * stays the same while there is nothing to list, whatever else is added to the log.
 */
function describe(sent: Query, rows: readonly ChangeRow[]): string {
  const { since, types = [], min_level, cause, limit } = sent
  const place = typeof since === 'string' ? since : isTime(since) ? formatInstant(since.time) : formatPosition(since)
  const positions = rows.map((row) => row.position)
  return JSON.stringify([place, types.toSorted(), min_level, normaliseFilters(sent), cause, limit, positions])
}

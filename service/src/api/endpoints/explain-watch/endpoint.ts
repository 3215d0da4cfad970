import { readOwnInbox } from '../../../accounts/watches/own-events.ts'
import { readOwnSpans, readOwnWatchEvents } from '../../../accounts/watches/own-watches.ts'
import { requiredField } from '../../../contract/request/body.ts'
import { required } from '../../../contract/request/parameters.ts'
import { cveId } from '../../../contract/request/value-types.ts'
import { noSuchRecord } from '../../../contract/response/errors.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { explanationSchema } from '../../../contract/watches/preview.ts'
import { watchIdType } from '../../../contract/watches/watch.ts'
import { readSnapshot } from '../../../database/read-snapshot.ts'
import { parseCanonicalCveId, toCveKey } from '../../../domain/cve-id.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { readFacts } from '../../../search/watch/facts.ts'
import { listAsked, readLookups } from '../../../search/watch/lookups.ts'
import { judgePast } from '../../../search/watch/past/judge-past.ts'
import { readPastChanges, readPastRange } from '../../../search/watch/past/read-past.ts'
import { listFailed } from '../../../search/watch/query.ts'
import { readStoredQuery } from '../../../search/watch/stored-query.ts'
import { findSpanQuery, renderExplained } from '../../self-service/watch-past.ts'
import { actForWatch, readOwnWatch } from '../../self-service/watches.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const DAYS_MS = 30 * 86_400_000
const MAX_CHANGES = 100

export const explainWatch = defineEndpoint({
  name: 'explain-watch',
  method: 'POST',
  path: '/api/v1/watches/{watch-id}/explain',
  tag: 'Watches',
  summary: 'Explain what a watch told about a CVE',
  description:
    'Why was I told, or not: for each change of the CVE in the last 30 days whether it was in the search before and after, which filters said no, which words of on applied, and the event, or why there is none. Each change is judged with the query that the watch had then. 404 for a CVE about which nothing is known. Needs a key with the scope watch.',
  access: 'key',
  scope: 'watch',
  credits: 0.5,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'no-store',
  response: {
    name: 'ExplainedWatch',
    schema: closedObject({ explanation: explanationSchema }, 'The explanation.'),
  },
  example,
  errors: ['NOT_FOUND', 'QUERY_TIMEOUT'],
  parameters: { path: { 'watch-id': required(watchIdType(), 'Id of the watch.') } },
  body: { cve_id: requiredField(cveId(), 'The CVE.') },
  answer: async ({ path, body }, services) => {
    const { db, now } = services
    const [watchId, id] = [path['watch-id'], body.cve_id]
    const watch = await readOwnWatch(services, watchId)
    const spans = await actForWatch(services, (accounts, credential) => readOwnSpans(accounts, credential, watchId))
    const canonical = parseCanonicalCveId(id)
    const key = canonical && toCveKey(canonical)
    if (key === undefined) throw noSuchRecord(id)
    const past = await readSnapshot(db, async (snapshot) => {
      const range = await readPastRange(snapshot, new Date(now.getTime() - DAYS_MS))
      const [facts] = (await readFacts(snapshot, [key])).values()
      const changes = await readPastChanges(snapshot, [key], range.from)
      const findQuery = findSpanQuery(spans, watch.query)
      const judged = await judgePast(snapshot, changes.slice(-MAX_CHANGES), ({ row }) => findQuery(row.seq))
      const query = readStoredQuery(watch.query).on(now)
      const failed = facts && listFailed(query, facts, await readLookups(snapshot, listAsked([query]), [facts]))
      return { range, facts, judged, failed, isComplete: changes.length <= MAX_CHANGES }
    })
    if (!past.facts && past.judged.length === 0) throw noSuchRecord(id)
    const inbox = await actForWatch(services, readOwnInbox)
    const seqs = past.judged.map(({ change }) => change.row.seq)
    const events = await actForWatch(services, (accounts, credential) =>
      readOwnWatchEvents(accounts, credential, { watchId, cveId: id, seqs }),
    )
    const options = { spans, query: watch.query, events, judgedSeq: inbox.judged?.split(':')[0] ?? null }
    return {
      data: {
        explanation: {
          matches_now: past.failed?.length === 0,
          failed_now: past.failed ?? [],
          examined_since: past.range.since && formatInstant(past.range.since),
          is_complete: past.isComplete,
          explained_changes: past.judged.map((judgement) => renderExplained(judgement, options)).toReversed(),
        },
      },
    }
  },
})

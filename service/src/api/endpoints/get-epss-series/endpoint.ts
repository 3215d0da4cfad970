import { epssSeriesSchema } from '../../../contract/epss.ts'
import { optional, required } from '../../../contract/request/parameters.ts'
import { cveId, date, withExample } from '../../../contract/request/value-types.ts'
import { noSuchRecord } from '../../../contract/response/errors.ts'
import { toCveKey } from '../../../domain/cve-id.ts'
import { isAbsence } from '../../../record/cache/record-cache.ts'
import { readSeries } from '../../../record/epss-series.ts'
import { describeAbsence } from '../../cve-record/published.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { renderSeries } from './render.ts'
import { findWindow } from './window.ts'

export const getEpssSeries = defineEndpoint({
  name: 'get-epss-series',
  method: 'GET',
  path: '/api/v1/cve/{cve-id}/epss',
  tag: 'EPSS',
  summary: 'Get the EPSS scores of one CVE over time',
  description:
    'The EPSS score of a CVE on every day of a window of at most five years, the changes of the EPSS model in it, the days of which the service has no release, and LEV, an estimate of the probability that the CVE was exploited in the window.',
  access: 'key',
  credits: 2,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'record',
  cacheControl: 'private, max-age=60',
  response: { name: 'EpssSeries', schema: epssSeriesSchema },
  example,
  errors: ['NOT_FOUND', 'NOT_READY'],
  parameters: {
    path: { 'cve-id': required(cveId(), 'CVE id, in upper or lower case.') },
    query: {
      from: optional(withExample(date(), '2026-07-01'), 'First day of the window. Without it, the window has 90 days.'),
      to: optional(withExample(date(), '2026-08-21'), 'Last day of the window. Without it, the window ends today.'),
    },
  },
  answerWithoutCharge: ({ path, query }, { records, loading, now }) => {
    const row = records.get(path['cve-id'])
    if (isAbsence(row) && loading() === undefined) throw noSuchRecord(path['cve-id'], row.knownTo)
    // Rejects an invalid window before credits are charged.
    findWindow(query, now)
    return undefined
  },
  answer: async ({ path, query }, services) => {
    const { db, now } = services
    const id = path['cve-id']
    const key = toCveKey(id)
    const window = findWindow(query, now)
    const stored = key && (await readSeries(db, key, window))
    if (!stored) throw await describeAbsence(id, services)
    return { data: renderSeries(id, window, stored, now) }
  },
})

import { Type } from 'typebox'
import { required } from '../../../contract/request/parameters.ts'
import { cveId } from '../../../contract/request/value-types.ts'
import { noSuchRecord } from '../../../contract/response/errors.ts'
import { type CveKey, toCveKey } from '../../../domain/cve-id.ts'
import { addDays, MAX_WINDOW_DAYS } from '../../../domain/epss-series/days.ts'
import { formatDay } from '../../../domain/instant.ts'
import { isAbsence } from '../../../record/cache/record-cache.ts'
import { readMovements } from '../../../record/epss-series.ts'
import { readEpssMonths } from '../../../record/load.ts'
import { cveSchema } from '../../../record/record-schema.ts'
import { hasHistory, type Selection } from '../../../record/selection.ts'
import { fieldsParameter, includeParameter, select } from '../../../record/selection-parameters.ts'
import { explainAbsence, wasPublished } from '../../cve-record/published.ts'
import { type EpssHistory, renderRecord, renderWithHistory } from '../../cve-record/rendered-record.ts'
import { defineEndpoint, type Services } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const getCve = defineEndpoint({
  name: 'get-cve',
  method: 'GET',
  path: '/api/v1/cve/{cve-id}',
  tag: 'CVEs',
  summary: 'Get one CVE',
  description: 'The complete record of a CVE, merged from all sources.',
  access: 'key',
  credits: 5,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'record',
  cacheControl: 'private, max-age=60',
  response: { name: 'Cve', schema: Type.Object({ cve: cveSchema('single') }, { additionalProperties: false }) },
  example,
  errors: ['NOT_FOUND', 'NOT_READY'],
  parameters: {
    path: { 'cve-id': required(cveId(), 'CVE id, in upper or lower case.') },
    query: { fields: fieldsParameter('single'), include: includeParameter('single') },
  },
  answerWithoutCharge: ({ path, query }, services) => {
    const row = services.records.get(path['cve-id'])
    if (!isAbsence(row)) {
      const selection = select('single', query)
      // EPSS scores of earlier days are in the database only.
      return row && !selection.fields.some(hasHistory) ? renderRecord(row, selection) : undefined
    }
    if (wasPublished(services)) throw noSuchRecord(path['cve-id'], row.knownTo)
    return undefined
  },
  answer: async ({ path, query }, services) => {
    const row = await services.records.find(path['cve-id'])
    if (isAbsence(row)) throw await explainAbsence(path['cve-id'], services)
    const selection = select('single', query)
    if (!selection.fields.some(hasHistory)) return { rendered: renderRecord(row, selection) }
    const history = await readHistory(services, toCveKey(path['cve-id']), selection)
    return { rendered: renderWithHistory(row, selection, history) }
  },
})

async function readHistory(
  { db, now }: Services,
  key: CveKey | undefined,
  { fields }: Selection,
): Promise<EpssHistory> {
  const to = formatDay(now)
  const window = { from: addDays(to, 1 - MAX_WINDOW_DAYS), to }
  return {
    movements: fields.includes('timeline') ? await readMovements(db, key, window) : undefined,
    months: key && fields.includes('epss_trend') ? await readEpssMonths(db, key) : undefined,
  }
}

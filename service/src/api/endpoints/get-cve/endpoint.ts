import { Type } from 'typebox'
import { required } from '../../../contract/request/parameters.ts'
import { cveId } from '../../../contract/request/value-types.ts'
import { noSuchRecord } from '../../../contract/response/errors.ts'
import { toCveKey } from '../../../domain/cve-id.ts'
import { addDays, MAX_WINDOW_DAYS } from '../../../domain/epss-series/days.ts'
import { formatDay } from '../../../domain/instant.ts'
import { isAbsence } from '../../../record/cache/record-cache.ts'
import { readMovements } from '../../../record/epss-series.ts'
import { cveSchema } from '../../../record/record-schema.ts'
import type { FieldQuery } from '../../../record/selection.ts'
import { fieldsParameter, includeParameter, select } from '../../../record/selection-parameters.ts'
import { explainAbsence, wasPublished } from '../../cve-record/published.ts'
import { renderRecord, renderWithMovements } from '../../cve-record/rendered-record.ts'
import { defineEndpoint } from '../../services.ts'
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
    // The scores of a timeline are in the database only.
    if (!isAbsence(row)) return row && !hasTimeline(query) ? renderRecord(row, select('single', query)) : undefined
    if (wasPublished(services)) throw noSuchRecord(path['cve-id'], row.knownTo)
    return undefined
  },
  answer: async ({ path, query }, services) => {
    const row = await services.records.find(path['cve-id'])
    if (isAbsence(row)) throw await explainAbsence(path['cve-id'], services)
    const selection = select('single', query)
    if (!hasTimeline(query)) return { rendered: renderRecord(row, selection) }
    const [key, to] = [toCveKey(path['cve-id']), formatDay(services.now)]
    const movements = await readMovements(services.db, key, { from: addDays(to, 1 - MAX_WINDOW_DAYS), to })
    return { rendered: renderWithMovements(row, selection, movements) }
  },
})

const hasTimeline = ({ include = [] }: FieldQuery) => include.includes('timeline')

import { Type } from 'typebox'
import { noSuchRecord } from '../../../contract/errors.ts'
import { required } from '../../../contract/parameters.ts'
import { cveId } from '../../../contract/value-types.ts'
import { renderRecord } from '../../cve-record/rendered-record.ts'
import { cveSchema } from '../../cve-record/schema.ts'
import { fieldsParameter, includeParameter, select } from '../../cve-record/selection.ts'
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
  errors: ['NOT_FOUND'],
  parameters: {
    path: { 'cve-id': required(cveId(), 'CVE id, in upper or lower case.') },
    query: { fields: fieldsParameter('single'), include: includeParameter('single') },
  },
  answerWithoutCharge: ({ path, query }, { records }) => {
    const row = records.get(path['cve-id'])
    if (row === 'absent') throw noSuchRecord(path['cve-id'])
    return row && renderRecord(row, select('single', query))
  },
  answer: async ({ path, query }, { records }) => {
    const row = await records.find(path['cve-id'])
    if (!row) throw noSuchRecord(path['cve-id'])
    return { rendered: renderRecord(row, select('single', query)) }
  },
})

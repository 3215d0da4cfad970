import { Type } from 'typebox'
import { noSuchRecord } from '../../../contract/errors.ts'
import { required } from '../../../contract/parameters.ts'
import { cveId } from '../../../contract/value-types.ts'
import { renderedRecord } from '../../cve-record/rendered-record.ts'
import { cveSchema } from '../../cve-record/schema.ts'
import { fieldsParameter, includeParameter, select } from '../../cve-record/selection.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const getCve = defineEndpoint({
  name: 'get-cve',
  method: 'GET',
  path: '/api/v1/cve/{cve-id}',
  summary: 'One CVE',
  description: 'Everything that is known of it, merged from all sources.',
  access: 'key',
  credits: 5,
  consumesRate: true,
  cacheControl: 'private, max-age=60',
  response: { name: 'Cve', schema: Type.Object({ cve: cveSchema('single') }, { additionalProperties: false }) },
  example,
  errors: ['NOT_FOUND'],
  parameters: {
    path: { 'cve-id': required(cveId(), 'The id of the CVE, in any letter case.') },
    query: { fields: fieldsParameter(), include: includeParameter() },
  },
  known: ({ path, query }, { records }) => {
    const row = records.recall(path['cve-id'])
    if (row === 'absent') throw noSuchRecord(path['cve-id'])
    return row && renderedRecord(row, select('single', query))
  },
  answer: async ({ path, query }, { records }) => {
    const row = await records.find(path['cve-id'])
    if (!row) throw noSuchRecord(path['cve-id'])
    return { rendered: renderedRecord(row, select('single', query)) }
  },
})

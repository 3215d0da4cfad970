import { Type } from 'typebox'
import {
  aliasSourceSchema,
  aliasText,
  aliasType,
  FORMS_NOTE,
  noAliasForm,
  noSuchAlias,
} from '../../../contract/record/alias.ts'
import { cveIdSchema } from '../../../contract/record/cve-fields.ts'
import { required } from '../../../contract/request/parameters.ts'
import { notReady } from '../../../contract/response/errors.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { toCveId } from '../../../domain/cve-id.ts'
import { parseAlias } from '../../../domain/source/alias.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { findAlias } from './query.ts'

export const getAlias = defineEndpoint({
  name: 'get-alias',
  method: 'GET',
  path: '/api/v1/alias/{alias}',
  tag: 'CVEs',
  summary: 'Find the CVEs of an advisory',
  description: `The CVEs of an advisory, according to the database that issues its id, in any letter case: several if the advisory is about several CVEs. ${FORMS_NOTE} An id of the form GCVE-0-… is the CVE with the same number. If no CVE has the alias, the response is 404; for text of another form, such as a name, it contains the search for this name.`,
  access: 'key',
  credits: 0.5,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'record',
  cacheControl: 'private, max-age=60',
  response: {
    name: 'AliasCves',
    schema: closedObject(
      {
        alias: aliasText('The alias in its usual spelling.'),
        cve_ids: Type.Array(cveIdSchema(), { description: 'The CVEs that have the alias, in the order of their ids.' }),
        source: aliasSourceSchema,
      },
      'The CVEs of an alias.',
    ),
  },
  example,
  errors: ['NOT_FOUND', 'NOT_READY'],
  parameters: { path: { alias: required(aliasType(), 'Id of an advisory, in upper or lower case.') } },
  answerWithoutCharge: ({ path }) => {
    // An id of an unknown form is refused before credits are charged and without a query.
    if (parseAlias(path.alias) === undefined) throw noAliasForm(path.alias)
    return undefined
  },
  answer: async ({ path }, { db, loading }) => {
    const alias = parseAlias(path.alias)
    const found = alias && (await findAlias(db, alias))
    const progress = loading()
    if (!found) throw progress === undefined ? noSuchAlias(alias ?? path.alias) : notReady(progress)
    return { data: { alias, cve_ids: found.keys.map(toCveId), source: found.source } }
  },
})

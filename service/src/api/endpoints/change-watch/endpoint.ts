import { saveOwnWatch } from '../../../accounts/watches/own-watches.ts'
import { requiredField } from '../../../contract/request/body.ts'
import { required } from '../../../contract/request/parameters.ts'
import {
  oneWatchSchema,
  pausedField,
  watchFields,
  watchIdType,
  watchRevision,
} from '../../../contract/watches/watch.ts'
import { watchQueryField } from '../../self-service/watch-body.ts'
import {
  actForWatch,
  assertSourceAllowed,
  describeWatch,
  readNewestPosition,
  readOwnWatch,
  requireWatch,
  sortKinds,
} from '../../self-service/watches.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const changeWatch = defineEndpoint({
  name: 'change-watch',
  method: 'POST',
  path: '/api/v1/watches/{watch-id}',
  tag: 'Watches',
  summary: 'Change a watch',
  description:
    'Changes what the body names and keeps the rest; the view of the watch changes with it. Changes of the catalog up to now are judged as the watch was, later ones as it is then; CVEs that a new query finds at once cause no events. 409 if the watch has another revision than the one in the body, because someone changed it meanwhile. Needs a key with the scope watch, or an admin. Free of charge.',
  access: 'key',
  scope: 'watch',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'no-store',
  response: { name: 'ChangedWatch', schema: oneWatchSchema('The watch after the change.') },
  example,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'QUERY_TIMEOUT'],
  parameters: { path: { 'watch-id': required(watchIdType(), 'Id of the watch.') } },
  body: {
    revision: requiredField(watchRevision(), 'Revision of the watch that you have read.'),
    name: watchFields.name,
    team: watchFields.team,
    query: watchQueryField,
    on: watchFields.on,
    paused: pausedField,
  },
  answer: async ({ path, body }, services) => {
    const id = path['watch-id']
    const { revision, name, team, query, on, paused } = body
    if (query !== undefined) assertSourceAllowed(query, services)
    const seen = await readNewestPosition(services.db)
    const change = await actForWatch(services, (accounts, credential) =>
      saveOwnWatch(accounts, credential, {
        isNew: false,
        viewId: id,
        revision,
        name,
        query,
        kinds: on && sortKinds(on),
        team,
        isPaused: paused,
        seen,
      }),
    )
    requireWatch(change, id)
    return { data: await describeWatch(await readOwnWatch(services, id), services) }
  },
})

import { Type } from 'typebox'
import { removeOwnWatch } from '../../../accounts/watches/own-watches.ts'
import { optionalField } from '../../../contract/request/body.ts'
import { required } from '../../../contract/request/parameters.ts'
import { flag, withExample } from '../../../contract/request/value-types.ts'
import { closedObject, flagSchema, textSchema } from '../../../contract/response/schemas.ts'
import { watchIdType, watchRevision } from '../../../contract/watches/watch.ts'
import { actForWatch, readNewestPosition, requireWatch } from '../../self-service/watches.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const removeWatch = defineEndpoint({
  name: 'remove-watch',
  method: 'POST',
  path: '/api/v1/watches/{watch-id}/remove',
  tag: 'Watches',
  summary: 'Remove a watch',
  description:
    'Ends a watch, its feed, and its view unless keep_view is true. Its events stay in the inbox for their time, without its name, and triage entries that muted CVEs in it stay without effect until they are removed. With revision, 409 if someone changed the watch meanwhile. Needs a key with the scope watch, or an admin. Free of charge.',
  access: 'key',
  scope: 'watch',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'RemovedWatch',
    schema: closedObject(
      {
        removed_watch: closedObject(
          {
            id: Type.String({ description: 'Id of the watch.', examples: ['7'] }),
            name: textSchema('Its name.'),
            kept_view: flagSchema('Whether its view stays, as a shared view that is not watched.'),
          },
          'The watch that was removed.',
        ),
      },
      'What was removed.',
    ),
  },
  example,
  errors: ['NOT_FOUND', 'CONFLICT'],
  parameters: { path: { 'watch-id': required(watchIdType(), 'Id of the watch.') } },
  body: {
    revision: optionalField(watchRevision(), 'Remove the watch only if it still has this revision.'),
    keep_view: optionalField(
      withExample(flag(), false),
      'true: the view of the watch stays, as a shared view that is not watched. Default: false.',
    ),
  },
  answer: async ({ path, body: { revision, keep_view: keepsView = false } }, services) => {
    const id = path['watch-id']
    const seen = await readNewestPosition(services.db)
    const change = await actForWatch(services, (accounts, credential) =>
      removeOwnWatch(accounts, credential, { id, revision, keepsView, seen }),
    )
    const { name } = requireWatch(change, id)
    return { data: { removed_watch: { id, name, kept_view: keepsView } } }
  },
})

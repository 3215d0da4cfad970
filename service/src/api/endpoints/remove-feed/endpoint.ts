import { Type } from 'typebox'
import { removeOwnFeed } from '../../../accounts/watches/own-watches.ts'
import { required } from '../../../contract/request/parameters.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { watchIdType } from '../../../contract/watches/watch.ts'
import { actForWatch, requireWatch } from '../../self-service/watches.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const removeFeed = defineEndpoint({
  name: 'remove-feed',
  method: 'POST',
  path: '/api/v1/watches/{watch-id}/feed/remove',
  tag: 'Watches',
  summary: 'Remove the feed of a watch',
  description:
    'Ends the address of a feed within seconds. 404 if the watch has no feed. Needs a key with the scope watch, or an admin. Free of charge.',
  access: 'key',
  scope: 'watch',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'RemovedFeed',
    schema: closedObject(
      {
        removed_feed: closedObject(
          { watch_id: Type.String({ description: 'Id of the watch, which stays.', examples: ['7'] }) },
          'The feed that was removed.',
        ),
      },
      'What was removed.',
    ),
  },
  example,
  errors: ['NOT_FOUND', 'CONFLICT'],
  parameters: { path: { 'watch-id': required(watchIdType(), 'Id of the watch.') } },
  body: {},
  answer: async ({ path }, services) => {
    const id = path['watch-id']
    requireWatch(await actForWatch(services, (accounts, credential) => removeOwnFeed(accounts, credential, id)), id)
    return { data: { removed_feed: { watch_id: id } } }
  },
})

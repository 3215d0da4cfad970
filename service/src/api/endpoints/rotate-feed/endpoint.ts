import { required } from '../../../contract/request/parameters.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { feedAddressesSchema } from '../../../contract/watches/feed.ts'
import { watchIdType } from '../../../contract/watches/watch.ts'
import { makeFeed } from '../../self-service/feeds.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const rotateFeed = defineEndpoint({
  name: 'rotate-feed',
  method: 'POST',
  path: '/api/v1/watches/{watch-id}/feed/rotate',
  tag: 'Watches',
  summary: 'Give the feed of a watch another address',
  description:
    'Replaces the address of a feed, for example if it became known; the one before ends within seconds. The new addresses are shown once. 404 if the watch has no feed. Needs a key with the scope watch, or an admin. Free of charge.',
  access: 'key',
  scope: 'watch',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'RotatedFeed',
    schema: closedObject({ feed_addresses: feedAddressesSchema }, 'The addresses of the feed.'),
  },
  example,
  errors: ['NOT_FOUND', 'CONFLICT'],
  parameters: { path: { 'watch-id': required(watchIdType(), 'Id of the watch.') } },
  body: {},
  answer: async ({ path }, services) => ({
    data: { feed_addresses: await makeFeed(path['watch-id'], true, services) },
  }),
})

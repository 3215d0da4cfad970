import { required } from '../../../contract/request/parameters.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { feedAddressesSchema } from '../../../contract/watches/feed.ts'
import { watchIdType } from '../../../contract/watches/watch.ts'
import { makeFeed } from '../../self-service/feeds.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const createFeed = defineEndpoint({
  name: 'create-feed',
  method: 'POST',
  path: '/api/v1/watches/{watch-id}/feed',
  tag: 'Watches',
  summary: 'Make the feed of a watch',
  description:
    'Makes a secret address at which feed readers see the newest 100 events of the watch, without muted ones, as Atom or JSON Feed. The addresses are shown once. 409 if the watch has a feed, or the account as many as its plan allows. Needs a key with the scope watch, or an admin. Free of charge.',
  access: 'key',
  scope: 'watch',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'CreatedFeed',
    schema: closedObject({ feed_addresses: feedAddressesSchema }, 'The addresses of the feed.'),
  },
  example,
  errors: ['NOT_FOUND', 'CONFLICT'],
  parameters: { path: { 'watch-id': required(watchIdType(), 'Id of the watch.') } },
  body: {},
  answer: async ({ path }, services) => ({
    data: { feed_addresses: await makeFeed(path['watch-id'], false, services) },
  }),
})

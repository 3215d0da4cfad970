import { required } from '../../../contract/request/parameters.ts'
import { oneWatchSchema, watchIdType } from '../../../contract/watches/watch.ts'
import { describeWatch, readOwnWatch } from '../../self-service/watches.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const getWatch = defineEndpoint({
  name: 'get-watch',
  method: 'GET',
  path: '/api/v1/watches/{watch-id}',
  tag: 'Watches',
  summary: 'Get a watch',
  description:
    'One watch, with the number of CVEs in its search now. 404 for a watch that the account does not have. Needs a key with the scope watch. Free of charge.',
  access: 'key',
  scope: 'watch',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'no-store',
  response: { name: 'OneWatch', schema: oneWatchSchema('A watch.') },
  example,
  errors: ['NOT_FOUND', 'QUERY_TIMEOUT'],
  parameters: { path: { 'watch-id': required(watchIdType(), 'Id of the watch.') } },
  answer: async ({ path }, services) => ({
    data: await describeWatch(await readOwnWatch(services, path['watch-id']), services),
  }),
})

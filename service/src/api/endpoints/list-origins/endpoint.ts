import { readOwnOrigins } from '../../../accounts/own-account.ts'
import { originListSchema, renderOrigins } from '../../../contract/origins.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const listOrigins = defineEndpoint({
  name: 'list-origins',
  method: 'GET',
  path: '/api/v1/origins',
  tag: 'Account',
  summary: 'List browser origins',
  description:
    'The browser origins whose pages may use the keys of the account (CORS). Needs a key with the scope manage. Free of charge.',
  access: 'key',
  scope: 'manage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'OriginList', schema: originListSchema },
  example,
  errors: [],
  answer: async (_input, services) => ({ data: renderOrigins(await actForCaller(services, readOwnOrigins)) }),
})

import { Type } from 'typebox'
import { readAccountKeys } from '../../../accounts/keys/account-keys.ts'
import { keySchema, renderKey } from '../../../contract/keys.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const listKeys = defineEndpoint({
  name: 'list-keys',
  method: 'GET',
  path: '/api/v1/keys',
  tag: 'Account',
  summary: 'List keys',
  description:
    'The keys of the account: active ones first, then newer ones first, at most 500. A key itself is never shown again after its creation. Needs a key with the scope manage. Free of charge.',
  access: 'key',
  scope: 'manage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'KeyList',
    schema: closedObject({ keys: Type.Array(keySchema, { description: 'The keys.' }) }, 'The keys of the account.'),
  },
  example,
  errors: [],
  answer: async (_input, services) => ({
    data: { keys: (await actForCaller(services, readAccountKeys)).map(renderKey) },
  }),
})

import { readOwnOrigins, removeOwnOrigin } from '../../../accounts/own-account.ts'
import { noSuchOrigin, originListSchema, originType, renderOrigins } from '../../../contract/origins.ts'
import { requiredField } from '../../../contract/request/body.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const removeOrigin = defineEndpoint({
  name: 'remove-origin',
  method: 'POST',
  path: '/api/v1/origins/remove',
  tag: 'Account',
  summary: 'Remove a browser origin',
  description:
    'Removes a browser origin of the account and returns the remaining ones. Pages of this origin cannot use the keys of the account any more. Needs a key with the scope manage. Free of charge.',
  access: 'key',
  scope: 'manage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'OriginsAfterRemoval', schema: originListSchema },
  example,
  errors: ['NOT_FOUND'],
  body: { origin: requiredField(originType(), 'The origin, exactly as GET /api/v1/origins lists it.') },
  answer: async ({ body }, services) => {
    const origins = await actForCaller(services, async (accounts, credential) => {
      if ((await removeOwnOrigin(accounts, credential, body.origin)) === 'unknown') throw noSuchOrigin(body.origin)
      return readOwnOrigins(accounts, credential)
    })
    return { data: renderOrigins(origins) }
  },
})

import { addOwnOrigin, readOwnOrigins } from '../../../accounts/own-account.ts'
import { originListSchema, originType, renderOrigins, tooManyOrigins } from '../../../contract/origins.ts'
import { requiredField } from '../../../contract/request/body.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const addOrigin = defineEndpoint({
  name: 'add-origin',
  method: 'POST',
  path: '/api/v1/origins',
  tag: 'Account',
  summary: 'Add a browser origin',
  description:
    'Lets pages of a browser origin use the keys of the account (CORS), and returns all origins. An account has at most 20 origins; 409 beyond that. Needs a key with the scope manage. Free of charge.',
  access: 'key',
  scope: 'manage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'OriginsAfterAddition', schema: originListSchema },
  example,
  errors: ['CONFLICT'],
  body: { origin: requiredField(originType(), 'The origin, exactly as browsers send it.') },
  answer: async ({ body }, services) => {
    const origins = await actForCaller(services, async (accounts, credential) => {
      if ((await addOwnOrigin(accounts, credential, body.origin)) === 'limit') throw tooManyOrigins()
      return readOwnOrigins(accounts, credential)
    })
    return { data: renderOrigins(origins) }
  },
})

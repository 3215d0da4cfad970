import { revokeAccountKey } from '../../../accounts/keys/account-keys.ts'
import { keyIdType, keySchema, lastManageKey, noSuchKey, renderKey } from '../../../contract/keys.ts'
import { required } from '../../../contract/request/parameters.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const revokeKey = defineEndpoint({
  name: 'revoke-key',
  method: 'POST',
  path: '/api/v1/keys/{key-id}/revoke',
  tag: 'Account',
  summary: 'Revoke a key',
  description:
    'Revokes a key permanently: every node refuses it within two seconds. A key that is revoked already stays unchanged. 409: a key cannot revoke the last active key with the scope manage; keys that were rotated do not count as another one. Needs a key with the scope manage. Free of charge.',
  access: 'key',
  scope: 'manage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'RevokedKey', schema: closedObject({ key: keySchema }, 'The revoked key.') },
  example,
  errors: ['NOT_FOUND', 'CONFLICT'],
  parameters: { path: { 'key-id': required(keyIdType(), 'Id of the key.') } },
  body: {},
  answer: async ({ path }, services) => {
    const keyId = path['key-id']
    const { outcome, keys } = await actForCaller(services, (accounts, credential) =>
      revokeAccountKey(accounts, credential, keyId),
    )
    const [key] = keys
    if (!key) throw noSuchKey(keyId)
    if (outcome === 'last') throw lastManageKey(keyId)
    return { data: { key: renderKey(key) } }
  },
})

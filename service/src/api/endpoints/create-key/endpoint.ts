import { createAccountKey } from '../../../accounts/keys/account-keys.ts'
import {
  addressesExceeded,
  addressRangeType,
  keyNameType,
  keySchema,
  newKeyOutlives,
  renderKey,
  scopesExceeded,
  scopeType,
  secretSchema,
  tooManyKeys,
} from '../../../contract/keys.ts'
import { optionalField, optionalList, requiredField, requiredList } from '../../../contract/request/body.ts'
import { integer } from '../../../contract/request/value-types.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { SCOPES } from '../../../domain/account/scope.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const MAX_ADDRESS_RANGES = 20
const MAX_DAYS = 3650

export const createKey = defineEndpoint({
  name: 'create-key',
  method: 'POST',
  path: '/api/v1/keys',
  tag: 'Account',
  summary: 'Create a key',
  description:
    'Creates a key and returns it once, as secret. The scopes of the new key must be among those of the calling key, and its addresses within those of the calling key. A key that expires can create only keys that expire before it; 403 otherwise, with details.max_expires_in_days. An account has at most 20 active keys, without keys that were rotated; 409 beyond that. Needs a key with the scope manage. Free of charge.',
  access: 'key',
  scope: 'manage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'CreatedKey',
    schema: closedObject({ key: keySchema, secret: secretSchema }, 'The new key.'),
  },
  example,
  errors: ['CONFLICT'],
  body: {
    name: requiredField(keyNameType(), 'Name by which people recognise the key.'),
    scopes: requiredList(scopeType(), {
      description: 'What the key may do.',
      minItems: 1,
      maxItems: SCOPES.length,
    }),
    expires_in_days: optionalField(
      integer({ minimum: 1, maximum: MAX_DAYS }),
      'Days after which the key expires; without it, the key does not expire. Required if the calling key expires.',
    ),
    allowed_ips: optionalList(
      addressRangeType(),
      'Addresses and ranges of addresses from which the key may be used; without it, from every address.',
      { maxItems: MAX_ADDRESS_RANGES },
    ),
  },
  answer: async ({ body }, services) => {
    const issued = services.issueKey()
    const wanted = {
      name: body.name,
      scopes: [...new Set(body.scopes)],
      expiry: body.expires_in_days === undefined ? undefined : { days: body.expires_in_days },
      allowedIps: [...new Set(body.allowed_ips)],
    }
    const { outcome, keys, daysLeft } = await actForCaller(services, (accounts, credential) =>
      createAccountKey(accounts, credential, issued, wanted),
    )
    if (outcome === 'limit') throw tooManyKeys()
    if (outcome === 'scopes') throw scopesExceeded(wanted.scopes)
    if (outcome === 'addresses') throw addressesExceeded()
    const [first] = keys
    if (!first) throw new Error('the creation of a key returned no key')
    if (outcome === 'expiry') throw newKeyOutlives(first, daysLeft ?? 0)
    return { data: { key: renderKey(first), secret: issued.key } }
  },
})

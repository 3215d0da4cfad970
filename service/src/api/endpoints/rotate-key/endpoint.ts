import { rotateAccountKey } from '../../../accounts/keys/account-keys.ts'
import {
  addressesExceeded,
  alreadyRotated,
  keyIdType,
  keySchema,
  noSuchKey,
  notActive,
  renderKey,
  rotatedKeyOutlives,
  scopesExceeded,
  secretSchema,
} from '../../../contract/keys.ts'
import { optionalField } from '../../../contract/request/body.ts'
import { required } from '../../../contract/request/parameters.ts'
import { integer } from '../../../contract/request/value-types.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const MAX_OVERLAP_HOURS = 168
const DEFAULT_OVERLAP_HOURS = 24

export const rotateKey = defineEndpoint({
  name: 'rotate-key',
  method: 'POST',
  path: '/api/v1/keys/{key-id}/rotate',
  tag: 'Account',
  summary: 'Rotate a key',
  description:
    'Creates a new key in place of an active one, with the same name, scopes, addresses and lifetime, and returns it once, as secret. The old key expires after the overlap. A calling key that expires can rotate itself and keys that do not expire later, and the new key expires no later than the calling key. A key is rotated once: every further rotation is answered with 409 and the id of the new key. Needs a key with the scope manage. Free of charge.',
  access: 'key',
  scope: 'manage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'RotatedKey',
    schema: closedObject(
      { key: keySchema, secret: secretSchema, replaced: keySchema },
      'The new key, and the key that it replaces.',
    ),
  },
  example,
  errors: ['NOT_FOUND', 'CONFLICT'],
  parameters: { path: { 'key-id': required(keyIdType(), 'Id of the key.') } },
  body: {
    overlap_hours: optionalField(
      integer({ minimum: 0, maximum: MAX_OVERLAP_HOURS }),
      `Hours until the old key expires; 0 ends it at once. Default: ${DEFAULT_OVERLAP_HOURS}.`,
    ),
  },
  answer: async ({ path, body }, services) => {
    const issued = services.issueKey()
    const keyId = path['key-id']
    const overlapSeconds = (body.overlap_hours ?? DEFAULT_OVERLAP_HOURS) * 3600
    const { outcome, keys } = await actForCaller(services, (accounts, credential) =>
      rotateAccountKey(accounts, credential, issued, { keyId, overlapSeconds }),
    )
    const [first, second] = keys
    if (!first) throw noSuchKey(keyId)
    if (outcome === 'rotated') throw alreadyRotated(first)
    if (outcome === 'inactive') throw notActive(first)
    if (outcome === 'scopes') throw scopesExceeded(first.scopes)
    if (outcome === 'addresses') throw addressesExceeded()
    if (outcome === 'expiry') throw rotatedKeyOutlives(keyId, first)
    if (!second) throw new Error('the rotation of a key did not return the replaced key')
    return { data: { key: renderKey(first), secret: issued.key, replaced: renderKey(second) } }
  },
})

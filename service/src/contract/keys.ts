// The part of the contract for an account's API keys: value types, schemas, and errors when keys are changed.
import { Type } from 'typebox'
import { isWholeRange, normalizeAddressRange } from '../domain/account/address-range.ts'
import { SCOPES, type Scope } from '../domain/account/scope.ts'
import { formatInstant } from '../domain/instant.ts'
import { type ValueType, withExample, word } from './request/value-types.ts'
import { ApiError } from './response/errors.ts'
import { closedObject, daySchema, instantSchema, orNull, textSchema } from './response/schemas.ts'

const ID = /^[1-9]\d{0,17}$/
const MAX_NAME_LENGTH = 100
const CONTROL_CHARACTERS = /\p{Cc}/u

export function keyIdType(): ValueType<string> {
  return {
    schema: Type.String({ pattern: ID.source, examples: ['12'] }),
    expects: 'the id of a key, which is a number such as 12; GET /api/v1/keys lists the ids',
    example: '12',
    parse: (sent) => (ID.test(sent) ? sent : undefined),
  }
}

export function keyNameType(): ValueType<string> {
  return {
    schema: Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, examples: ['ci-pipeline'] }),
    expects: `a name of 1 to ${MAX_NAME_LENGTH} characters in one line`,
    example: 'ci-pipeline',
    parse: (sent) => {
      const name = sent.trim()
      const isValid = name !== '' && Array.from(name).length <= MAX_NAME_LENGTH && !CONTROL_CHARACTERS.test(name)
      return isValid ? name : undefined
    },
  }
}

/** One sentence for each scope, shown where a person chooses the scopes of a key. */
export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  read: 'Call every endpoint for CVEs and read the usage of the account.',
  manage: 'Manage keys, browser origins and members who are not owners, and read the audit log.',
  watch: 'Read, save, change and remove the shared views of the account.',
  triage: 'Read and change what the account decided about CVEs, and apply it in scans.',
}

export const scopeType = () => withExample(word(SCOPES), 'read')

export function addressRangeType(): ValueType<string> {
  return {
    schema: Type.String({ maxLength: 43, examples: ['203.0.113.0/24', '2001:db8::/32'] }),
    expects: 'an IP address or a range in CIDR notation, such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32',
    example: '203.0.113.0/24',
    parse: (sent) => (isWholeRange(sent) ? normalizeAddressRange(sent) : undefined),
    hint: (sent) =>
      normalizeAddressRange(sent) === undefined ? undefined : 'the bits after the length of the prefix must be zero',
    suggest: normalizeAddressRange,
  }
}

const idText = (description: string) => Type.String({ pattern: ID.source, description, examples: ['12'] })

export const keySchema = closedObject(
  {
    id: idText('Id of the key.'),
    name: orNull(textSchema('Name of the key; null if it has none.')),
    prefix: Type.String({ description: 'First characters of the key.', examples: ['vis_live_'] }),
    last_four: Type.String({ description: 'Last four characters of the key.', examples: ['x7Qa'] }),
    scopes: Type.Array(Type.Enum([...SCOPES]), {
      description: ['What the key may do.', ...SCOPES.map((scope) => `${scope}: ${SCOPE_MEANINGS[scope]}`)].join(' '),
    }),
    allowed_ips: Type.Array(Type.String({ examples: ['203.0.113.0/24'] }), {
      description: 'Ranges of addresses from which the key may be used. An empty list allows every address.',
    }),
    created_at: instantSchema('When the key was created.'),
    last_used_day: orNull(daySchema('The last day (UTC) on which the key was used; null if it never was.')),
    expires_at: orNull(instantSchema('When the key expires, or when it expired; null if it never expires.')),
    state: Type.Enum(['active', 'expired', 'revoked'], { description: 'Whether the key is accepted, and why not.' }),
    replaced_by: orNull(idText('Id of the key that replaced this one; null if it was not rotated.')),
  },
  'An API key, without the key itself.',
  'ApiKey',
)

export const secretSchema = Type.String({
  description: 'The key itself. It is shown only in this response: the service stores nothing but its digest.',
  examples: ['vis_live_'],
})

interface Key {
  readonly id: string
  readonly name: string | null
  readonly prefix: string
  readonly lastFour: string
  readonly scopes: readonly string[]
  readonly allowedIps: readonly string[]
  readonly createdAt: Date
  readonly lastUsedOn: string | null
  readonly expiresAt: Date | null
  readonly state: string
  readonly replacedBy: string | null
}

export function renderKey(key: Key) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    scopes: key.scopes,
    allowed_ips: key.allowedIps,
    created_at: formatInstant(key.createdAt),
    last_used_day: key.lastUsedOn,
    expires_at: key.expiresAt && formatInstant(key.expiresAt),
    state: key.state,
    replaced_by: key.replacedBy,
  }
}

/** Creates the error for a key id that the caller's account does not have, whether or not another account has it. */
export function noSuchKey(id: string): ApiError {
  return new ApiError('NOT_FOUND', `This account has no key ${id}. GET /api/v1/keys lists its keys.`)
}

const MAX_ACTIVE_KEYS = 20

export function tooManyKeys(): ApiError {
  return new ApiError(
    'CONFLICT',
    `The account has ${MAX_ACTIVE_KEYS} active keys, which is the limit. Revoke one that is not used any more, then try again.`,
    { details: { limit: MAX_ACTIVE_KEYS } },
  )
}

export function alreadyRotated({ id, replacedBy }: Pick<Key, 'id' | 'replacedBy'>): ApiError {
  return new ApiError(
    'CONFLICT',
    `Key ${id} was already rotated: key ${replacedBy} replaces it. If its secret was lost, rotate key ${replacedBy}.`,
    { details: { replaced_by: replacedBy } },
  )
}

export function notActive({ id, state }: Pick<Key, 'id' | 'state'>): ApiError {
  return new ApiError('CONFLICT', `Key ${id} is ${state} and cannot be rotated. Create a new key instead.`, {
    details: { state },
  })
}

export function lastManageKey(id: string): ApiError {
  return new ApiError(
    'CONFLICT',
    `Key ${id} is the last active key with the scope manage, and no other key could manage the account. Create or rotate one first.`,
    { details: { limit: 1 } },
  )
}

/** Creates the error for a new key with a scope that the caller's own key lacks. */
export function scopesExceeded(scopes: readonly string[]): ApiError {
  return new ApiError(
    'FORBIDDEN',
    `A key can create and rotate only keys whose scopes are among its own; this one needs ${scopes.join(' and ')}.`,
    { details: { required_scope: scopes.find((scope) => scope !== 'manage') ?? 'manage' } },
  )
}

/** Creates the error for a new key that would be usable from more addresses than the caller's own key. */
export function addressesExceeded(): ApiError {
  return new ApiError(
    'FORBIDDEN',
    'A key with allowed_ips can create and rotate only keys whose allowed_ips are within its own. Send allowed_ips, or use a key without this limit.',
    { details: { reason: 'allowed_ips' } },
  )
}

/**
 * Creates the error for a new key that would expire later than the caller's own key, which has `days` full days left.
 */
export function newKeyOutlives({ expiresAt }: Pick<Key, 'expiresAt'>, days: number): ApiError {
  const advice =
    days >= 1
      ? `Send expires_in_days of at most ${days}, or use the console or a key that expires later.`
      : 'It expires within a day, so it cannot create keys any more: use the console or a key that expires later.'
  return outlives(`A key that expires can create only keys that expire before it. ${advice}`, expiresAt, {
    max_expires_in_days: days,
  })
}

/** Creates the error for rotating a key that expires later than the caller's own key. */
export function rotatedKeyOutlives(id: string, { expiresAt }: Pick<Key, 'expiresAt'>): ApiError {
  return outlives(
    `A key that expires can rotate only keys that expire no later than itself; key ${id} expires later or never. Use the console or a key that expires later; if key ${id} leaked, this key can revoke it.`,
    expiresAt,
  )
}

function outlives(text: string, expiresAt: Date | null, limits: Readonly<Record<string, unknown>> = {}): ApiError {
  const end = expiresAt && formatInstant(expiresAt)
  return new ApiError('FORBIDDEN', `The calling key expires at ${end}. ${text}`, {
    details: { reason: 'expires_at', expires_at: end, ...limits },
  })
}

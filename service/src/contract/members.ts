// The part of the contract for an account's members: value types, schemas, and errors when members are changed.
import { Type } from 'typebox'
import { EMAIL_FORM, parseEmail } from '../domain/account/email.ts'
import { ROLES } from '../domain/account/role.ts'
import { formatInstant } from '../domain/instant.ts'
import { type ValueType, withExample, word } from './request/value-types.ts'
import { ApiError } from './response/errors.ts'
import { closedObject, daySchema, instantSchema, orNull } from './response/schemas.ts'

const ID = /^[1-9]\d{0,17}$/

export function memberIdType(): ValueType<string> {
  return {
    schema: Type.String({ pattern: ID.source, examples: ['3'] }),
    expects: 'the id of a member, which is a number such as 3; GET /api/v1/members lists the ids',
    example: '3',
    parse: (sent) => (ID.test(sent) ? sent : undefined),
  }
}

export function emailType(): ValueType<string> {
  return {
    schema: Type.String({ maxLength: 254, examples: ['ada@example.org'] }),
    expects: EMAIL_FORM,
    example: 'ada@example.org',
    parse: parseEmail,
  }
}

export const roleType = () => withExample(word(ROLES), 'viewer')

export const memberSchema = closedObject(
  {
    id: Type.String({ pattern: ID.source, description: 'Id of the member.', examples: ['3'] }),
    email: Type.String({ description: 'E-mail address of the member, in lower case.', examples: ['ada@example.org'] }),
    role: Type.Enum([...ROLES], {
      description:
        'What the member may do in the console. viewer: read. admin: also manage keys, origins and members. owner: also manage owners.',
    }),
    state: Type.Enum(['invited', 'active'], { description: 'invited: the person has not signed in yet.' }),
    created_at: instantSchema('When the member was invited first.'),
    last_sign_in_day: orNull(daySchema('The last day (UTC) on which the member signed in; null if there is none.')),
  },
  'A person who may use the console for the account.',
  'Member',
)

export interface Member {
  readonly id: string
  readonly email: string
  readonly role: string
  readonly state: string
  readonly createdAt: Date
  readonly lastSignInDay: string | null
}

export function renderMember(member: Member) {
  return {
    id: member.id,
    email: member.email,
    role: member.role,
    state: member.state,
    created_at: formatInstant(member.createdAt),
    last_sign_in_day: member.lastSignInDay,
  }
}

/** Creates the error for a member id that the caller's account does not have, whether or not another account has it. */
export function noSuchMember(id: string): ApiError {
  return new ApiError('NOT_FOUND', `This account has no member ${id}. GET /api/v1/members lists its members.`)
}

export function ownerRequired(): ApiError {
  return new ApiError(
    'FORBIDDEN',
    'Only an owner of the account, signed in to the console, may invite, change or remove owners.',
    { details: { required_role: 'owner' } },
  )
}

/**
 * Creates the error for inviting a member or changing a role with a key that is limited to certain addresses: the
 * member could act from any address.
 */
export function memberFromAnywhere(): ApiError {
  return new ApiError(
    'FORBIDDEN',
    'A key with allowed_ips can neither invite members nor change their roles, because members may sign in from every address. Use the console, or a key without allowed_ips.',
    { details: { reason: 'allowed_ips' } },
  )
}

/**
 * Creates the error for inviting a member or changing a role with a key that expires: the member would keep the role
 * after that.
 */
export function memberOutlives(): ApiError {
  return new ApiError(
    'FORBIDDEN',
    'A key that expires can neither invite members nor change their roles, because members keep their roles after the key has expired. Use the console, or a key that does not expire.',
    { details: { reason: 'expires_at' } },
  )
}

export function lastOwner(id: string): ApiError {
  return new ApiError(
    'CONFLICT',
    `Member ${id} is the last owner of the account. Make another member an owner first.`,
    { details: { limit: 1 } },
  )
}

export function alreadyMember(): ApiError {
  return new ApiError(
    'CONFLICT',
    'This person is a member of the account already. Change the role of the member instead.',
  )
}

const MAX_MEMBERS = 100

export function tooManyMembers(): ApiError {
  return new ApiError(
    'CONFLICT',
    `The account has ${MAX_MEMBERS} members, which is the limit. Remove one, then try again.`,
    { details: { limit: MAX_MEMBERS } },
  )
}

const MAX_INVITATIONS_PER_DAY = 20

export function tooManyInvitations(): ApiError {
  return new ApiError(
    'CONFLICT',
    `The account has sent ${MAX_INVITATIONS_PER_DAY} invitations by mail within a day, which is the limit. Try again tomorrow.`,
    { details: { limit: MAX_INVITATIONS_PER_DAY } },
  )
}

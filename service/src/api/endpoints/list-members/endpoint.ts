import { Type } from 'typebox'
import { readAccountMembers } from '../../../accounts/people/account-members.ts'
import { memberSchema, renderMember } from '../../../contract/members.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const listMembers = defineEndpoint({
  name: 'list-members',
  method: 'GET',
  path: '/api/v1/members',
  tag: 'Account',
  summary: 'List members',
  description:
    'The people who may use the web console for the account, invited ones included, in the order of their ids. Needs a key with the scope manage. Free of charge.',
  access: 'key',
  scope: 'manage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'MemberList',
    schema: closedObject(
      { members: Type.Array(memberSchema, { description: 'The members of the account.' }) },
      'The members of the account.',
    ),
  },
  example,
  errors: [],
  answer: async (_input, services) => {
    const members = await actForCaller(services, readAccountMembers)
    return { data: { members: members.map(renderMember) } }
  },
})

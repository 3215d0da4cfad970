import { changeAccountMember } from '../../../accounts/people/account-members.ts'
import {
  lastOwner,
  memberIdType,
  memberSchema,
  noSuchMember,
  ownerRequired,
  renderMember,
} from '../../../contract/members.ts'
import { required } from '../../../contract/request/parameters.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const removeMember = defineEndpoint({
  name: 'remove-member',
  method: 'POST',
  path: '/api/v1/members/{member-id}/remove',
  tag: 'Account',
  summary: 'Remove a member',
  description:
    'Removes a member or an invitation. The sessions of the member end within two seconds on every node, and links that were sent stop working. Only an owner in the console may remove owners, and an account keeps its last owner: 409. Needs a key with the scope manage. Free of charge.',
  access: 'key',
  scope: 'manage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'RemovedMember', schema: closedObject({ member: memberSchema }, 'The member as it was before.') },
  example,
  errors: ['NOT_FOUND', 'CONFLICT'],
  parameters: { path: { 'member-id': required(memberIdType(), 'Id of the member.') } },
  body: {},
  answer: async ({ path }, services) => {
    const memberId = path['member-id']
    const { outcome, member } = await actForCaller(services, (accounts, credential) =>
      changeAccountMember(accounts, credential, memberId, null),
    )
    if (!member) throw noSuchMember(memberId)
    if (outcome === 'owner') throw ownerRequired()
    if (outcome === 'last') throw lastOwner(memberId)
    return { data: { member: renderMember(member) } }
  },
})

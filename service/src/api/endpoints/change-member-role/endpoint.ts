import { changeAccountMember } from '../../../accounts/people/account-members.ts'
import {
  lastOwner,
  memberFromAnywhere,
  memberIdType,
  memberOutlives,
  memberSchema,
  noSuchMember,
  ownerRequired,
  renderMember,
  roleType,
} from '../../../contract/members.ts'
import { requiredField } from '../../../contract/request/body.ts'
import { required } from '../../../contract/request/parameters.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const changeMemberRole = defineEndpoint({
  name: 'change-member-role',
  method: 'POST',
  path: '/api/v1/members/{member-id}/role',
  tag: 'Account',
  summary: 'Change the role of a member',
  description:
    'Changes what a member may do; open sessions of the member have the new role within two seconds. Only an owner in the console may make or change owners, and an account keeps its last owner: 409. A key that expires or has allowed_ips cannot change roles. Needs a key with the scope manage. Free of charge.',
  access: 'key',
  scope: 'manage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'ChangedMember', schema: closedObject({ member: memberSchema }, 'The member with the new role.') },
  example,
  errors: ['NOT_FOUND', 'CONFLICT'],
  parameters: { path: { 'member-id': required(memberIdType(), 'Id of the member.') } },
  body: { role: requiredField(roleType(), 'What the member may do from now on.') },
  answer: async ({ path, body }, services) => {
    const memberId = path['member-id']
    const { outcome, member } = await actForCaller(services, (accounts, credential) =>
      changeAccountMember(accounts, credential, memberId, body.role),
    )
    if (!member) throw noSuchMember(memberId)
    if (outcome === 'owner') throw ownerRequired()
    if (outcome === 'addresses') throw memberFromAnywhere()
    if (outcome === 'expiry') throw memberOutlives()
    if (outcome === 'last') throw lastOwner(memberId)
    return { data: { member: renderMember(member) } }
  },
})

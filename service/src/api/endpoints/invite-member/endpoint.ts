import { Type } from 'typebox'
import { createTokenWithDigest } from '../../../accounts/keys/token.ts'
import { inviteAccountMember } from '../../../accounts/people/account-members.ts'
import {
  alreadyMember,
  emailType,
  memberFromAnywhere,
  memberOutlives,
  memberSchema,
  ownerRequired,
  renderMember,
  roleType,
  tooManyInvitations,
  tooManyMembers,
} from '../../../contract/members.ts'
import { requiredField } from '../../../contract/request/body.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const inviteMember = defineEndpoint({
  name: 'invite-member',
  method: 'POST',
  path: '/api/v1/members',
  tag: 'Account',
  summary: 'Invite a member',
  description:
    'Invites a person to the web console of the account with a link that works once, within 72 hours. The link is sent by mail; a server that sends no mail returns it, to be handed over by other means. A second invitation of a person who has not joined yet replaces the first one. An account has at most 100 members and sends at most 20 invitations by mail a day; 409 beyond that, and for a person who is a member already. A key that expires or has allowed_ips cannot invite members. Only an owner in the console may invite owners. Needs a key with the scope manage. Free of charge.',
  access: 'key',
  scope: 'manage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'admin', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'InvitedMember',
    schema: closedObject(
      {
        member: memberSchema,
        link: Type.Optional(
          Type.String({
            description:
              'The link of the invitation. It is shown only in this response, and only by a server that sends no mail.',
            examples: ['https://vis.example.org/console/enter#…'],
          }),
        ),
      },
      'The invited member.',
    ),
  },
  example,
  errors: ['CONFLICT'],
  body: {
    email: requiredField(emailType(), 'E-mail address of the person.'),
    role: requiredField(roleType(), 'What the person may do.'),
  },
  answer: async ({ body }, services) => {
    const { invitations } = services
    const link = (await invitations.areMailed()) ? undefined : createTokenWithDigest()
    const invitation = { email: body.email, role: body.role, tokenDigest: link?.digest ?? null }
    const { outcome, member } = await actForCaller(services, (accounts, credential) =>
      inviteAccountMember(accounts, credential, invitation),
    )
    if (outcome === 'owner') throw ownerRequired()
    if (outcome === 'addresses') throw memberFromAnywhere()
    if (outcome === 'expiry') throw memberOutlives()
    if (outcome === 'joined') throw alreadyMember()
    if (outcome === 'limit') throw tooManyMembers()
    if (outcome === 'too many' || !member) throw tooManyInvitations()
    return { data: { member: renderMember(member), ...(link && { link: invitations.buildLink(link.token) }) } }
  },
})

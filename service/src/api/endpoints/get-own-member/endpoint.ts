import { readOwnMember } from '../../../accounts/people/own-member.ts'
import { ownMemberSchema, renderOwnMember } from '../../../contract/own-member.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const getOwnMember = defineEndpoint({
  name: 'get-own-member',
  method: 'GET',
  path: '/api/v1/members/me',
  tag: 'Account',
  summary: 'Get the signed-in member',
  description:
    'Who is signed in to the console, and how far this member has read the change log and the events of the account, for "since your last visit". Empty for a key. Free of charge.',
  access: 'key',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'OwnMember', schema: ownMemberSchema },
  example,
  errors: [],
  answer: async (_input, services) => ({ data: renderOwnMember(await actForCaller(services, readOwnMember)) }),
})

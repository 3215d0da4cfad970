import { markSeen as storeSeen } from '../../../accounts/people/own-member.ts'
import {
  memberOnly,
  ownMemberSchema,
  positionAhead,
  positionType,
  renderOwnMember,
} from '../../../contract/own-member.ts'
import { requiredField } from '../../../contract/request/body.ts'
import { formatPosition, isAfter } from '../../../domain/change/position.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { isInLog } from './query.ts'

export const markSeen = defineEndpoint({
  name: 'mark-seen',
  method: 'POST',
  path: '/api/v1/members/me/seen',
  tag: 'Account',
  summary: 'Mark changes as seen',
  description:
    'Stores how far the signed-in member has read the change log. The position moves only forward: an earlier one changes nothing, and no other member, session or key can move it. 403 for a key, which has no member. Free of charge.',
  access: 'key',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'SeenMember', schema: ownMemberSchema },
  example,
  errors: ['FORBIDDEN'],
  body: { position: requiredField(positionType(), 'The newest position that the member has seen.') },
  answer: async ({ body: { position } }, services) => {
    const text = formatPosition(position)
    // This node may not have polled the newest change yet.
    if (isAfter(position, services.changes.bounds().newest) && !(await isInLog(services.checks, position)))
      throw positionAhead(text)
    const own = await actForCaller(services, (accounts, credential) => storeSeen(accounts, credential, text))
    if (!own) throw memberOnly()
    return { data: renderOwnMember(own) }
  },
})

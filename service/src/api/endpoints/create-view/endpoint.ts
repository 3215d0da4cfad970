import { createOwnView } from '../../../accounts/own-views.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { viewSchema } from '../../../contract/views.ts'
import { actForCaller } from '../../self-service/act.ts'
import { renderView, requireChanged, toViewContent, VIEW_BODY } from '../../self-service/views.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const createView = defineEndpoint({
  name: 'create-view',
  method: 'POST',
  path: '/api/v1/views',
  tag: 'Views',
  summary: 'Save a view',
  description:
    "Saves a search. Every member can save views of their own, which no one else sees; admins, owners and keys with the scope watch save shared ones. The query is checked as GET /api/v1/cves checks it, and issues name its parameters as in query.severity. A member has at most 50 own views and an account 100 shared ones, and their names differ; 409 otherwise. When a member is removed, the member's own views are deleted and shared ones stay. Needs a key with the scope watch. Free of charge.",
  access: 'key',
  scope: 'watch',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'CreatedView', schema: closedObject({ view: viewSchema }, 'The saved view.') },
  example,
  errors: ['CONFLICT'],
  body: VIEW_BODY,
  answer: async ({ body }, services) => {
    const content = toViewContent(body)
    const change = await actForCaller(services, (accounts, credential) => createOwnView(accounts, credential, content))
    return { data: { view: renderView(requireChanged(change, ''), services.now) } }
  },
})

import { readOwnViews, readViewRights } from '../../../accounts/own-views.ts'
import { required } from '../../../contract/request/parameters.ts'
import { scopeRefused } from '../../../contract/response/errors.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { noSuchView, viewIdType, viewSchema } from '../../../contract/views.ts'
import { actForCaller } from '../../self-service/act.ts'
import { findBuiltIn, renderBuiltInView, renderView } from '../../self-service/views.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const getView = defineEndpoint({
  name: 'get-view',
  method: 'GET',
  path: '/api/v1/views/{view-id}',
  tag: 'Views',
  summary: 'Get a view',
  description:
    "One saved search. 404 for a view that the caller cannot see, such as another member's own one. A saved view needs a key with the scope watch. Free of charge.",
  access: 'key',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'OneView', schema: closedObject({ view: viewSchema }, 'A saved search.') },
  example,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  parameters: { path: { 'view-id': required(viewIdType(), 'Id of the view.') } },
  answer: async ({ path }, services) => {
    const id = path['view-id']
    const builtIn = findBuiltIn(id)
    if (builtIn) return { data: { view: renderBuiltInView(builtIn, services.now) } }
    if (!(await actForCaller(services, readViewRights)).readsSaved) throw scopeRefused('watch')
    const saved = (await actForCaller(services, readOwnViews)).find((view) => view.id === id)
    if (!saved) throw noSuchView(id)
    return { data: { view: renderView(saved, services.now) } }
  },
})

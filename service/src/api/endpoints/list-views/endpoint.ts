import { Type } from 'typebox'
import { readOwnViews, readViewRights } from '../../../accounts/own-views.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { viewRightsSchema, viewSchema } from '../../../contract/views.ts'
import { BUILT_IN_VIEWS } from '../../../search/views/built-in.ts'
import { actForCaller } from '../../self-service/act.ts'
import { renderBuiltInView, renderView } from '../../self-service/views.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const listViews = defineEndpoint({
  name: 'list-views',
  method: 'GET',
  path: '/api/v1/views',
  tag: 'Views',
  summary: 'List views',
  description:
    "Saved searches: built-in views first, then the account's shared views and the signed-in member's own ones, by place and name. A member's own views are visible to no one else. Send the member search of a view as the query string of GET /api/v1/cves. Every key sees the built-in views; saved ones need the scope watch (rights.reads_saved). Free of charge.",
  access: 'key',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: {
    name: 'ViewList',
    schema: closedObject(
      {
        views: Type.Array(viewSchema, { description: 'The views in the order of lists.' }),
        rights: viewRightsSchema,
      },
      'The views that the caller can see.',
    ),
  },
  example,
  errors: [],
  answer: async (_input, services) => {
    const rights = await actForCaller(services, readViewRights)
    const saved = await actForCaller(services, readOwnViews)
    const views = [
      ...BUILT_IN_VIEWS.map((view) => renderBuiltInView(view, services.now)),
      ...saved.map((view) => renderView(view, services.now)),
    ]
    const { readsSaved, savesOwn, shares } = rights
    return { data: { views, rights: { reads_saved: readsSaved, saves_own: savesOwn, saves_shared: shares } } }
  },
})

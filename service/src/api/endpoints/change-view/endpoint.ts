import { changeOwnView } from '../../../accounts/own-views.ts'
import { requiredField } from '../../../contract/request/body.ts'
import { required } from '../../../contract/request/parameters.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { builtInView, isSavedId, noSuchView, revisionType, viewIdType, viewSchema } from '../../../contract/views.ts'
import { actForCaller } from '../../self-service/act.ts'
import { findBuiltIn, renderView, requireChanged, toViewContent, VIEW_BODY } from '../../self-service/views.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const changeView = defineEndpoint({
  name: 'change-view',
  method: 'POST',
  path: '/api/v1/views/{view-id}',
  tag: 'Views',
  summary: 'Change a view',
  description:
    'Replaces name, query and columns of a saved view; place and shared stay as they are if the body leaves them out. 409 if the view has another revision than the one in the body, because someone changed it meanwhile. Only the member who saved a shared view can make it an own one again. Needs a key with the scope watch. Free of charge.',
  access: 'key',
  scope: 'watch',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'ChangedView', schema: closedObject({ view: viewSchema }, 'The view after the change.') },
  example,
  errors: ['NOT_FOUND', 'CONFLICT'],
  parameters: { path: { 'view-id': required(viewIdType(), 'Id of the view.') } },
  body: { revision: requiredField(revisionType(), 'Revision of the view that you have read.'), ...VIEW_BODY },
  answer: async ({ path, body }, services) => {
    const id = path['view-id']
    if (findBuiltIn(id)) throw builtInView(id)
    if (!isSavedId(id)) throw noSuchView(id)
    const content = toViewContent(body)
    const change = await actForCaller(services, (accounts, credential) =>
      changeOwnView(accounts, credential, { id, revision: body.revision }, content),
    )
    return { data: { view: renderView(requireChanged(change, id), services.now) } }
  },
})

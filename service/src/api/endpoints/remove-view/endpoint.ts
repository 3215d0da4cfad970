import { removeOwnView } from '../../../accounts/own-views.ts'
import { optionalField } from '../../../contract/request/body.ts'
import { required } from '../../../contract/request/parameters.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { builtInView, isSavedId, noSuchView, revisionType, viewIdType, viewSchema } from '../../../contract/views.ts'
import { actForCaller } from '../../self-service/act.ts'
import { findBuiltIn, renderView, requireChanged } from '../../self-service/views.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const removeView = defineEndpoint({
  name: 'remove-view',
  method: 'POST',
  path: '/api/v1/views/{view-id}/remove',
  tag: 'Views',
  summary: 'Remove a view',
  description:
    'Removes a saved view. Members remove their own ones; admins, owners and keys with the scope watch also shared ones. With revision, 409 if someone changed the view meanwhile. Needs a key with the scope watch. Free of charge.',
  access: 'key',
  scope: 'watch',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'RemovedView', schema: closedObject({ view: viewSchema }, 'The view as it was before.') },
  example,
  errors: ['NOT_FOUND', 'CONFLICT'],
  parameters: { path: { 'view-id': required(viewIdType(), 'Id of the view.') } },
  body: { revision: optionalField(revisionType(), 'Remove the view only if it still has this revision.') },
  answer: async ({ path, body }, services) => {
    const id = path['view-id']
    if (findBuiltIn(id)) throw builtInView(id)
    if (!isSavedId(id)) throw noSuchView(id)
    const { revision } = body
    const change = await actForCaller(services, (accounts, credential) =>
      removeOwnView(accounts, credential, { id, revision }),
    )
    return { data: { view: renderView(requireChanged(change, id), services.now) } }
  },
})

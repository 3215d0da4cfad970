import { readOwnViews } from '../../../accounts/own-views.ts'
import { saveOwnWatch } from '../../../accounts/watches/own-watches.ts'
import { optionalField } from '../../../contract/request/body.ts'
import { invalidParameters } from '../../../contract/response/errors.ts'
import { isSavedId, viewIdType } from '../../../contract/views.ts'
import { noSuchSharedView } from '../../../contract/watches/errors.ts'
import { oneWatchSchema, watchFields } from '../../../contract/watches/watch.ts'
import { DEFAULT_WATCH_KINDS } from '../../../domain/watch/kinds.ts'
import { findRefusedFilters } from '../../../search/watch/refused-filters.ts'
import { watchQueryField } from '../../self-service/watch-body.ts'
import {
  actForWatch,
  assertSourceAllowed,
  describeWatch,
  readNewestPosition,
  readOwnWatch,
  refuseView,
  sortKinds,
} from '../../self-service/watches.ts'
import { defineEndpoint, type Services } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const createWatch = defineEndpoint({
  name: 'create-watch',
  method: 'POST',
  path: '/api/v1/watches',
  tag: 'Watches',
  summary: 'Create a watch',
  description:
    'Watches a search: from now on, GET /api/v1/events tells when a CVE enters it, or when something named in on happens to a CVE inside it. The query is checked as GET /api/v1/cves checks it, and issues name its filters as in query.severity_min; a product that no CVE has is accepted, with did_you_mean. A watch is a shared view with on: send query and name for a new one, or view_id for a shared view that exists. 409 if the plan allows no more watches, if the name is taken, or if the view is not shared or watched already. Needs a key with the scope watch, or an admin. Free of charge.',
  access: 'key',
  scope: 'watch',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'no-store',
  response: { name: 'CreatedWatch', schema: oneWatchSchema('The new watch.') },
  example,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'QUERY_TIMEOUT'],
  body: {
    name: watchFields.name,
    team: watchFields.team,
    query: watchQueryField,
    view_id: optionalField(viewIdType(), 'Id of a shared view that is watched from now on, instead of query.'),
    on: watchFields.on,
  },
  rules: [
    {
      parameters: ['query', 'view_id'],
      check: ({ body }) =>
        (body.query === undefined) === (body.view_id === undefined)
          ? 'or view_id is required, and only one of them'
          : undefined,
    },
    {
      parameters: ['name', 'view_id'],
      check: ({ body }) =>
        body.name === undefined && body.view_id === undefined
          ? 'is required: a name of 1 to 100 characters'
          : undefined,
    },
  ],
  answer: async ({ body }, services) => {
    const { name, team, view_id: viewId } = body
    const view = viewId === undefined ? undefined : await readView(viewId, services)
    assertSourceAllowed(view?.query ?? body.query ?? '', services)
    const seen = await readNewestPosition(services.db)
    const change = await actForWatch(services, (accounts, credential) =>
      saveOwnWatch(accounts, credential, {
        isNew: true,
        viewId,
        revision: view?.revision,
        name,
        query: body.query,
        kinds: sortKinds(body.on ?? DEFAULT_WATCH_KINDS),
        team,
        seen,
      }),
    )
    if (change.outcome !== 'done' || !change.watch) throw refuseView(change, viewId ?? '')
    return { data: await describeWatch(await readOwnWatch(services, change.watch.id), services) }
  },
})

/** The query of a view can have filters that a watch refuses. The revision makes sure that the view stays as it is. */
async function readView(id: string, services: Services) {
  if (!isSavedId(id)) throw noSuchSharedView(id)
  const view = (await actForWatch(services, readOwnViews)).find((each) => each.id === id)
  if (!view) throw noSuchSharedView(id)
  const [first, ...rest] = findRefusedFilters(view.query).map((issue) => ({
    ...issue,
    parameter: 'view_id',
    value: id,
    message: `names a view whose filter ${issue.parameter} ${issue.message}`,
  }))
  if (first) throw invalidParameters([first, ...rest])
  return view
}

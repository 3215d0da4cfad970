// Checks of saved searches. The key `manager` also has the scope watch.

import { section } from '../../lib/check.mjs'
import { ensure, equal, fails, ok, rejects } from '../../lib/expect.mjs'

const MANAGER = { key: 'manager' }
const ABSENT = '999999999999'
const NAME = 'conformance'

const post = (api, path, body = {}) => api.call('POST', path, { body, ...MANAGER })

// Invalid bodies of POST /views: [description of the mistake, body, parameter in the error]
const BAD_VIEWS = [
  ['no name', { query: 'kev=true' }, 'name'],
  ['no query', { name: NAME }, 'query'],
  ['an unknown filter', { name: NAME, query: 'kevv=true' }, 'query.kevv'],
  ['an unknown word', { name: NAME, query: 'severity=urgent' }, 'query.severity'],
  [
    'a range that will end',
    { name: NAME, query: 'published_after=today&published_before=2030-01-01' },
    'query.published_before',
  ],
  ['a column in capitals', { name: NAME, query: 'kev=true', columns: ['EPSS'] }, 'columns'],
]

export const checks = section('saved searches', (check) => {
  check('every key sees the built-in views, and their searches answer', async ({ api }) => {
    const { views, rights } = ok(await api.get('/views'))
    equal(rights.reads_saved, false, 'reads_saved')
    ensure(views.length > 0 && views.every(({ built_in }) => built_in), 'a key without the scope sees a saved view')
    for (const { id, search } of views) {
      ok(await api.get('/cves', { ...Object.fromEntries(new URLSearchParams(search)), limit: 1 }))
      equal(ok(await api.get(`/views/${id}`)).view.search, search, 'search')
    }
  })

  check('a view is saved, changed with its revision, and removed', { needs: ['manager'] }, async ({ api }) => {
    const { view } = ok(
      await post(api, '/views', { name: NAME, query: 'kev_added_after=today-7d&severity=high,critical' }),
    )
    equal(view.query, 'severity=critical,high&kev_added_after=today-7d', 'query')
    ensure(/^severity=critical,high&kev_added_after=\d{4}-\d\d-\d\d$/.test(view.search), 'search has no day')
    fails(await post(api, '/views', { name: NAME.toUpperCase(), query: 'kev=true' }), 409)
    const change = { revision: view.revision, name: NAME, query: 'kev=true' }
    equal(ok(await post(api, `/views/${view.id}`, change)).view.revision, view.revision + 1, 'revision')
    equal(fails(await post(api, `/views/${view.id}`, change), 409).details.revision, view.revision + 1, 'revision')
    ok(await post(api, `/views/${view.id}/remove`))
    fails(await post(api, `/views/${view.id}/remove`), 404)
  })

  for (const [mistake, body, parameter] of BAD_VIEWS) {
    check(`POST /views with ${mistake} is refused and names ${parameter}`, { needs: ['manager'] }, async ({ api }) =>
      rejects(await post(api, '/views', body), parameter),
    )
  }

  check(
    'views that do not exist return 404, and built-in ones cannot be changed',
    { needs: ['manager'] },
    async ({ api }) => {
      const change = { revision: 1, name: NAME, query: 'kev=true' }
      fails(await post(api, `/views/${ABSENT}`, change), 404)
      fails(await post(api, '/views/new-in-kev', change), 409)
      fails(await post(api, '/views/new-in-kev/remove'), 409)
    },
  )

  check('saving needs the scope watch', async ({ api }) => {
    const { details } = fails(await api.call('POST', '/views', { body: { name: NAME, query: 'kev=true' } }), 403)
    equal(details.required_scope, 'watch', 'required_scope')
  })

  check('a key has no member', async ({ api }) => {
    equal(Object.keys(ok(await api.get('/members/me'))).length, 0, 'members')
    const position = `1:${'0'.repeat(16)}`
    const answer = await api.call('POST', '/members/me/seen', { body: { position } })
    ensure(answer.status === 403 || answer.status === 400, 'a key marks changes as seen')
  })
})

// Checks of watches, events and feeds. The key `manager` also has the scope watch.

import { section } from '../../lib/check.mjs'
import { ensure, equal, fails, ok, rejects } from '../../lib/expect.mjs'

const MANAGER = { key: 'manager' }
const ABSENT = '999999999999'
const NAME = 'conformance watch'

const post = (api, path, body = {}) => api.call('POST', path, { body, ...MANAGER })
const get = (api, path, query = {}) => api.call('GET', path, { query, ...MANAGER })

/** Whoever has the address of a feed reads it, without a key. It is a path if the service does not know its own URL. */
const readFeed = (api, address) =>
  api.call('GET', new URL(address, 'http://service.example').pathname, { root: true, key: null })

// Invalid bodies of POST /watches: [description of the mistake, body, parameter in the error]
const BAD_WATCHES = [
  ['no name', { query: { kev: true } }, 'name'],
  ['neither query nor view', { name: NAME }, 'query'],
  ['an unknown filter', { name: NAME, query: { kevv: true } }, 'query.kevv'],
  ['a score above 10', { name: NAME, query: { severity_min: 11 } }, 'query.severity_min'],
  ['a filter that every edit moves', { name: NAME, query: { modified_after: '2026-01-01' } }, 'query.modified_after'],
  ['an unknown word', { name: NAME, query: { kev: true }, on: ['explode'] }, 'on'],
]

export const checks = section('watches', (check) => {
  check('a watch is created, changed, snoozed, explained and removed', { needs: ['manager'] }, async ({ api }) => {
    const created = ok(
      await post(api, '/watches', { name: NAME, query: { priority: ['P1', 'P0'] }, on: ['exploited'] }),
    )
    const { watch } = created
    equal(watch.query, 'priority=P0,P1', 'query')
    equal(watch.state, 'active', 'state')
    const views = ok(await get(api, '/views')).views
    equal(JSON.stringify(views.find(({ id }) => id === watch.id)?.on), '["exploited"]', 'on of its view')
    ensure(
      ok(await get(api, '/watches')).watches.some(({ id }) => id === watch.id),
      'the list lacks the watch',
    )
    const change = { revision: watch.revision, team: 'conformance' }
    equal(ok(await post(api, `/watches/${watch.id}`, change)).watch.team, 'conformance', 'team')
    equal(fails(await post(api, `/watches/${watch.id}`, change), 409).details.revision, watch.revision + 1, 'revision')
    equal(ok(await get(api, `/watches/${watch.id}`)).watch.team, 'conformance', 'team')
    ok(await post(api, `/watches/${watch.id}/snooze`))
    const [cve] = ok(await api.get('/cves', { limit: 1 })).cves
    ok(await post(api, `/watches/${watch.id}/explain`, { cve_id: cve.cve_id }))
    const { feed_addresses: first } = ok(await post(api, `/watches/${watch.id}/feed`))
    const { feed_addresses: second } = ok(await post(api, `/watches/${watch.id}/feed/rotate`))
    equal((await readFeed(api, second.atom)).status, 200, 'status of the Atom feed')
    equal(
      (await readFeed(api, second.json)).json.version,
      'https://jsonfeed.org/version/1.1',
      'version of the JSON feed',
    )
    fails(await readFeed(api, first.atom), 404)
    ok(await post(api, `/watches/${watch.id}/feed/remove`))
    ok(await post(api, `/watches/${watch.id}/remove`))
    fails(await get(api, `/watches/${watch.id}`), 404)
  })

  check('a preview says how far it looked', { needs: ['manager'] }, async ({ api }) => {
    const { preview } = ok(await post(api, '/watches/preview', { query: { kev: true }, days: 7 }))
    equal(preview.expected_daily.length, preview.judged_days.length, 'number of days')
  })

  check('events are read forwards and backwards', { needs: ['manager'] }, async ({ api }) => {
    const { next_since: next } = ok(await get(api, '/events', { since: 'now' }))
    equal(ok(await get(api, '/events', { since: next })).watch_events.length, 0, 'events after now')
    ok(await get(api, '/events', { before: 'now' }))
    rejects(await get(api, '/events'), 'since')
    fails(await get(api, '/events', { since: '999999999' }), 410)
  })

  for (const [mistake, body, parameter] of BAD_WATCHES) {
    check(`POST /watches with ${mistake} is refused and names ${parameter}`, { needs: ['manager'] }, async ({ api }) =>
      rejects(await post(api, '/watches', body), parameter),
    )
  }

  check('watches need the scope watch, and unknown ones return 404', { needs: ['manager'] }, async ({ api }) => {
    equal(fails(await api.get('/watches'), 403).details.required_scope, 'watch', 'required_scope')
    equal(fails(await api.get('/events', { since: 'start' }), 403).details.required_scope, 'watch', 'required_scope')
    for (const path of ['', '/snooze', '/remove', '/feed', '/feed/rotate', '/feed/remove'])
      fails(await post(api, `/watches/${ABSENT}${path}`, path === '' ? { revision: 1 } : {}), 404)
  })
})

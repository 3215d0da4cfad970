// Checks of historical data: GET /cve/{id}/history, /cve/{id}/as-of/{date} and /kev/history.

import { section } from '../../lib/check.mjs'
import { ALL_ADD_ONS, UNKNOWN_ID } from '../../lib/discovery.mjs'
import { ensure, equal, fails, idsOf, ok, rejects, same, sameMembers } from '../../lib/expect.mjs'
import { readPages } from '../../lib/pages.mjs'

/** Returns today's date according to the service's clock, as YYYY-MM-DD. */
const readToday = async (api) => (await api.get('/stats')).meta.timestamp.slice(0, 10)

// Invalid queries: [description of the mistake, path, query, parameter in the error]
const BAD_QUERIES = [
  ['a limit of 0', '/kev/history', { limit: 0 }, 'limit'],
  ['removed=maybe', '/kev/history', { removed: 'maybe' }, 'removed'],
  ['another cursor', '/kev/history', { after: 'x' }, 'after'],
  ['half a CVE id', '/kev/history', { cve_id: 'CVE-2021' }, 'cve_id'],
]

export const checks = section('History', (check) => {
  check('the changes of a CVE are its rows of the change log, newest first', async ({ api, discovery }) => {
    const { changes: log } = ok(await api.get('/changes', { since: 'start', cause: 'all', limit: 20 }))
    // After the first load, a CVE has no row until it changes.
    const changed = log.find(({ cve_id }) => cve_id)
    const { cve_id: id } = changed ?? (await discovery.findOne('in KEV'))
    const { cve_id, changes, complete_since: since } = ok(await api.get(`/cve/${id}/history`))
    equal(cve_id, id, 'cve_id')
    if (changed) ensure(changes.length > 0, `${id} has no changes`)
    for (const change of changes) equal(change.cve_id, id, 'CVE of a change')
    const numbers = changes.map(({ seq }) => seq)
    same(
      numbers,
      numbers.toSorted((a, b) => b - a),
      'numbers',
    )
    ensure(since !== null, 'complete_since is null')
  })

  check('B4 the changes of an unknown CVE return 404, and of a malformed id 400', async ({ api }) => {
    fails(await api.get(`/cve/${UNKNOWN_ID}/history`), 404)
    rejects(await api.get('/cve/CVE-1/history'), 'cve-id', 'CVE-1')
  })

  check('the record of today is the current one with all add-ons', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    const answer = ok(await api.get(`/cve/${id}/as-of/${await readToday(api)}`))
    equal(answer.cve_id, id, 'cve_id')
    same(answer.record, ok(await api.get(`/cve/${id}`, { include: ALL_ADD_ONS })).cve, 'record')
    same([answer.unknown, answer.reconstructed], [[], []], 'unknown and reconstructed')
  })

  check(
    'a day before complete_since has what is known of it, and names what is not known',
    async ({ api, discovery }) => {
      const { cve_id: id, kev } = await discovery.findOne('in KEV')
      const { dateAdded } = kev ?? ok(await api.get(`/cve/${id}`)).cve.kev
      const { complete_since: kept } = ok(await api.get(`/cve/${id}/as-of/${await readToday(api)}`))
      if (dateAdded >= kept.slice(0, 10)) return
      const { record, unknown, reconstructed } = ok(await api.get(`/cve/${id}/as-of/${dateAdded}`))
      equal(record.kev?.dateAdded, dateAdded, 'kev.dateAdded')
      equal(record.enrichment?.kev_flag, true, 'enrichment.kev_flag')
      ensure(unknown.includes('priority'), 'unknown does not name the priority')
      for (const { record_members: members } of reconstructed)
        for (const member of members) ensure(!unknown.includes(member), `${member} is both known and unknown`)
      for (const member of Object.keys(record))
        ensure(!unknown.includes(member), `unknown names ${member}, which is there`)
    },
  )

  check(
    'a day before the publication returns 404, a day in the future and no day return 400',
    async ({ api, discovery }) => {
      const { cve_id: id } = await discovery.findOne('in KEV')
      fails(await api.get(`/cve/${id}/as-of/1990-01-01`), 404)
      rejects(await api.get(`/cve/${id}/as-of/2999-01-01`), 'date', '2999-01-01')
      rejects(await api.get(`/cve/${id}/as-of/2026-02-30`), 'date', '2026-02-30')
    },
  )

  check('an unknown CVE has no record of today', async ({ api }) =>
    fails(await api.get(`/cve/${UNKNOWN_ID}/as-of/${await readToday(api)}`), 404),
  )

  check('the entries of /kev/history that are not removed are those of /kev', async ({ api, discovery }) => {
    const { items } = await readPages(api, '/kev/history', { removed: 'false' }, { limit: 500 })
    sameMembers(idsOf(items), idsOf(await discovery.kev()), 'listed entries')
  })

  check('/kev/history with removed=true and removed=false together has each entry once', async ({ api }) => {
    const read = async (query) => (await readPages(api, '/kev/history', query, { limit: 200 })).items
    const removed = await read({ removed: 'true' })
    for (const { cve_id: id, removed_at: at, history } of removed) {
      ensure(at !== null, `${id} has no removed_at`)
      ensure(
        history.some(({ type }) => type === 'removed'),
        `${id} has no change of the type removed`,
      )
    }
    sameMembers(idsOf([...removed, ...(await read({ removed: 'false' }))]), idsOf(await read({})), 'entries')
  })

  check(
    '/kev/history with cve_id has the entry of this CVE, and none of a CVE outside KEV',
    async ({ api, discovery }) => {
      const { cve_id: id } = await discovery.findOne('in KEV')
      same(idsOf(ok(await api.get('/kev/history', { cve_id: id })).entries), [id], 'entries')
      same(ok(await api.get('/kev/history', { cve_id: UNKNOWN_ID })).entries, [], 'entries')
    },
  )

  for (const [mistake, path, query, parameter] of BAD_QUERIES) {
    check(`${path} with ${mistake} is refused and names ${parameter}`, async ({ api }) =>
      rejects(await api.get(path, query), parameter),
    )
  }
})

// Checks of the change log: GET /changes, /changes/summary and /changes/records.

import { section, skip } from '../../lib/check.mjs'
import { wordsOf } from '../../lib/contract.mjs'
import { ALL_ADD_ONS } from '../../lib/discovery.mjs'
import { ensure, equal, fails, ok, rejects, same } from '../../lib/expect.mjs'

const POSITION = /^(0|[1-9]\d{0,17}):[0-9a-f]{16}$/

// Invalid queries: [description of the mistake, path, query, parameter in the error]
const BAD_QUERIES = [
  ['no position', '/changes', {}, 'since'],
  ['a position without a tag', '/changes', { since: '1' }, 'since'],
  ['an unknown type', '/changes', { since: 'start', types: 'kev' }, 'types'],
  ['an unknown level', '/changes', { since: 'start', min_level: 'P5' }, 'min_level'],
  ['an unknown cause', '/changes', { since: 'start', cause: 'rules' }, 'cause'],
  ['a limit of 501', '/changes', { since: 'start', limit: 501 }, 'limit'],
  ['a wait of 26 s', '/changes', { since: 'start', wait: 26 }, 'wait'],
  ['a limit of 101 records', '/changes/records', { since: 'start', limit: 101 }, 'limit'],
  ['now as the beginning of a summary', '/changes/summary', { since: 'now' }, 'since'],
]

/** A new installation has only the row of its first load, after which records can be read. */
const findBegin = async (api) => ok(await api.get('/changes', { since: 'start', limit: 1 })).oldest

/** Types of changes to a whole CVE, which name no members. */
const WHOLE = ['published', 'removed']

export const checks = section('Changes', (check) => {
  check('pages of changes follow one another in order, without a gap or a repetition', async ({ api }) => {
    const whole = ok(await api.get('/changes', { since: 'start', cause: 'all', limit: 20 }))
    const pages = []
    let since = 'start'
    for (let page = 0; page < 2; page += 1) {
      const data = ok(await api.get('/changes', { since, cause: 'all', limit: 10 }))
      pages.push(...data.changes)
      since = data.next_since
      ensure(POSITION.test(since), `next_since is no position: ${since}`)
    }
    same(pages, whole.changes, 'two pages of 10 and one of 20')
    same(
      pages.map(({ seq }) => seq),
      pages.map(({ seq }) => seq).toSorted((a, b) => a - b),
      'numbers',
    )
  })

  check('every change of a CVE names the changed members, unless it added or removed the CVE', async ({ api }) => {
    // Most rows of a new installation are those of its first load.
    const types = wordsOf('listChanges', 'types').filter((type) => !WHOLE.includes(type))
    const query = { since: 'start', cause: 'all', types: types.join(','), limit: 500 }
    const { changes } = ok(await api.get('/changes', query))
    for (const { seq, cve_id: id, types: found, fields, diff } of changes) {
      if (id === null || found.some((type) => WHOLE.includes(type))) continue
      ensure(fields.length > 0 || Object.keys(diff).length > 0, `change ${seq} of ${id} names nothing that changed`)
    }
  })

  check('a time lists what was published after it, in the order of publication', async ({ api }) => {
    const whole = ok(await api.get('/changes', { since: 'start', cause: 'all', limit: 500 }))
    const last = whole.changes.at(-1) ?? skip('the log is empty')
    const gone = fails(await api.get('/changes', { since: '2000-01-01' }), 410)
    const { changes } = ok(await api.get('/changes', { since: gone.details.earliest, cause: 'all', limit: 500 }))
    for (const { recorded_at: at } of changes) ensure(at >= gone.details.earliest, `${at} is too early`)
    const after = ok(await api.get('/changes', { since: last.recorded_at, cause: 'all', limit: 500 }))
    for (const { seq, recorded_at: at } of after.changes)
      ensure(at >= last.recorded_at, `change ${seq} was recorded before the time asked for`)
    same(ok(await api.get('/changes', { since: '2999-01-01' })).changes, [], 'changes since a time in the future')
  })

  check('a filter by vendor lists changes of CVEs that have this vendor', async ({ api }) => {
    const { changes } = ok(await api.get('/changes', { since: 'start', product_vendor: 'fortinet', limit: 5 }))
    for (const { cve_id: id } of changes) {
      const { cves } = ok(await api.get('/cves', { ids: id, product_vendor: 'fortinet' }))
      equal(cves.length, 1, `${id} among the CVEs of the vendor`)
    }
  })

  check('nothing follows the newest position, and its ETag gives 304', async ({ api }) => {
    const { next_since: since } = ok(await api.get('/changes', { since: 'now' }))
    const first = await api.get('/changes', { since })
    same(ok(first).changes, [], 'changes')
    const headers = { 'If-None-Match': first.header('ETag') }
    equal((await api.get('/changes', { since }, { headers })).status, 304, 'status')
  })

  check('a position with another tag returns 410 with the bounds of the log', async ({ api }) => {
    const { newest } = ok(await api.get('/changes', { since: 'now' }))
    const [seq, tag] = newest.split(':')
    const other = `${seq}:${tag.startsWith('0') ? '1' : '0'}${tag.slice(1)}`
    for (const path of ['/changes', '/changes/records', '/changes/summary']) {
      const error = fails(await api.get(path, { since: other }), 410)
      equal(error.details.newest, newest, 'newest')
    }
  })

  check('the records of a page are the CVEs of its changes, each once, with all add-ons', async ({ api }) => {
    const page = ok(await api.get('/changes/records', { since: await findBegin(api), limit: 5 }))
    const ids = page.records.map(({ cve_id }) => cve_id)
    equal(new Set(ids).size, ids.length, 'different CVEs')
    for (const { cve_id, gone, record } of page.records) {
      if (!gone) equal(record.cve_id, cve_id, 'id of the record')
      ensure(gone === (record === undefined), `${cve_id} has a record and is gone, or neither`)
    }
    // After the first load, there are none until a CVE changes.
    const kept = page.records.find(({ gone }) => !gone)
    if (!kept) return
    const { cve_id: id, record } = kept
    same(record, ok(await api.get(`/cve/${id}`, { include: ALL_ADD_ONS })).cve, `record of ${id}`)
  })

  check('a summary counts the changes up to a position', async ({ api }) => {
    const page = ok(await api.get('/changes', { since: 'start', cause: 'all', limit: 7 }))
    const counted = ok(await api.get('/changes/summary', { since: 'start', until: page.next_since }))
    equal(counted.changes_total, page.changes.length, 'changes')
    equal(counted.until, page.next_since, 'until')
  })

  for (const [mistake, path, query, parameter] of BAD_QUERIES) {
    check(`${path} with ${mistake} is refused and names ${parameter}`, async ({ api }) =>
      rejects(await api.get(path, query), parameter),
    )
  }
})

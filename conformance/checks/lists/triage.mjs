// Checks of triage states. The key `manager` also has the scope triage.

import { section } from '../../lib/check.mjs'
import { ensure, equal, fails, ok, rejects } from '../../lib/expect.mjs'

const MANAGER = { key: 'manager' }
const ENTRY = { cve_id: 'CVE-1999-0001', scope: 'pkg:npm/conformance', version_range: '<2.0.0' }
const STATE = { ...ENTRY, state: 'not_affected', justification: 'component_not_present' }

const post = (api, path, body = {}) => api.call('POST', path, { body, ...MANAGER })
const read = (api) => api.get(`/triage/cve/${ENTRY.cve_id}`, undefined, MANAGER)

// Invalid bodies of POST /triage: [description of the mistake, body, parameter in the error]
const BAD_STATES = [
  ['no reason', { ...STATE, justification: undefined }, 'state'],
  ['an unknown state', { ...STATE, state: 'ignored' }, 'state'],
  ['a scope that is no name', { ...STATE, scope: 'conformance' }, 'scope'],
  ['versions of everything', { ...STATE, scope: '*' }, 'state'],
  ['a range without a sign', { ...STATE, version_range: '2.0.0' }, 'version_range'],
]

const needsManager = { needs: ['manager'] }

/** Removes what an earlier run left. */
async function clean(api) {
  for (const { cve_id, scope, version_range, revision } of ok(await read(api)).triage_entries)
    ok(await post(api, '/triage/remove', { cve_id, scope, ...(version_range && { version_range }), revision }))
}

export const checks = section('triage', (check) => {
  check(
    'a state is set, changed with its revision, and removed, and its history stays',
    needsManager,
    async ({ api }) => {
      await clean(api)
      const before = ok(await read(api)).revisions.length
      const { triage_entry: entry } = ok(await post(api, '/triage', STATE))
      equal(entry.effect, 'suppresses', 'effect')
      const listed = ok(await api.get('/triage', undefined, MANAGER)).triage_entries
      ensure(
        listed.some(({ scope }) => scope === ENTRY.scope),
        'the list lacks the entry',
      )
      equal(fails(await post(api, '/triage', STATE), 409).details.current.revision, entry.revision, 'revision')
      const changed = ok(await post(api, '/triage', { ...STATE, revision: entry.revision, note: 'x' })).triage_entry
      equal(changed.revision, entry.revision + 1, 'revision')
      ok(await post(api, '/triage/remove', { ...ENTRY, revision: changed.revision }))
      fails(await post(api, '/triage/remove', { ...ENTRY, revision: changed.revision }), 404)
      const { triage_entries: entries, revisions } = ok(await read(api))
      equal(entries.length, 0, 'entries')
      ensure(revisions.length >= Math.min(500, before + 3), 'a revision is missing')
    },
  )

  check('a bulk change names the outcome of each change', needsManager, async ({ api }) => {
    await clean(api)
    const { results } = ok(
      await post(api, '/triage/bulk', { set: [STATE, STATE], remove: [{ ...ENTRY, scope: 'pkg:npm/x' }] }),
    )
    equal(results.map(({ outcome }) => outcome).join(), 'done,conflict,unknown', 'outcomes')
    await clean(api)
  })

  check('a document comes back without a difference', needsManager, async ({ api }) => {
    await clean(api)
    ok(await post(api, '/triage', STATE))
    const { document } = ok(await api.get('/triage/openvex', undefined, MANAGER))
    const { unchanged_total: unchanged, created_total: created } = ok(await post(api, '/triage/openvex', { document }))
    equal(`${unchanged} ${created}`, `${document.statements.length} 0`, 'unchanged and created')
    await clean(api)
  })

  for (const [mistake, body, parameter] of BAD_STATES) {
    check(`POST /triage with ${mistake} is refused and names ${parameter}`, needsManager, async ({ api }) =>
      rejects(await post(api, '/triage', body), parameter),
    )
  }

  check('triage needs the scope triage', async ({ api }) => {
    equal(fails(await api.get('/triage'), 403).details.required_scope, 'triage', 'required_scope')
    equal(
      fails(await api.call('POST', '/triage', { body: STATE }), 403).details.required_scope,
      'triage',
      'required_scope',
    )
  })

  check('a scan that may not read states says so', async ({ api }) => {
    const body = { components: [{ purl: 'pkg:npm/lodash@4.17.20' }], triage: 'apply' }
    equal(ok(await api.call('POST', '/match', { body })).triage.applied, false, 'applied')
  })
})

// Checks of the endpoints with which an account manages its keys, browser origins and members, and reads its usage and
// audit log.

import { section } from '../lib/check.mjs'
import { ensure, equal, fails, ok, rejects, same } from '../lib/expect.mjs'

const MANAGER = { key: 'manager' }
const ORIGIN = 'https://conformance.example'
const ABSENT_KEY = '999999999999'
const MEMBER = 'conformance@example.org'

// Endpoints that need the scope manage: [method, path, body]
const MANAGED = [
  ['GET', '/keys'],
  ['POST', '/keys', { name: 'conformance', scopes: ['read'] }],
  ['POST', `/keys/${ABSENT_KEY}/rotate`, {}],
  ['POST', `/keys/${ABSENT_KEY}/revoke`, {}],
  ['GET', '/origins'],
  ['POST', '/origins', { origin: ORIGIN }],
  ['POST', '/origins/remove', { origin: ORIGIN }],
  ['GET', '/audit'],
  ['GET', '/audit/export'],
  ['GET', '/members'],
  ['POST', '/members', { email: MEMBER, role: 'viewer' }],
  ['POST', `/members/${ABSENT_KEY}/role`, { role: 'viewer' }],
  ['POST', `/members/${ABSENT_KEY}/remove`, {}],
]

// Invalid bodies of POST /keys: [description of the mistake, body, parameter in the error]
const BAD_KEYS = [
  ['no name', { scopes: ['read'] }, 'name'],
  ['no scopes', { name: 'x', scopes: [] }, 'scopes'],
  ['an unknown scope', { name: 'x', scopes: ['write'] }, 'scopes'],
  ['an expiry of 0 days', { name: 'x', scopes: ['read'], expires_in_days: 0 }, 'expires_in_days'],
  ['bits after the prefix', { name: 'x', scopes: ['read'], allowed_ips: ['10.0.0.1/8'] }, 'allowed_ips'],
]

// Invalid queries of GET /usage/breakdown: [description of the mistake, query, parameter in the error]
const BAD_PERIODS = [
  ['an unknown dimension', { by: 'hour' }, 'by'],
  ['a period of 401 days', { from: '2025-01-01', to: '2026-02-05' }, 'from'],
  ['an end before the beginning', { from: '2026-02-02', to: '2026-02-01' }, 'from'],
]

// Invalid bodies of POST /members: [description of the mistake, body, parameter in the error]
const BAD_MEMBERS = [
  ['a line break in the e-mail', { email: 'a@example.org\r\nBcc: b@example.org', role: 'viewer' }, 'email'],
  ['an unknown role', { email: MEMBER, role: 'boss' }, 'role'],
]

const post = (api, path, body = {}) => api.call('POST', path, { body, ...MANAGER })

async function createKey(api, terms = {}) {
  const { key, secret } = ok(await post(api, '/keys', { name: 'conformance', scopes: ['read'], ...terms }))
  ensure(secret.endsWith(key.last_four) && secret.startsWith(key.prefix), 'the secret is not the key')
  return { ...key, secret }
}

/** Calls /usage with a key that is not in keys.json. */
const useSecret = (api, secret) => api.get('/usage', undefined, { key: null, headers: { 'X-API-Key': secret } })

export const checks = section('Self-service', (check) => {
  for (const [method, path, body] of MANAGED) {
    check(`${method} ${path} with a key that can only read returns 403 and names the scope`, async ({ api }) => {
      const { details } = fails(await api.call(method, path, { body }), 403)
      equal(details.required_scope, 'manage', 'required_scope')
    })
  }

  check(
    'a new key works, is listed without its secret, and is refused after its revocation',
    { needs: ['manager'] },
    async ({ api }) => {
      const { id, secret } = await createKey(api)
      ok(await useSecret(api, secret))
      const list = await api.get('/keys', undefined, MANAGER)
      ensure(
        ok(list).keys.some((key) => key.id === id && key.state === 'active'),
        'the key is not listed',
      )
      ensure(!list.text.includes(secret), 'the list has the secret')
      equal(ok(await post(api, `/keys/${id}/revoke`)).key.state, 'revoked', 'state')
      const deadline = Date.now() + 2000
      let answer = await useSecret(api, secret)
      while (answer.status === 200 && Date.now() < deadline) answer = await useSecret(api, secret)
      equal(fails(answer, 401).details.reason, 'revoked', 'reason')
    },
  )

  check('a key is rotated once, and both keys work during the overlap', { needs: ['manager'] }, async ({ api }) => {
    const old = await createKey(api, { expires_in_days: 1 })
    const { key, secret, replaced } = ok(await post(api, `/keys/${old.id}/rotate`, { overlap_hours: 1 }))
    equal(replaced.replaced_by, key.id, 'replaced_by')
    for (const text of [old.secret, secret]) ok(await useSecret(api, text))
    equal(fails(await post(api, `/keys/${old.id}/rotate`), 409).details.replaced_by, key.id, 'replaced_by in the error')
    for (const id of [old.id, key.id]) ok(await post(api, `/keys/${id}/revoke`))
  })

  check('a key that expires gives no right that lasts longer than itself', { needs: ['manager'] }, async ({ api }) => {
    const expiring = await createKey(api, { scopes: ['read', 'manage'], expires_in_days: 2 })
    const call = (path, body) => api.call('POST', path, { body, key: null, headers: { 'X-API-Key': expiring.secret } })
    for (const expires_in_days of [undefined, 3]) {
      const { details } = fails(await call('/keys', { name: 'conformance', scopes: ['read'], expires_in_days }), 403)
      same([details.reason, details.max_expires_in_days], ['expires_at', 1], 'details')
    }
    equal(fails(await call('/members', { email: MEMBER, role: 'viewer' }), 403).details.reason, 'expires_at', 'reason')
    const { key } = ok(await call(`/keys/${expiring.id}/rotate`, { overlap_hours: 1 }))
    equal(key.expires_at, expiring.expires_at, 'expires_at of the successor')
    for (const id of [expiring.id, key.id]) ok(await post(api, `/keys/${id}/revoke`))
  })

  check('an absent key returns 404', { needs: ['manager'] }, async ({ api }) => {
    for (const action of ['rotate', 'revoke']) fails(await post(api, `/keys/${ABSENT_KEY}/${action}`), 404)
  })

  check('the last key with the scope manage cannot revoke itself', { needs: ['manager'] }, async ({ api }) => {
    const { keys } = ok(await api.get('/keys', undefined, MANAGER))
    const managers = keys.filter(({ scopes, state }) => state === 'active' && scopes.includes('manage'))
    equal(managers.length, 1, 'active keys with the scope manage')
    fails(await post(api, `/keys/${managers[0].id}/revoke`), 409)
  })

  for (const [mistake, body, parameter] of BAD_KEYS) {
    check(`POST /keys with ${mistake} is refused and names ${parameter}`, { needs: ['manager'] }, async ({ api }) =>
      rejects(await post(api, '/keys', body), parameter),
    )
  }

  check(
    'an origin is added, listed and removed, and each change is in the audit log',
    { needs: ['manager'] },
    async ({ api }) => {
      const listed = ({ origins }) => origins.some(({ origin }) => origin === ORIGIN)
      ensure(listed(ok(await post(api, '/origins', { origin: ORIGIN }))), 'the origin was not added')
      ensure(listed(ok(await api.get('/origins', undefined, MANAGER))), 'the origin is not listed')
      ensure(!listed(ok(await post(api, '/origins/remove', { origin: ORIGIN }))), 'the origin was not removed')
      fails(await post(api, '/origins/remove', { origin: ORIGIN }), 404)
      const { audit, pagination } = ok(await api.get('/audit', { limit: 2 }, MANAGER))
      same(
        audit.map(({ details }) => details),
        [
          { added: [], removed: [ORIGIN] },
          { added: [ORIGIN], removed: [] },
        ],
        'details',
      )
      equal(pagination.hasMore, true, 'hasMore')
      const csv = await api.get('/audit/export', { kind: 'account' }, MANAGER)
      ensure(csv.text.startsWith('id,time,actor,action,'), 'the export has no line with names')
      ensure(csv.text.includes(`\r\n${audit[0].id},`) && !csv.text.includes(',key.issue,'), 'the export ignores kind')
      const next = ok(await api.get('/audit', { limit: 2, after: pagination.nextCursor }, MANAGER))
      ensure(BigInt(next.audit[0].id) < BigInt(audit[1].id), 'the second page does not continue the first')
    },
  )

  check(
    'a person is invited, gets another role and is removed, but a key cannot make an owner',
    { needs: ['manager'] },
    async ({ api }) => {
      const { member } = ok(await post(api, '/members', { email: MEMBER.toUpperCase(), role: 'viewer' }))
      same([member.email, member.role, member.state], [MEMBER, 'viewer', 'invited'], 'member')
      equal(ok(await post(api, `/members/${member.id}/role`, { role: 'admin' })).member.role, 'admin', 'role')
      fails(await post(api, `/members/${member.id}/role`, { role: 'owner' }), 403)
      fails(await post(api, '/members', { email: `x${MEMBER}`, role: 'owner' }), 403)
      ok(await post(api, `/members/${member.id}/remove`))
      fails(await post(api, `/members/${member.id}/remove`), 404)
      equal(ok(await api.get('/members', undefined, MANAGER)).members.length, 0, 'members')
    },
  )

  for (const [mistake, body, parameter] of BAD_MEMBERS) {
    check(`POST /members with ${mistake} is refused and names ${parameter}`, { needs: ['manager'] }, async ({ api }) =>
      rejects(await post(api, '/members', body), parameter),
    )
  }

  check('the breakdown of a month has the credits of /usage, by every dimension', async ({ api }) => {
    const { credits_used } = await api.usage()
    for (const by of ['day', 'endpoint', 'key', 'day,endpoint,key']) {
      const { rows, totals } = ok(await api.get('/usage/breakdown', { by }))
      equal(
        rows.reduce((sum, { credits }) => sum + credits, 0),
        totals.credits,
        `sum of the rows by ${by}`,
      )
      equal(Math.ceil(totals.credits), credits_used, `credits by ${by}`)
    }
  })

  for (const [mistake, query, parameter] of BAD_PERIODS) {
    check(`/usage/breakdown with ${mistake} is refused and names ${parameter}`, async ({ api }) =>
      rejects(await api.get('/usage/breakdown', query), parameter),
    )
  }
})

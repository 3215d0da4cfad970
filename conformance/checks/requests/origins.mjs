// Checks of browser origins (CORS).

import { section, skip } from '../../lib/check.mjs'
import { ensure, equal, fails, ok, same } from '../../lib/expect.mjs'
import { refuses } from './authentication.mjs'

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin'
const UNKNOWN_ORIGIN = 'https://nobody-configured-this.example'
const REQUEST_HEADERS = ['x-api-key', 'content-type', 'if-none-match', 'x-request-id']
const EXPOSED_HEADERS = [
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
  'x-blob-status',
  'etag',
  'retry-after',
  'x-correlation-id',
]

const preflight = (api, origin, path = '/cves', method = 'GET') =>
  api.call('OPTIONS', path, {
    key: null,
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'x-api-key,content-type',
    },
  })
const getFrom = (api, origin, query = { limit: 1 }) =>
  api.get('/kev', query, { key: 'browser', headers: { Origin: origin } })
const configuredOrigin = (api) => api.keys.browser.origin ?? skip('keys.json has no browser.origin')

function assertPreflightAllowed(answer, origin, method) {
  equal(answer.status, 204, 'status')
  equal(answer.header(ALLOW_ORIGIN), origin, ALLOW_ORIGIN)
  const methods = answer.headerItems('Access-Control-Allow-Methods')
  ensure(methods.includes(method.toLowerCase()), `methods ${methods}`)
  const headers = answer.headerItems('Access-Control-Allow-Headers')
  for (const name of REQUEST_HEADERS) ensure(headers.includes(name), `headers ${headers}`)
  equal(answer.header('Access-Control-Max-Age'), '600', 'Access-Control-Max-Age')
  assertNoCredentials(answer)
}

function assertNoCredentials(answer) {
  ensure(answer.headerItems('Vary').includes('origin'), `Vary: ${answer.header('Vary')}`)
  equal(answer.header('Access-Control-Allow-Credentials'), undefined, 'credentials mode')
}

const needs = ['browser']

export const checks = section('Origins', (check) => {
  check('A13 a preflight from a configured origin is allowed without a key', { needs }, async ({ api }) => {
    const origin = configuredOrigin(api)
    assertPreflightAllowed(await preflight(api, origin, '/cves', 'GET'), origin, 'GET')
    assertPreflightAllowed(await preflight(api, origin, '/cve/batch', 'POST'), origin, 'POST')
  })

  check('A13 a preflight from an origin that no account lists gets 204 without an allow header', async ({ api }) => {
    const answer = await preflight(api, UNKNOWN_ORIGIN)
    equal(answer.header(ALLOW_ORIGIN), undefined, ALLOW_ORIGIN)
    equal(answer.status, 204, 'status (B12)')
  })

  const ownTitle = "A13 a request from the account's own origin is allowed and exposes the response headers"
  check(ownTitle, { needs }, async ({ api }) => {
    const answer = await getFrom(api, configuredOrigin(api))
    ok(answer)
    equal(answer.header(ALLOW_ORIGIN), configuredOrigin(api), ALLOW_ORIGIN)
    assertNoCredentials(answer)
    const exposed = answer.headerItems('Access-Control-Expose-Headers')
    for (const name of EXPOSED_HEADERS) ensure(exposed.includes(name), `${name} is not exposed`)
  })

  check("A13 a browser on the account's own origin can read an error", { needs }, async ({ api }) => {
    const answer = await getFrom(api, configuredOrigin(api), { limit: 0 })
    fails(answer, 400)
    equal(answer.header(ALLOW_ORIGIN), configuredOrigin(api), ALLOW_ORIGIN)
  })

  const foreignTitle =
    'A13 a foreign, null or nearly equal origin returns 403 without the allow header and without a charge'
  check(foreignTitle, { needs }, async ({ api }) => {
    const origin = configuredOrigin(api)
    const isHttps = origin.startsWith('https:')
    const otherScheme = isHttps ? origin.replace('https:', 'http:') : origin.replace('http:', 'https:')
    const inCapitals = origin.replace(/\/\/.*/, (host) => host.toUpperCase())
    const nearlyEqual = [otherScheme, inCapitals, `${origin}:8443`, `${origin}.evil.example`, `${origin}/`]
    const before = await api.usage('browser')
    for (const foreign of ['https://evil.example', 'null', ...nearlyEqual]) {
      const answer = await getFrom(api, foreign)
      fails(answer, 403)
      equal(answer.header(ALLOW_ORIGIN), undefined, `${foreign}: ${ALLOW_ORIGIN}`)
    }
    same(await api.usage('browser'), before, 'usage')
  })

  const otherAccount = "A13 an origin of another account returns 403: it must be listed by the key's own account"
  check(otherAccount, { needs: ['pro', 'browser'] }, async ({ api }) => {
    const answer = await api.get('/kev', { limit: 1 }, { headers: { Origin: configuredOrigin(api) } })
    fails(answer, 403)
    equal(answer.header(ALLOW_ORIGIN), undefined, ALLOW_ORIGIN)
  })

  check("A13 the service's own origin is always allowed", async ({ api }) => {
    ok(await api.get('/kev', { limit: 1 }, { headers: { Origin: api.base.origin } }))
  })

  const refusedTitle = 'A13 a 401 has the allow header if and only if some account lists the origin'
  check(refusedTitle, { needs }, async ({ api }) => {
    const origin = configuredOrigin(api)
    for (const [from, allowed] of [
      [origin, origin],
      [UNKNOWN_ORIGIN, undefined],
    ]) {
      const answer = await api.get('/kev', undefined, { key: null, headers: { Origin: from } })
      refuses(answer, 'missing')
      equal(answer.header(ALLOW_ORIGIN), allowed, ALLOW_ORIGIN)
    }
  })

  const originFirst = 'B2 the origin is checked before parameters: a foreign origin with a bad parameter returns 403'
  check(originFirst, async ({ api }) => {
    fails(await api.get('/kev', { limit: 0 }, { headers: { Origin: 'https://evil.example' } }), 403)
  })

  check('A13 /health allows every origin', { needs: [] }, async ({ api }) => {
    const answer = await api.health({ headers: { Origin: 'https://anyone.example' } })
    equal(answer.header(ALLOW_ORIGIN), '*', ALLOW_ORIGIN)
  })
})

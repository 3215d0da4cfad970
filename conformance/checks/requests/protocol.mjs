// Checks of routes, methods, compression and caching.

import { section } from '../../lib/check.mjs'
import { UNKNOWN_ID } from '../../lib/discovery.mjs'
import { ensure, equal, fails, ok, same } from '../../lib/expect.mjs'

const GET_PATHS = ['/ping', '/ping-lite', '/cves', '/cves/recent', '/kev', '/epss/movers', '/usage', '/stats']
const isWeakEtag = (etag) => /^W\/"[^"]+"$/.test(etag ?? '')

const ENCODINGS = [
  ['gzip', true],
  ['br, gzip', true],
  ['gzip;q=0.5, br;q=1.0', true],
  ['*', true],
  ['deflate, gzip;q=0.1', true],
  ['GZIP', true],
  ['gzip;q=0', false],
  ['gzip; q=0', false],
  ['*;q=0', false],
  ['identity', false],
  ['gzip;q=0.000, *;q=0', false],
  [undefined, false],
]

export const checks = section('Protocol', (check) => {
  const ownId = "B15 the X-Request-Id or X-Correlation-Id of a client does not become the answer's correlationId"
  check(ownId, async ({ api }) => {
    const headers = { 'X-Request-Id': 'mine', 'X-Correlation-Id': 'mine' }
    const answer = await api.get('/ping-lite', undefined, { headers })
    ok(answer)
    const used = [answer.meta.correlationId, answer.header('X-Correlation-Id')]
    ensure(!used.includes('mine'), "the client's id was used")
  })

  check('B4 an unknown path returns 404 NOT_FOUND', async ({ api }) => {
    fails(await api.get('/nothing-here'), 404)
    fails(await api.get('/cve'), 404)
    fails(await api.call('GET', '/nothing-here', { root: true }), 404)
  })

  check('B4 an unknown path below a CVE returns 404', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    fails(await api.get(`/cve/${id}/nothing`), 404)
  })

  check('B2 the route is checked before the key: an unknown path without a key returns 404', async ({ api }) => {
    fails(await api.get('/nothing-here', undefined, { key: null }), 404)
  })

  for (const method of ['PUT', 'DELETE', 'PATCH', 'POST']) {
    check(`B12 ${method} on /cves returns 405 with an Allow header that names GET and HEAD`, async ({ api }) => {
      const answer = await api.call(method, '/cves')
      fails(answer, 405)
      const allowed = answer.headerItems('Allow')
      ensure(allowed.includes('get') && allowed.includes('head'), `Allow: ${allowed}`)
      ensure(!allowed.includes(method.toLowerCase()), `Allow: ${allowed}`)
    })
  }

  check('B12 GET /cve/batch returns 405 with Allow: POST and is not read as an id', async ({ api }) => {
    const answer = await api.get('/cve/batch')
    fails(answer, 405)
    const allowed = answer.headerItems('Allow')
    ensure(allowed.includes('post') && !allowed.includes('get'), `Allow: ${allowed}`)
  })

  check('B2 the method is checked before the key: DELETE without a key returns 405', async ({ api }) => {
    fails(await api.call('DELETE', '/kev', { key: null }), 405)
  })

  check('B12 HEAD answers wherever GET does, with a content type and without a body', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    for (const path of [...GET_PATHS, `/cve/${id}`, `/cve/${id}/detail`, `/cve/${id}/exploits`, `/cve/${id}/epss`]) {
      const answer = await api.head(path)
      equal(answer.status, 200, `HEAD ${path} status`)
      equal(answer.raw.length, 0, `HEAD ${path} body bytes`)
      const contentType = answer.header('Content-Type') ?? ''
      ensure(contentType.startsWith('application/json'), `HEAD ${path} Content-Type ${contentType}`)
    }
    equal((await api.health({})).status, 200, '/health')
    equal((await api.call('HEAD', '/health', { root: true, key: null })).status, 200, 'HEAD /health')
  })

  check('B12 HEAD returns the same 400, 401 and 404 as GET', async ({ api }) => {
    equal((await api.head('/cves', { limit: 0 })).status, 400, 'bad limit')
    equal((await api.head('/cves', {}, { key: null })).status, 401, 'no key')
    equal((await api.head(`/cve/${UNKNOWN_ID}`)).status, 404, 'unknown CVE')
  })

  check('B12 OPTIONS returns 204 without a key', async ({ api }) => {
    for (const path of ['/cves', '/cve/batch', '/usage']) {
      const answer = await api.call('OPTIONS', path, { key: null })
      equal(answer.status, 204, `OPTIONS ${path}`)
      equal(answer.raw.length, 0, 'body bytes')
    }
  })

  check('B12 a path with a trailing slash reaches the same handler as without it', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    same(ok(await api.get(`/cve/${id}/`)), ok(await api.get(`/cve/${id}`)), 'data')
    for (const path of ['/cves/', '/cves/recent/', '/kev/', '/usage/', '/stats/', `/cve/${id}/detail/`])
      ok(await api.get(path))
    ok(await api.call('POST', '/cve/batch/', { body: { cve_ids: [id] } }))
  })

  for (const [header, isGzip] of ENCODINGS) {
    const outcome = isGzip ? 'is compressed with gzip, whatever its size' : 'is not compressed with gzip'
    check(`B14 an answer to Accept-Encoding ${header ?? '(absent)'} ${outcome}`, async ({ api }) => {
      for (const path of ['/ping-lite', '/kev']) {
        const answer = await api.get(path, undefined, { headers: { 'Accept-Encoding': header } })
        ok(answer)
        equal(answer.header('Content-Encoding') === 'gzip', isGzip, `${path} gzip`)
        ensure(answer.headerItems('Vary').includes('accept-encoding'), `${path} Vary: ${answer.header('Vary')}`)
      }
    })
  }

  check('B13 answers have a weak ETag that depends on the data only', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    for (const path of [`/cve/${id}`, '/kev', '/cves', '/stats', `/cve/${id}/detail`]) {
      const first = await api.get(path)
      const second = await api.get(path, undefined, { headers: { 'Accept-Encoding': 'identity' } })
      ensure(isWeakEtag(first.header('ETag')), `${path} ETag ${first.header('ETag')}`)
      equal(second.header('ETag'), first.header('ETag'), `${path} ETag of the second answer`)
    }
  })

  check('B13 different data has a different ETag', async ({ api, discovery }) => {
    const [a, b] = await discovery.findSome('in KEV', 2)
    const answers = [
      await api.get(`/cve/${a.cve_id}`),
      await api.get(`/cve/${b.cve_id}`),
      await api.get(`/cve/${a.cve_id}`, { fields: 'cve_id' }),
    ]
    equal(new Set(answers.map((answer) => answer.header('ETag'))).size, 3, 'distinct ETags')
  })

  check('B13 a matching If-None-Match returns 304 with the ETag and without a body', async ({ api }) => {
    const etag = (await api.get('/kev')).header('ETag')
    for (const header of [etag, `"other", ${etag}`, etag.replace('W/', '')]) {
      const answer = await api.get('/kev', undefined, { headers: { 'If-None-Match': header } })
      equal(answer.status, 304, `If-None-Match: ${header}`)
      equal(answer.raw.length, 0, 'body bytes')
      equal(answer.header('ETag'), etag, 'ETag of the 304')
    }
  })

  check('B13 an If-None-Match that does not match returns 200', async ({ api }) => {
    ok(await api.get('/kev', undefined, { headers: { 'If-None-Match': 'W/"nothing"' } }))
  })

  check('B13 Cache-Control is private, max-age=60 on data', async ({ api, discovery }) => {
    const { cve_id: id } = await discovery.findOne('in KEV')
    for (const path of ['/cves', '/cves/recent', '/kev', '/stats', `/cve/${id}`]) {
      const answer = await api.get(path)
      same(answer.headerItems('Cache-Control').sort(), ['max-age=60', 'private'], `${path} Cache-Control`)
    }
  })

  check('B13 Cache-Control is no-store on usage and pings', async ({ api }) => {
    for (const path of ['/usage', '/ping', '/ping-lite'])
      ensure((await api.get(path)).headerItems('Cache-Control').includes('no-store'), path)
  })

  check('B13 Cache-Control is no-store on answers to POST, which have no ETag', async ({ api }) => {
    const answers = [
      await api.batch({ cve_ids: [UNKNOWN_ID] }),
      await api.match({ components: [{ product: 'a', version: '1' }] }),
    ]
    for (const answer of answers)
      same([answer.header('Cache-Control'), answer.header('ETag')], ['no-store', undefined], `${answer}`)
  })
})

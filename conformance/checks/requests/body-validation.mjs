// Checks of request sizes, content types and JSON bodies.

import { section } from '../../lib/check.mjs'
import { ensure, equal, fails, ok, rejects, same, suggests } from '../../lib/expect.mjs'

const ONE_ID = ['CVE-2021-44228']
const ONE_ID_BODY = JSON.stringify({ cve_ids: ONE_ID })
const makeIds = (count) => Array.from({ length: count }, (_, index) => `CVE-2020-${10_000 + index}`)

const MALFORMED = [' ', '{', '{"cve_ids": [', 'not json', '{"cve_ids": ["CVE-2021-44228"],}', "{'cve_ids': []}"]
const NO_OBJECT = ['[]', 'null', '"text"', '5', '["CVE-2021-44228"]']

const WRONG_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/json\t; a=b',
  'application/json,text/plain',
  'application/jsonp',
  'application/json; charset=latin1',
  'application/ json',
  'unknown',
  ';',
  '/',
]

// Invalid batch bodies: [description of the mistake, body, parameter in the error, value in the error]
const BAD_BODIES = [
  ['no cve_ids', {}, 'cve_ids'],
  ['empty cve_ids', { cve_ids: [] }, 'cve_ids'],
  ['51 ids', { cve_ids: makeIds(51) }, 'cve_ids'],
  ['one id 51 times', { cve_ids: Array.from({ length: 51 }, () => ONE_ID[0]) }, 'cve_ids'],
  ['a malformed id', { cve_ids: [...ONE_ID, 'nonsense'] }, 'cve_ids', 'nonsense'],
  ['a number as an id', { cve_ids: [44228] }, 'cve_ids', 44228],
  ['null as an id', { cve_ids: [null] }, 'cve_ids', null],
  ['a nested array', { cve_ids: [ONE_ID] }, 'cve_ids'],
  ['__proto__ as an id', { cve_ids: ['__proto__'] }, 'cve_ids', '__proto__'],
  ['a string as cve_ids', { cve_ids: 'CVE-2021-44228' }, 'cve_ids'],
  ['an object as cve_ids', { cve_ids: { 0: 'CVE-2021-44228' } }, 'cve_ids'],
  ['an unknown name in include', { cve_ids: ONE_ID, include: ['weather'] }, 'include', 'weather'],
  ['an unknown name in include as a string', { cve_ids: ONE_ID, include: 'weather' }, 'include', 'weather'],
  ['a number as include', { cve_ids: ONE_ID, include: 5 }, 'include'],
  ['an unknown name in fields', { cve_ids: ONE_ID, fields: ['colour'] }, 'fields', 'colour'],
  ['the output key acsc_notices in fields', { cve_ids: ONE_ID, fields: ['acsc_notices'] }, 'fields', 'acsc_notices'],
  ['101 fields', { cve_ids: ONE_ID, fields: Array.from({ length: 101 }, () => 'cve_id') }, 'fields'],
  ['a list as sort', { cve_ids: ONE_ID, sort: ['epss_desc'] }, 'sort', '["epss_desc"]'],
  ['an empty sort', { cve_ids: ONE_ID, sort: '' }, 'sort', ''],
  ['a number as severity', { cve_ids: ONE_ID, severity: [7] }, 'severity', 7],
  ['an unknown sort', { cve_ids: ONE_ID, sort: 'up' }, 'sort', 'up'],
  ['an unknown severity', { cve_ids: ONE_ID, severity: 'urgent' }, 'severity', 'urgent'],
]

export const checks = section('Bodies', (check) => {
  check('B11 a URL over 8 KiB returns 414', async ({ api }) => {
    const { message } = fails(await api.get('/kev', `vendor=${'x'.repeat(8400)}`), 414)
    ensure(message.includes('POST /api/v1/cve/batch takes a list of CVE ids in its body'), message)
  })

  check('B11 a URL under 8 KiB is accepted', async ({ api }) => {
    ok(await api.get('/cves', `limit=1&fields=${'cve_id,'.repeat(1100)}cve_id`))
  })

  check('B11, B1 headers over 16 KiB return 431 HEADERS_TOO_LARGE with error and meta', async ({ api }) => {
    fails(await api.get('/ping-lite', undefined, { headers: { 'X-Padding': 'x'.repeat(17_000) } }), 431)
  })

  check('B11 a body over 64 KiB returns 413', async ({ api }) => {
    fails(await api.batch(`${ONE_ID_BODY}${' '.repeat(65_536)}`), 413)
  })

  check('B11 a body of exactly 64 KiB is accepted', async ({ api }) => {
    ok(await api.batch(ONE_ID_BODY.padEnd(65_536)))
  })

  check('B11 a wrong content type returns 415', async ({ api }) => {
    for (const contentType of WRONG_TYPES) fails(await api.batch({ cve_ids: ONE_ID }, { contentType }), 415)
  })

  check('B11 a JSON content type with a charset or in capitals is accepted', async ({ api }) => {
    for (const contentType of [
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'Application/JSON',
    ])
      ok(await api.batch({ cve_ids: ONE_ID }, { contentType }))
  })

  check('B11 a body without a content type is parsed as JSON', async ({ api }) => {
    ok(await api.batch({ cve_ids: ONE_ID }, { contentType: null }))
  })

  for (const body of MALFORMED) {
    check(`B11 malformed JSON ${JSON.stringify(body)} returns 400 that names body`, async ({ api }) => {
      rejects(await api.batch(body), 'body')
    })
  }

  for (const body of NO_OBJECT) {
    check(`B11 a JSON body that is no object (${body}) returns 400`, async ({ api }) => {
      rejects(await api.batch(body), 'body')
    })
  }

  for (const [what, body, parameter, value] of BAD_BODIES) {
    check(`B3 a batch body with ${what} returns 400 that names ${parameter}`, async ({ api }) => {
      rejects(await api.batch(body), parameter, value)
    })
  }

  check('B6 an unknown body key returns 400 with suggestion', async ({ api }) => {
    suggests(rejects(await api.batch({ cve_ids: ONE_ID, field: ['cve_id'] }), 'field'), 'fields')
    fails(await api.batch('{"cve_ids":["CVE-2021-44228"],"__proto__":{"x":1}}'), 400)
    fails(await api.batch('{"cve_ids":["CVE-2021-44228"],"constructor":1}'), 400)
  })

  check('B6 an unknown query parameter on the batch returns 400', async ({ api }) => {
    rejects(await api.batch({ cve_ids: ONE_ID }, { query: { colour: 'red' } }), 'colour', 'red')
  })

  check('D11 sort or severity in both the body and the query returns 400', async ({ api }) => {
    const sort = { cve_ids: ONE_ID, sort: 'epss_asc' }
    rejects(await api.batch(sort, { query: { sort: 'epss_asc' } }), 'sort', 'epss_asc')
    const severity = { cve_ids: ONE_ID, severity: 'low' }
    rejects(await api.batch(severity, { query: { severity: 'high' } }), 'severity', 'high')
  })

  check('B3 all mistakes of a body are listed in the order of the documentation', async ({ api }) => {
    const { parameter, details } = fails(await api.batch({ cve_ids: [], sort: 'x', include: ['weather'] }), 400)
    equal(parameter, 'cve_ids', 'error.parameter')
    same(
      details.errors.map((issue) => issue.parameter),
      ['cve_ids', 'include', 'sort'],
      'parameters in details',
    )
  })

  check('E52 mistakes of the query are reported before the body is read', async ({ api }) => {
    const query = { severity: 'urgent', colour: 'red' }
    const { details } = fails(await api.batch({ cve_ids: [], sort: 'x' }, { query }), 400)
    same(
      details.errors.map((issue) => issue.parameter),
      ['severity', 'colour'],
      'parameters in details',
    )
  })

  check('B11 a compressed batch body returns 415 and says that only identity is accepted', async ({ api }) => {
    for (const encoding of ['gzip', 'br', 'identity, gzip']) {
      const answer = await api.batch({ cve_ids: ONE_ID }, { headers: { 'Content-Encoding': encoding } })
      fails(answer, 415)
      equal(answer.header('Accept-Encoding'), 'identity', 'Accept-Encoding')
    }
    ok(await api.batch({ cve_ids: ONE_ID }, { headers: { 'Content-Encoding': 'identity' } }))
  })

  check('B11 an empty batch body returns 400', async ({ api }) => {
    fails(await api.batch(''), 400)
  })
})

// Checks that hostile input returns 200 or 400 and never 500.

import { section } from '../../lib/check.mjs'
import { ensure, fails, ok, rejects } from '../../lib/expect.mjs'

const TEXTS = {
  'a NUL byte': '\0',
  'a NUL byte inside a word': 'li\0nux',
  'a single quote': "'",
  'a SQL statement': "'; DROP TABLE cves; --",
  'a SQL union': "' UNION SELECT 1,2,3 --",
  'text with LIKE wildcards': '%_%',
  'a backslash': '\\',
  'a regular expression': '(a+)+$',
  'an open bracket': '[',
  'a star of a regular expression': '.*',
  'text with operators of tsquery': '& | ! <-> :*',
  'a negation of tsquery': '!!!',
  'an open phrase': '"linux kernel',
  'an empty phrase': '""',
  'text of quotes only': '"""',
  'text of brackets only': '((()))',
  'text of spaces only': '   ',
  'an emoji': '\u{1F4A9}',
  'text with 100 combining marks': `e${'\u0301'.repeat(100)}`,
  'right-to-left text': '\u202e\u0627',
  'a zero-width character': '\u200b',
  'text with line breaks': 'a\nb\r\nc',
  'an HTML tag': '<script>alert(1)</script>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is hostile input, which is sent unchanged.
  'a template expression': '{{7*7}}${7*7}',
  'a path': '../../etc/passwd',
  'a JSON object': '{"$gt":""}',
  'a single letter': 'a',
  'a stop word': 'the',
}
const ESCAPES = {
  'an overlong UTF-8 sequence': '%C0%80',
  'half of a surrogate pair': '%ED%A0%80',
  'an invalid UTF-8 sequence': '%FF%FE',
  'a percent sign alone': '%',
  'a percent sign without digits': '%zz',
  'a truncated UTF-8 sequence': '%E0%A4%A',
}
const NAMES = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'prototype', 'valueOf']
const MAX_DEPTH = 20_000

const assertHandled = (answer) => ensure([200, 400].includes(answer.status), () => `expected 200 or 400: ${answer}`)

export const checks = section('Hostile input', (check) => {
  for (const [kind, text] of Object.entries(TEXTS)) {
    check(`The service answers 200 or 400 to ${kind} in q, vendor, product or a request for names`, async ({ api }) => {
      assertHandled(await api.get('/cves', { q: text, limit: 5 }))
      assertHandled(await api.get('/kev', { vendor: text, limit: 5 }))
      assertHandled(await api.get('/kev', { product: text, limit: 5 }))
      assertHandled(await api.get('/suggest', { of: 'product', q: text }))
    })
  }

  for (const [kind, sequence] of Object.entries(ESCAPES)) {
    check(`The service never answers 500 to ${kind} in the URL`, async ({ api }) => {
      assertHandled(await api.get('/cves', `q=${sequence}&limit=5`))
      assertHandled(await api.get('/kev', `vendor=${sequence}&limit=5`))
      fails(await api.get('/cves', `sort=${sequence}`), 400)
      for (const path of [`/cve/${sequence}`, `/cve/CVE-2021-44228${sequence}/detail`])
        ensure([400, 404].includes((await api.get(path)).status), `in the path ${path}`)
    })
  }

  for (const name of NAMES) {
    check(`B6 ${name} as the name or the value of a parameter returns 400`, async ({ api }) => {
      rejects(await api.get('/cves', `${name}=1`), name, '1')
      for (const parameter of ['fields', 'include', 'severity', 'sort', 'ids', 'after'])
        rejects(await api.get('/cves', { [parameter]: name }), parameter, name)
      for (const parameter of ['vendor', 'attack_vector'])
        rejects(await api.get('/cves', { include: 'enrichment', [parameter]: name }), parameter, name)
      rejects(await api.get('/cves/recent', { type: name }), 'type', name)
      rejects(await api.batch({ cve_ids: ['CVE-2021-44228'], fields: [name] }), 'fields', name)
      fails(await api.get(`/${name}`), 404)
    })
  }

  check('D5 q without a match returns an empty array', async ({ api }) => {
    const data = ok(await api.get('/cves', { q: 'zzqxjkvwyzzqxjkvwy' }))
    ensure(data.cves.length === 0 && data.pagination.hasMore === false, () => JSON.stringify(data))
  })

  check('A NUL byte in ids, fields, the cursor or the batch returns 400', async ({ api }) => {
    for (const name of ['ids', 'fields', 'include', 'sort', 'after', 'published_after', 'limit', 'kev'])
      fails(await api.get('/cves', { [name]: 'a\0b' }), 400)
    rejects(await api.batch({ cve_ids: ['CVE-2021-44228\0'] }), 'cve_ids', 'CVE-2021-44228\0')
  })

  check('A JSON body with 20,000 nested arrays returns 400', async ({ api }) => {
    fails(await api.batch(`{"cve_ids":${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}}`), 400)
  })
})

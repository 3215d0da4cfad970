// Checks of API keys: missing, malformed, unknown, revoked, expired and suspended keys.

import { section } from '../../lib/check.mjs'
import { ensure, equal, fails } from '../../lib/expect.mjs'

const PATHS = [
  '/ping',
  '/ping-lite',
  '/cve/CVE-2021-44228',
  '/cves',
  '/cves/recent',
  '/kev',
  '/cve/CVE-2021-44228/detail',
  '/usage',
  '/stats',
]

const BAD_KEYS = {
  'a word': ['abc', '__proto__'],
  'a key of the right form that no account has': [`vis_live_${'A'.repeat(43)}000000`],
  SQL: ["' OR 1=1 --"],
  '3,000 characters': ['k'.repeat(3000)],
  'characters outside ASCII': ['\u00e9\u00ff\u00fe'],
}

/** Asserts that an answer is a 401 with the given reason in its details. */
export function refuses(answer, reason) {
  equal(fails(answer, 401).details?.reason, reason, 'details.reason')
  const challenge = answer.header('WWW-Authenticate')
  ensure(/^ApiKey\b/i.test(challenge ?? ''), `WWW-Authenticate: ${challenge}`)
}

const getWithKey = (api, key) => api.get('/kev', undefined, { key: null, headers: { 'X-API-Key': key } })

export const checks = section('Authentication', (check) => {
  for (const path of PATHS) {
    check(`A2 ${path} without X-API-Key returns 401 with the reason missing`, async ({ api }) => {
      refuses(await api.get(path, undefined, { key: null }), 'missing')
    })
  }

  check('A2 the batch without X-API-Key returns 401 with the reason missing', async ({ api }) => {
    refuses(await api.batch({ cve_ids: ['CVE-2021-44228'] }, { key: null }), 'missing')
  })

  for (const [kind, keys] of Object.entries(BAD_KEYS)) {
    check(`A2 a malformed or unknown key (${kind}) returns 401 with the reason invalid`, async ({ api }) => {
      for (const key of keys) refuses(await getWithKey(api, key), 'invalid')
    })
  }

  check(
    'A1 a key with one changed character, or in upper case, returns 401 with the reason invalid',
    async ({ api }) => {
      const { pro } = api.keys
      refuses(await getWithKey(api, pro.toUpperCase()), 'invalid')
      for (const at of [10, 25, pro.length - 1]) {
        const changed = `${pro.slice(0, at)}${pro[at] === 'a' ? 'b' : 'a'}${pro.slice(at + 1)}`
        refuses(await getWithKey(api, changed), 'invalid')
      }
    },
  )

  check('A2 an empty X-API-Key returns 401 with the reason missing', async ({ api }) => {
    refuses(await getWithKey(api, ''), 'missing')
  })

  check('A2 two X-API-Key headers return 401 with the reason invalid, even if both keys are valid', async ({ api }) => {
    const { pro } = api.keys
    refuses(await getWithKey(api, [pro, pro]), 'invalid')
  })

  check('A2 a key in the URL is not read: the answer is 401 with the reason missing', async ({ api }) => {
    for (const name of ['api_key', 'X-API-Key', 'key'])
      refuses(await api.get('/kev', { [name]: api.keys.pro }, { key: null }), 'missing')
  })

  check('A2 a key as Authorization: Bearer is not read: the answer is 401 with the reason missing', async ({ api }) => {
    const headers = { Authorization: `Bearer ${api.keys.pro}` }
    refuses(await api.get('/kev', undefined, { key: null, headers }), 'missing')
  })

  for (const reason of ['revoked', 'expired', 'suspended']) {
    const title = `A2 a key or account that is ${reason} returns 401 with that reason, also on 0-credit endpoints`
    check(title, { needs: [reason] }, async ({ api }) => {
      for (const path of ['/kev', '/ping', '/usage']) refuses(await api.get(path, undefined, { key: reason }), reason)
    })
  }

  check('A2 the error about a rejected key does not repeat the key', async ({ api }) => {
    const answer = await getWithKey(api, 'vis_live_SECRETSECRET')
    ensure(!answer.text.includes('SECRETSECRET'), 'the key is in the body')
  })

  check('B2 the key is checked before parameters: a bad key with a bad parameter returns 401', async ({ api }) => {
    const headers = { 'X-API-Key': 'abc' }
    refuses(await api.get('/cves', { limit: 0 }, { key: null, headers }), 'invalid')
    refuses(await api.get('/cve/not-an-id', undefined, { key: null, headers }), 'invalid')
    refuses(await api.batch('{', { key: null, headers }), 'invalid')
  })
})
